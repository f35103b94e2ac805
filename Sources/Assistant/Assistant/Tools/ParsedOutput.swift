/// Parts of a model's whole message.
package struct ParsedOutput: Equatable {
  /// The answer.
  package var text = ""
  /// The thoughts.
  package var thinking = ""
  /// The tool calls.
  package var calls: [ToolCall] = []
  /// Tool calls that could not be read.
  package var malformed: [String] = []

  /// Parses a message, handed over in pieces of a number of characters.
  package init(_ message: String, pieces: Int = .max, opening: String = "", quoted: [String] = []) {
    var parser = ModelOutputParser(tools: Toolbox.descriptions, opening: opening, quoted: quoted)
    var rest = message[...]
    while !rest.isEmpty {
      take(parser.append(String(rest.prefix(pieces))))
      rest = rest.dropFirst(pieces)
    }
    take(parser.finish())
  }

  private mutating func take(_ outputs: [ModelOutputParser.Output]) {
    for output in outputs {
      switch output {
      case .text(let piece): text += piece
      case .thinking(let piece): thinking += piece
      case .call(let call): calls.append(call)
      case .malformed(let body): malformed.append(body)
      }
    }
  }
}
