import Foundation

/// Prompt texts, from `Resources/Prompts`; names in braces are placeholders.
package struct PromptTexts: Sendable, Equatable {
  /// System prompt, before everything else.
  package var system: String
  /// Instruction to answer from passages: `{passages}`, `{question}`.
  package var documents: String
  /// Instruction to put a question into words to search for: `{question}`.
  package var reword: String
  /// Instruction to sum a conversation up.
  package var summary: String
  /// Text in place of turns that were summed up: `{summary}`.
  package var earlier: String
  /// Text in place of a question's beginning that did not fit: `{left}`, `{all}`.
  package var cut: String
  /// Instruction for tool calls where the model's template has none: `{tools}`.
  package var tools: String
  /// Result of a tool, where the template has no place for it: `{name}`, `{result}`.
  package var result: String
  /// Instruction to note the content of a part of a document: `{document}`, `{part}`, `{parts}`, `{count}`,
  /// `{passages}`.
  package var digest: String
  /// Instruction to make a summary of the notes on all parts: `{document}`, `{count}`, `{notes}`.
  package var combine: String
  /// Instruction to describe a picture more richly: `{prompt}`.
  package var enrich: String

  /// Reads the texts.
  package init(folder: URL) throws {
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    system = try text("system")
    documents = try text("documents")
    reword = try text("reword")
    summary = try text("summary")
    earlier = try text("earlier")
    cut = try text("cut")
    tools = try text("tools")
    result = try text("result")
    digest = try text("digest")
    combine = try text("combine")
    enrich = try text("enrich")
  }

  /// Fills in the placeholders of a text in one pass: values are not searched for placeholders.
  static func fill(_ text: String, _ values: [String: String]) -> String {
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      else {
        filled.append("{")
        rest = rest.dropFirst()
        continue
      }
      filled += value
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }
}
