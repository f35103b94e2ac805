import Documents

/// Reads Markdown (CommonMark with tables and front matter) line by line; lines keep their marks.
struct MarkdownReader {
  /// - Returns: the title that the text states; else its first heading.
  func read(_ lines: [String], into builder: inout PageBuilder) -> String? {
    var state = State(lines: lines)
    while state.index < lines.count, !builder.isFull {
      let line = state.line()
      builder.add(lines[state.index], role: line.role, startsBlock: line.startsBlock)
      state.index += 1
    }
    return state.title ?? state.firstHeading
  }

  private struct State {
    let lines: [String]
    private let ends: LineEnds
    var index = 0
    var title: String?
    var firstHeading: String?
    private var fence: (mark: Character, count: Int)?
    private var isInFrontMatter = false
    private var isInTable = false
    private var isInList = false
    private var isInCode = false
    private var isUnderline = false
    private var isAfterBreak = true

    init(lines: [String]) {
      self.lines = lines
      ends = LineEnds(lines)
    }

    private var next: String { index + 1 < lines.count ? lines[index + 1] : "" }

    mutating func line() -> (role: LineRole, startsBlock: Bool) {
      let line = lines[index]
      let content = line.trimmed
      let found = classify(line, content)
      isAfterBreak = content.isEmpty || found.role == .running
      if case .heading = found.role { isAfterBreak = true }
      return found
    }

    private mutating func classify(_ line: String, _ content: String) -> (role: LineRole, startsBlock: Bool) {
      if let front = frontMatter(content) { return front }
      if let code = fencedCode(line, content) { return code }
      if isUnderline {
        isUnderline = false
        return (.running, true)
      }
      if content.isEmpty {
        isInTable = false
        return (.body, false)
      }
      let indent = line.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
      if indent >= 4, !isInList, isAfterBreak || isInCode {
        defer { isInCode = true }
        return (.code, !isInCode)
      }
      isInCode = false
      if indent < 4, let level = Self.headingLevel(content) { return heading(content.trimming("#"), level) }
      if let row = tableRow(content) { return row }
      if Self.isRule(content) { return (.running, true) }
      if ListMark.begins(content) {
        isInList = true
        return (.listItem, true)
      }
      if isInList, indent >= 2 || !isAfterBreak { return (.listItem, isAfterBreak) }
      isInList = false
      if isAfterBreak, indent < 4, let level = Self.setextLevel(next.trimmed), !content.hasPrefix(">") {
        isUnderline = true
        return heading(content, level)
      }
      return (.body, isAfterBreak || ends.isOwn(index))
    }

    private mutating func heading(_ text: String, _ level: Int) -> (LineRole, Bool) {
      (isInList, isInTable) = (false, false)
      if firstHeading == nil { firstHeading = text }
      return (.heading(level: level), true)
    }

    private mutating func frontMatter(_ content: String) -> (LineRole, Bool)? {
      if index == 0, content == "---", lines.dropFirst().prefix(200).contains(where: { $0.trimmed == "---" }) {
        isInFrontMatter = true
        return (.running, true)
      }
      guard isInFrontMatter else { return nil }
      if content == "---" || content == "..." {
        isInFrontMatter = false
        return (.running, true)
      }
      if title == nil, content.lowercased().hasPrefix("title:") {
        title = content.dropFirst(6).trimmed.trimming("\"").trimming("'")
      }
      return (.body, true)
    }

    private mutating func fencedCode(_ line: String, _ content: String) -> (LineRole, Bool)? {
      let mark = content.first ?? " "
      let count = content.prefix { $0 == mark }.count
      if let open = fence {
        if mark == open.mark, count >= open.count, content.count == count { fence = nil }
        return (.code, false)
      }
      guard mark == "`" || mark == "~", count >= 3, !content.dropFirst(count).contains("`") else { return nil }
      fence = (mark, count)
      return (.code, true)
    }

    private mutating func tableRow(_ content: String) -> (LineRole, Bool)? {
      if isInTable {
        if Self.isTableRule(content) { return (.running, false) }
        if content.contains("|") { return (.tableRow, true) }
        isInTable = false
      }
      guard content.contains("|"), Self.isTableRule(next.trimmed) else { return nil }
      isInTable = true
      return (.tableHeader, true)
    }

    private static func headingLevel(_ content: String) -> Int? {
      let count = content.prefix { $0 == "#" }.count
      guard (1...6).contains(count) else { return nil }
      let rest = content.dropFirst(count)
      return rest.first == " " || rest.first == "\t" ? count : nil
    }

    private static func setextLevel(_ content: String) -> Int? {
      guard content.utf8.count >= 2 else { return nil }
      if content.allSatisfy({ $0 == "=" }) { return 1 }
      return content.allSatisfy { $0 == "-" } ? 2 : nil
    }

    private static func isRule(_ content: String) -> Bool {
      let marks = content.filter { $0 != " " }
      guard marks.count >= 3, let mark = marks.first, "-*_".contains(mark) else { return false }
      return marks.allSatisfy { $0 == mark }
    }

    private static func isTableRule(_ content: String) -> Bool {
      content.contains("-") && content.contains("|") && content.allSatisfy { "|:- \t".contains($0) }
    }
  }
}

extension String {
  /// Returns the text without runs of the character and white space at its ends.
  fileprivate func trimming(_ mark: Character) -> String {
    let start = drop { $0 == mark }
    return String(start.reversed().drop { $0 == mark }.reversed()).trimmed
  }
}
