import Documents

/// Reads plain text: paragraphs between blank lines or at indents, lists, titles underlined with `===` or `---`.
struct PlainTextReader {
  func read(_ lines: [String], into builder: inout PageBuilder) {
    let isWrapped = Self.isWrapped(lines)
    let ends = LineEnds(lines)
    var (isAfterBreak, isInList, isUnderline) = (true, false, false)
    var previousIndent = 0
    for (index, line) in lines.enumerated() where !builder.isFull {
      let content = line.trimmed
      if content.isEmpty {
        builder.add(line)
        (isAfterBreak, isInList) = (true, false)
        continue
      }
      if isUnderline {
        builder.add(line, role: .running)
        (isUnderline, isAfterBreak) = (false, true)
        continue
      }
      let next = index + 1 < lines.count ? lines[index + 1] : ""
      if isAfterBreak, let level = Underline.level(under: content, next.trimmed) {
        builder.add(line, role: .heading(level: level), startsBlock: true)
        isUnderline = true
        continue
      }
      let indent = line.prefix { $0 == " " || $0 == "\t" }.utf8.count
      if ListMark.begins(content) {
        builder.add(line, role: .listItem, startsBlock: true)
        isInList = true
      } else if isInList, !isAfterBreak, indent >= previousIndent {
        builder.add(line, role: .listItem)
      } else {
        let isIndented = indent > previousIndent && indent > 1 && !ends.goesOn(index)
        builder.add(line, startsBlock: isAfterBreak || !isWrapped || isIndented || ends.isOwn(index))
        isInList = false
      }
      (isAfterBreak, previousIndent) = (false, indent)
    }
  }

  /// Indicates whether paragraphs run over several lines; otherwise each line is one.
  private static func isWrapped(_ lines: [String]) -> Bool {
    var (long, all) = (0, 0)
    for line in lines.prefix(2_000) {
      let count = line.unicodeScalars.count
      all += count
      if count > LineEnds.widestProse { long += count }
    }
    return long * 2 <= all
  }
}

/// Underlined titles of plain text and Markdown.
enum Underline {
  /// Returns the level of the heading, or nil where the second line does not underline the first.
  static func level(under title: String, _ line: String) -> Int? {
    guard line.utf8.count >= 3, title.unicodeScalars.contains(where: \.properties.isAlphabetic),
      line.utf8.count + 3 >= title.count
    else { return nil }
    if line.allSatisfy({ $0 == "=" }) { return 1 }
    return line.allSatisfy { $0 == "-" } ? 2 : nil
  }
}

/// Reads code: every line stays as it is; a block begins where an unindented line follows a blank one.
struct SourceCodeReader {
  func read(_ text: DecodedText, into builder: inout PageBuilder) {
    var isAfterBlank = true
    text.forEachLine { line in
      let isBlank = line.trimmed.isEmpty
      let isIndented = line.utf8.first == 0x20 || line.utf8.first == 0x09
      builder.add(line, role: .code, startsBlock: isAfterBlank && !isBlank && !isIndented)
      isAfterBlank = isBlank || (isAfterBlank && isIndented)
      return !builder.isFull
    }
  }
}
