import ChatTemplates
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct RealTemplateTests {
  @Test(arguments: ReferenceRenderings.names)
  func rendersAndRefusesAsTheReference(name: String) throws {
    let reference = try ReferenceRenderings.load()
    let source = try ReferenceRenderings.source(name)
    for conversation in reference.cases {
      let expected = try #require(reference.expected[name]?[conversation.key])
      let outcome = ReferenceRenderings.outcome(source, reference.context(conversation.value))
      #expect(outcome == expected, "\(name), \(conversation.key)")
    }
  }

  @Test func thereAreTemplates() { #expect(ReferenceRenderings.names.count == 51) }
}
