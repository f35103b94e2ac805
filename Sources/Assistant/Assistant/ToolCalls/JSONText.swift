import ChatTemplates
import JSON

/// Writes JSON.
enum JSONText {
  /// A value on one line.
  static func of(_ value: TemplateValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : "null"
    case .string(let text): quoted(text)
    case .array(let values): "[" + values.map(of).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.key) + ": " + of($0.value) }.joined(separator: ", ") + "}"
    }
  }

  /// A text in quotes, in which no more is escaped than JSON demands.
  static func quoted(_ text: String) -> String { JSON.quoted(text, .demanded) }
}
