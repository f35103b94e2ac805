import ChatTemplates
import Foundation
import TestSupport

/// The real templates, conversations and what the reference makes of them.
struct ReferenceRenderings {
  let cases: [TemplateValue.Member]
  let globals: [TemplateValue.Member]
  let time: TemplateTime
  let expected: TemplateValue

  static func load() throws -> ReferenceRenderings {
    let data = try Data(contentsOf: SharedData.file("templates/expected.json"))
    let json = try TemplateValue(json: String(decoding: data, as: UTF8.self))
    guard case .object(let cases) = json["cases"], case .object(let globals) = json["globals"],
      case .string(let now) = json["now"], let time = TemplateTime(now), let expected = json["expected"]
    else { throw CocoaError(.fileReadCorruptFile) }
    return ReferenceRenderings(cases: cases, globals: globals, time: time, expected: expected)
  }

  static let names: [String] = {
    guard let folder = SharedData.folder else { return [] }
    // Without the folder there are no names, and the suite is skipped.
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "templates").path)) ?? []
    return files.filter { $0.hasSuffix(".jinja") }.sorted()
  }()

  static func source(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: SharedData.file("templates/\(name)")), as: UTF8.self)
  }

  func context(_ conversation: TemplateValue) -> TemplateContext {
    guard case .object(let members) = conversation else { return TemplateContext(time: time) }
    return TemplateContext(
      variables: members, trusted: globals.filter { global in !members.contains { $0.key == global.key } },
      time: time)
  }

  /// Result of a template for a context: its text or its error.
  static func outcome(_ source: String, _ context: TemplateContext, limits: TemplateLimits = .init())
    -> TemplateValue
  {
    do throws(TemplateError) {
      return ["text": .string(try ChatTemplate(source).render(context, limits: limits).text)]
    } catch { return ["error": .string(error.description)] }
  }
}
