import ChatTemplates

/// Calls whose parts are set apart by marks of their own.
extension CallBody {
  /// Separators of a call's name and its arguments, by family.
  private static let separators = [
    "[ARGS]", "<｜tool▁sep｜>", "<|tool_call:args|>", "<|tool_call_argument_begin|>", "<tool_sep>",
  ]
  /// Separators of two calls.
  private static let borders = [
    "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<|tool_call:begin|>", "<|tool_call:end|>", "<|tool_call_begin|>",
    "<|tool_call_end|>",
  ]

  /// `name[ARGS]{…}`, `function<sep>name\n{…}`, `<name>id<args>{…}`.
  func separated(_ text: String) -> [ToolCall]? {
    guard let separator = Self.separators.first(where: { text.contains($0) }) else { return nil }
    var parts = [text]
    for border in Self.borders { parts = parts.flatMap { $0.components(separatedByTag: border) } }
    let calls = parts.compactMap { part -> ToolCall? in
      guard let middle = part.firstRange(of: separator) else { return nil }
      var name = part[..<middle.lowerBound].trimmingSpace
      var arguments = String(part[middle.upperBound...])
      if let id = name.firstRange(of: "[CALL_ID]") { name = String(name[..<id.lowerBound]) }
      if let mark = name.firstRange(of: "<|tool_call:name|>") { name = String(name[mark.upperBound...]) }
      // The older form of one family has the kind of the call first and its name behind the separator.
      if name == "function", let line = arguments.firstIndex(where: \.isNewline) {
        name = String(arguments[..<line])
        arguments = String(arguments[line...])
      }
      guard !name.trimmingSpace.isEmpty else { return nil }
      let body = arguments.trimmingSpace.droppingFence
      return names.call(name, LenientJSON.read(body)?.value ?? .object([]))
    }
    return calls.isEmpty ? nil : calls
  }

  /// `call:name{key:<|"|>text<|"|>,number:3}`.
  func braces(_ text: String) -> [ToolCall]? {
    guard text.hasPrefix("call:") else { return nil }
    return text.components(behind: "call:").compactMap { part in
      guard let brace = part.firstIndex(of: "{") else { return nil }
      let name = String(part[..<brace])
      // Text stands between marks of its own, so a quote in it is an ordinary character.
      let pieces = part[brace...].components(separatedByTag: "<|\"|>")
      let json = pieces.enumerated().map { place, piece in place % 2 == 0 ? piece : JSONText.quoted(piece) }
        .joined()
      return names.call(name, LenientJSON.read(json)?.value ?? .object([]))
    }
  }
}

extension String {
  /// The text without a code fence around it.
  fileprivate var droppingFence: String {
    guard hasPrefix("```") else { return self }
    let inside = drop { !$0.isNewline && $0 != "{" }
    return inside.upTo("```").trimmingSpace
  }
}
