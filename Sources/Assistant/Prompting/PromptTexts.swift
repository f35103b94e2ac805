import Foundation

/// What models are told, from `Resources/Prompts`; names in braces are filled in.
public struct PromptTexts: Sendable, Equatable {
  /// The assistant's part, before everything else.
  public var system: String
  /// How to answer from passages: `{passages}`, `{question}`.
  public var documents: String
  /// How to put a question into words to search for: `{question}`.
  public var reword: String
  /// How to sum a conversation up.
  public var summary: String
  /// What stands for turns that were summed up: `{summary}`.
  public var earlier: String
  /// What stands for a question's beginning that did not fit: `{left}`, `{all}`.
  public var cut: String
  /// How tools are called where the model's template does not say: `{tools}`.
  public var tools: String
  /// What a tool gave, where the template has no place for it: `{name}`, `{result}`.
  public var result: String

  /// Reads the texts.
  public init(folder: URL) throws {
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
