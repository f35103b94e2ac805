import Documents

/// Collects lines into pages until a limit is reached.
struct PageBuilder {
  private(set) var pages: [DocumentPage] = []
  /// Limit that was reached; later lines are dropped.
  private(set) var cut: ReadingCut?
  /// Number of pages begun or announced, dropped ones included.
  private(set) var pageCount = 0
  private var lines: [DocumentLine] = []
  private var label: String?
  private var isOpen = false
  private var characterCount = 0
  private let limits: ReadingLimits

  init(limits: ReadingLimits) { self.limits = limits }

  /// Indicates whether later lines are dropped, so that reading can stop.
  var isFull: Bool { cut != nil }

  /// Begins a page; lines added before the first call are on page 1.
  mutating func beginPage(label: String? = nil) {
    endPage()
    pageCount += 1
    if pageCount > limits.pageCount, cut == nil { cut = .pageLimit }
    self.label = label
    isOpen = true
  }

  /// Names the page that is open.
  mutating func labelPage(_ label: String) { self.label = label }

  /// Adds a line; line breaks in it become spaces.
  mutating func add(_ text: String, role: LineRole = .body, startsBlock: Bool = false, isHidden: Bool = false) {
    if !isOpen { beginPage() }
    if cut != nil { return }
    characterCount += text.utf8.count { $0 & 0xC0 != 0x80 }
    if characterCount > limits.characterCount {
      cut = .characterLimit
      return
    }
    lines.append(DocumentLine(LineText.clean(text), role: role, startsBlock: startsBlock, isHidden: isHidden))
  }

  /// Marks the text as cut for a reason of the caller's.
  mutating func stop(_ reason: ReadingCut) {
    if cut == nil { cut = reason }
  }

  private mutating func endPage() {
    if isOpen, pageCount <= limits.pageCount, cut == nil || !lines.isEmpty {
      LineEnds.separateFields(&lines)
      pages.append(DocumentPage(number: pageCount, label: label, lines: lines))
    }
    lines = []
  }

  /// Ends the last page and returns the document.
  /// - Throws: `.emptyText` where no line holds text.
  mutating func document(
    _ kind: DocumentKind, title: String? = nil, author: String? = nil
  ) throws(ReadingFailure) -> ExtractedDocument {
    endPage()
    isOpen = false
    guard pages.contains(where: { $0.lines.contains { !LineText.isBlank($0.text) } }) else {
      if cut == .characterLimit { throw .limit(.characters, limits.characterCount) }
      throw .emptyText(pageCount: max(pageCount, 1))
    }
    func stated(_ text: String?) -> String? {
      text.map { LineText.collapsed($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    return ExtractedDocument(
      kind: kind, title: stated(title), author: stated(author), pageCount: max(pageCount, 1), pages: pages,
      cut: cut)
  }
}
