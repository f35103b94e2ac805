/// The `wordwrap` filter, which is Python's `textwrap` line by line.
enum WordWrap {
  static func filter(_ renderer: Renderer, _ value: Value, _ arguments: Arguments) throws(TemplateError) -> Value {
    try arguments.check("do_wordwrap", ["width", "break_long_words", "wrapstring", "break_on_hyphens"])
    if case .undefined(let undefined) = value { throw undefined.error }
    guard case .string(let text) = value else {
      throw TemplateError(.attribute, "'\(value.typeName)' object has no attribute 'splitlines'")
    }
    let width = try StringMethods.integer(arguments.get(0, "width"), default: 79)
    guard width > 0 else { throw TemplateError(.value, "invalid width \(width) (must be > 0)") }
    let breaksWords = arguments.get(1, "break_long_words")?.isTrue ?? true
    var separator: Text = "\n"
    if case .string(let text)? = arguments.get(2, "wrapstring") { separator = text }
    let breaksHyphens = arguments.get(3, "break_on_hyphens")?.isTrue ?? true
    try renderer.make(text.count * 2)
    try renderer.step(text.count)
    var lines: [Text] = []
    for line in StringMethods.lines(text) {
      let wrapped = wrap(line, width: width, breaksWords: breaksWords, breaksHyphens: breaksHyphens)
      lines += wrapped.isEmpty ? [Text()] : wrapped
    }
    return .string(try StringMethods.joined(lines, by: separator, renderer))
  }

  private static func wrap(_ line: Text, width: Int, breaksWords: Bool, breaksHyphens: Bool) -> [Text] {
    var chunks = Array(chunks(line, breaksHyphens: breaksHyphens).reversed())
    var lines: [Text] = []
    while !chunks.isEmpty {
      var current: [Text] = []
      var length = 0
      if isSpace(chunks[chunks.count - 1]), !lines.isEmpty { chunks.removeLast() }
      while let chunk = chunks.last, length + chunk.count <= width {
        current.append(chunk)
        length += chunk.count
        chunks.removeLast()
      }
      if let chunk = chunks.last, chunk.count > width {
        let room = width - length
        if breaksWords {
          if room > 0 || current.isEmpty {
            let cut = max(1, room)
            current.append(chunk[0..<cut])
            chunks[chunks.count - 1] = chunk[cut..<chunk.count]
          }
        } else if current.isEmpty {
          current.append(chunk)
          chunks.removeLast()
        }
      }
      if let last = current.last, isSpace(last) { current.removeLast() }
      if !current.isEmpty { lines.append(current.reduce(Text(), +)) }
    }
    return lines
  }

  private static func isSpace(_ text: Text) -> Bool { text.units.allSatisfy(Text.isSpace) }

  /// Words, the spaces between them, and the parts of words that hyphens end.
  private static func chunks(_ line: Text, breaksHyphens: Bool) -> [Text] {
    var chunks: [Text] = []
    var start = 0
    for position in 0..<line.count {
      let unit = line.units[position]
      let endsHere: Bool
      if position + 1 == line.count {
        endsHere = true
      } else if Text.isSpace(unit) != Text.isSpace(line.units[position + 1]) {
        endsHere = true
      } else {
        endsHere =
          breaksHyphens && unit & Text.scalarBits == 0x2D && position > start
          && isLetter(line.units[position - 1]) && isLetter(line.units[position + 1])
      }
      if endsHere {
        chunks.append(line[start..<position + 1])
        start = position + 1
      }
    }
    return chunks
  }

  private static func isLetter(_ unit: UInt32) -> Bool { Text.scalar(unit).properties.isAlphabetic }
}
