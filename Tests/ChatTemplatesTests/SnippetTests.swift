import ChatTemplates
import Foundation
import Testing

/// `Golden/snippets.json` holds what jinja2 3.1, set up as transformers does, makes of small templates: a text, or an
/// error of which the kind counts, and the message too where there is one.
@Suite struct SnippetTests {
  @Test func everySnippetIsAsInJinja() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/snippets.json")
    let golden = try TemplateValue(json: String(decoding: try Data(contentsOf: file), as: UTF8.self))
    guard case .object(let context) = golden["context"], case .array(let cases) = golden["cases"] else {
      Issue.record("the golden file has another form")
      return
    }
    #expect(cases.count > 1_000)
    let time = try #require(TemplateTime("2026-01-15T10:30:00"))
    for snippet in cases {
      guard case .string(let source) = snippet["source"] else { continue }
      let outcome = ReferenceRenderings.outcome(source, TemplateContext(variables: context, time: time))
      if case .string(let error) = snippet["error"] {
        guard case .string(let got) = outcome["error"] else {
          Issue.record("\(source): renders, but should be \(error)")
          continue
        }
        #expect(error.contains(":") ? got == error : got.hasPrefix(error + ":"), "\(source)")
      } else {
        #expect(outcome["text"] == snippet["text"], "\(source)")
      }
    }
  }
}
