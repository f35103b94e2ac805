extension LineEditor {
  private static let longestList = 200

  /// Completes the text before the cursor as far as it is unambiguous, and lists the candidates where it is not.
  func complete() {
    guard let set = completer?(buffer.textBeforeCursor), !set.completions.isEmpty else {
      terminal.write("\u{07}")
      return
    }
    let start = max(0, buffer.cursor - set.replacedCount)
    let typed = String(buffer.characters[start..<buffer.cursor])
    if let only = set.completions.first, set.completions.count == 1 {
      let hasSpace = buffer.cursor < buffer.characters.count && buffer.characters[buffer.cursor] == " "
      buffer.replace(start..<buffer.cursor, with: only.text + (only.isWhole && !hasSpace ? " " : ""))
      return
    }
    let common = Self.commonPrefix(of: set.completions.map(\.text))
    if common.count > typed.count {
      buffer.replace(start..<buffer.cursor, with: common)
    } else {
      list(set.completions.map(\.label))
    }
  }

  private func list(_ labels: [String]) {
    let shown = labels.prefix(Self.longestList).map { TextSanitizer.line($0) }
    let widest = min((shown.map { CharacterWidth.columns(of: $0) }.max() ?? 1) + 2, terminal.size.columns)
    let columnCount = max(1, terminal.size.columns / widest)
    let rowCount = (shown.count + columnCount - 1) / columnCount
    var text = ""
    for row in 0..<rowCount {
      var line = ""
      for index in stride(from: row, to: shown.count, by: rowCount) {
        let label = CharacterWidth.truncated(shown[index], to: widest - 1)
        let isLast = index + rowCount >= shown.count
        line += label + (isLast ? "" : String(repeating: " ", count: widest - CharacterWidth.columns(of: label)))
      }
      text += line + "\r\n"
    }
    if labels.count > shown.count { text += dim("… and \(labels.count - shown.count) more") + "\r\n" }
    draw(withHint: false)
    writeBelow(text)
  }

  static func commonPrefix(of texts: [String]) -> String {
    guard var prefix = texts.first else { return "" }
    for text in texts.dropFirst() {
      prefix = String(zip(prefix, text).prefix { $0 == $1 }.map(\.0))
    }
    return prefix
  }
}
