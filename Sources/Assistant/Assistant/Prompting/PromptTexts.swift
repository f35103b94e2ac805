import Foundation

/// What models are told, from `Resources/Prompts`; names in braces are filled in.
package struct PromptTexts: Sendable, Equatable {
  /// The assistant's part, before everything else.
  package var system: String
  /// How to answer from passages: `{passages}`, `{question}`.
  package var documents: String
  /// How to put a question into words to search for: `{question}`.
  package var reword: String
  /// How to sum a conversation up.
  package var summary: String
  /// What stands for turns that were summed up: `{summary}`.
  package var earlier: String
  /// What stands for a question's beginning that did not fit: `{left}`, `{all}`.
  package var cut: String
  /// How tools are called where the model's template does not say: `{tools}`.
  package var tools: String
  /// What a tool gave, where the template has no place for it: `{name}`, `{result}`.
  package var result: String
  /// How to note what a part of a document says: `{document}`, `{part}`, `{parts}`, `{count}`, `{passages}`.
  package var digest: String
  /// How to make a summary of the notes on all parts: `{document}`, `{count}`, `{notes}`.
  package var combine: String
  /// How to describe a picture more richly: `{prompt}`.
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

  /// A text with its names filled in, in one pass: what is filled in is not searched for names.
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
