import Documents

/// Finds the headers and footers that repeat from page to page, and page numbers.
enum RunningLines {
  /// Number of lines from the top and from the bottom of a page that can be running lines.
  private static let depth = 3
  /// Largest distance in pages of a repeated line: neighbours, and the next page of the same side (odd or even).
  private static let reach = 4

  /// Marks running lines; a document whose pages hold little else keeps all as body.
  static func mark(_ pages: inout [PrintedPage]) {
    let candidates = pages.map(Candidate.all(of:))
    var running: [[Int]] = []
    var emptied = 0
    for index in pages.indices {
      let near = candidates[max(0, index - reach)...min(pages.count - 1, index + reach)]
      let lines = candidates[index].filter { candidate in
        candidate.isPageNumber(of: pages[index]) || repeats(candidate, near, pageCount: pages.count)
      }
      running.append(lines.map(\.line))
      if lines.count == pages[index].lines.count, !lines.isEmpty { emptied += 1 }
    }
    if emptied * 5 > pages.count { return }
    for (index, lines) in running.enumerated() where lines.count < pages[index].lines.count {
      for line in lines {
        pages[index].lines[line].role = .running
        pages[index].lines[line].startsBlock = true
      }
    }
  }

  private static func repeats(
    _ candidate: Candidate, _ near: ArraySlice<[Candidate]>, pageCount: Int
  ) -> Bool {
    var count = 0
    for other in near.joined() where other.page != candidate.page && candidate.matches(other) { count += 1 }
    return pageCount > 2 ? count >= 2 : count == 1 && candidate.isInMargin
  }

  /// Line near the top or the bottom of its page.
  private struct Candidate {
    let page: Int
    let line: Int
    let text: String
    let numbers: [Int]
    let box: PrintedLine.Box
    let isInMargin: Bool

    static func all(of page: PrintedPage) -> [Candidate] {
      let placed = page.lines.indices.compactMap { index in page.lines[index].box.map { (index, $0) } }
      let downwards = placed.sorted { ($0.1.top, $0.0) < ($1.1.top, $1.0) }
      let outer = downwards.count <= 2 * depth ? downwards[...] : downwards.prefix(depth) + downwards.suffix(depth)
      return outer.compactMap { line, box in
        // Outside the usual margins a running line must be the first or last and stand alone.
        let isLast = line == downwards.last?.0 && downwards.count > 1
        let isFirst = line == downwards.first?.0 && downwards.count > 1
        let gap =
          isLast
          ? box.top - downwards[downwards.count - 2].1.bottom : isFirst ? downwards[1].1.top - box.bottom : -1
        return Candidate(page, line: line, box: box, standsAlone: gap > 1.2 * box.height)
      }
    }

    private init?(_ page: PrintedPage, line: Int, box: PrintedLine.Box, standsAlone: Bool) {
      let text = page.lines[line].text
      if text.utf8.count > 200 { return nil }
      (self.page, self.line, self.box) = (page.number, line, box)
      var (mask, numbers, digits) = ("", [Int](), "")
      for character in text.trimmed + " " {
        if let digit = character.wholeNumberValue, character.isASCII, digits.count < 9 {
          digits.append(String(digit))
        } else {
          if !digits.isEmpty {
            numbers.append(Int(digits) ?? 0)
            mask.append("#")
            digits = ""
          }
          mask.append(character)
        }
      }
      (self.text, self.numbers) = (mask, numbers)
      let height = page.extent.height
      isInMargin =
        standsAlone || box.bottom < page.extent.top + 0.12 * height || box.top > page.extent.bottom - 0.12 * height
    }

    /// Indicates whether the other line has the same text at the same height, except for page numbers.
    func matches(_ other: Candidate) -> Bool {
      guard text == other.text, abs(box.top - other.box.top) < 6, isInMargin == other.isInMargin else {
        return false
      }
      return zip(numbers, other.numbers).allSatisfy { own, its in
        own == its || (isInMargin && own - its == page - other.page)
      }
    }

    /// Indicates whether the line is only the page's number or label, in the margin.
    func isPageNumber(of page: PrintedPage) -> Bool {
      guard isInMargin, text.count <= 24 else { return false }
      let words = text.split { !$0.isLetter && $0 != "#" }.map { $0.lowercased() }
      let allowed: Set = ["#", "page", "seite", "pagina", "página", "p", "s", "of", "von", "de", "di", "sur"]
      if !words.isEmpty, words.allSatisfy(allowed.contains), numbers.first == page.number { return true }
      guard let label = page.label else { return false }
      return page.lines[line].text.trimmed == label
    }
  }
}
