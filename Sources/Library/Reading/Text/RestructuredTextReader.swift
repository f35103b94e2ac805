import Documents

/// Reads reStructuredText line by line; lines stay as written.
struct RestructuredTextReader {
  /// - Returns: the first title.
  func read(_ lines: [String], into builder: inout PageBuilder) -> String? {
    var state = State(lines: lines)
    for index in lines.indices where !builder.isFull {
      let line = state.classify(index)
      builder.add(lines[index], role: line.role, startsBlock: line.startsBlock)
    }
    return state.title
  }

  private struct State {
    let lines: [String]
    var title: String?
    private var styles: [String] = []
    private var underline: Int?
    /// Indent beyond which lines belong to a literal block.
    private var literalIndent: Int?
    private var isLiteralNext = false
    private var isInTable = false
    private var tableBorderCount = 0
    private var isInList = false
    private var isAfterBreak = true

    init(lines: [String]) { self.lines = lines }

    mutating func classify(_ index: Int) -> (role: LineRole, startsBlock: Bool) {
      let content = lines[index].trimmed
      let found = role(index, content)
      isAfterBreak = content.isEmpty || found.role == .running
      if case .heading = found.role { isAfterBreak = true }
      return found
    }

    private mutating func role(_ index: Int, _ content: String) -> (role: LineRole, startsBlock: Bool) {
      if content.isEmpty { return (.body, false) }
      let indent = lines[index].prefix { $0 == " " || $0 == "\t" }.utf8.count
      if let limit = literalIndent {
        if indent > limit {
          defer { isLiteralNext = false }
          return (.code, isLiteralNext)
        }
        literalIndent = nil
      }
      if underline == index { return (.running, true) }
      if let heading = heading(index, content) { return heading }
      if let table = table(index, content) { return table }
      if content.hasPrefix("..") && (content.count == 2 || content.dropFirst(2).first == " ") {
        return directive(content, indent: indent)
      }
      if content.hasSuffix("::") { (literalIndent, isLiteralNext) = (indent, true) }
      if ListMark.begins(content) || content.hasPrefix("#. ") || content.hasPrefix("| ") {
        isInList = true
        return (.listItem, true)
      }
      if isInList, indent > 0 { return (.listItem, isAfterBreak) }
      isInList = false
      let isField = content.first == ":" && content.dropFirst().contains(":")
      return (.body, isAfterBreak || isField)
    }

    private mutating func directive(_ content: String, indent: Int) -> (role: LineRole, startsBlock: Bool) {
      let name = content.dropFirst(2).trimmed
      let isCode = [
        "code", "sourcecode", "parsed-literal", "literalinclude", "highlight", "math", "raw", "productionlist",
      ]
      .contains { name.hasPrefix($0) && name.contains("::") }
      let isComment = !name.contains("::") && !name.hasPrefix("_") && !name.hasPrefix("[") && !name.hasPrefix("|")
      if isCode { (literalIndent, isLiteralNext) = (indent, true) }
      return (isComment || isCode ? .running : .body, true)
    }

    private func adornment(_ text: String) -> Character? {
      guard let first = text.first, first.isASCII, first.isPunctuation || first.isSymbol, text.utf8.count >= 2,
        text.allSatisfy({ $0 == first })
      else { return nil }
      return first
    }

    private mutating func heading(_ index: Int, _ content: String) -> (LineRole, Bool)? {
      let next = index + 1 < lines.count ? lines[index + 1].trimmed : ""
      let isOverlined = index > 0 && adornment(lines[index - 1].trimmed) != nil
      if let mark = adornment(content) {
        // Overline: the title and the same line again follow.
        let closing = index + 2 < lines.count ? lines[index + 2].trimmed : ""
        return isAfterBreak && adornment(closing) == mark && closing.count == content.count && !next.isEmpty
          ? (.running, true) : content.count >= 4 && isAfterBreak && next.isEmpty ? (.running, true) : nil
      }
      guard isAfterBreak, let mark = adornment(next), next.count >= min(content.count, 3), mark != ":",
        next.count + 1 >= content.count, !content.hasPrefix("..")
      else { return nil }
      let style = (isOverlined ? "over" : "") + String(mark)
      if !styles.contains(style) { styles.append(style) }
      let level = (styles.firstIndex(of: style) ?? 0) + 1
      if title == nil { title = content }
      underline = index + 1
      isInList = false
      return (.heading(level: min(level, 6)), true)
    }

    private mutating func table(_ index: Int, _ content: String) -> (LineRole, Bool)? {
      let isGrid = content.hasPrefix("+") && content.allSatisfy { "+-= ".contains($0) } && content.count > 2
      let isSimple = content.contains("= =") || content.contains("=  =")
      if isGrid || (isSimple && content.allSatisfy { "= ".contains($0) }) {
        if !isInTable { tableBorderCount = 0 }
        tableBorderCount += 1
        isInTable = isSimple ? tableBorderCount < 3 : true
        return (.running, false)
      }
      guard isInTable else { return nil }
      if content.hasPrefix("|") {
        let rest = lines[index...].prefix(20)
        let isHeader =
          tableBorderCount == 1
          && rest.first { $0.trimmed.hasPrefix("+") }?.contains("=") ?? false
        return (isHeader ? .tableHeader : .tableRow, true)
      }
      if tableBorderCount > 0, lines[..<index].last(where: { !$0.trimmed.isEmpty })?.contains("=") ?? false,
        tableBorderCount == 1
      {
        return (.tableHeader, true)
      }
      if tableBorderCount <= 2, !lines[index].hasPrefix("+") { return (.tableRow, true) }
      isInTable = false
      return nil
    }
  }
}
