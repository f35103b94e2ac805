/// Document as a reader extracted it from one file: its pages of lines, title and author.
package struct ExtractedDocument: Sendable, Equatable {
  /// Form of the file.
  package var kind: DocumentKind
  /// Title that the file states, if any.
  package var title: String?
  /// Author that the file states, if any.
  package var author: String?
  /// Number of pages of the file; ``pages`` holds fewer where a limit cut it short.
  package var pageCount: Int
  /// Pages that were read, in order.
  package var pages: [DocumentPage]
  /// Reason that reading stopped early; nil where the whole file was read.
  package var cut: ReadingCut?

  /// Makes a document from its parts.
  package init(
    kind: DocumentKind, title: String? = nil, author: String? = nil, pageCount: Int, pages: [DocumentPage],
    cut: ReadingCut? = nil
  ) {
    self.kind = kind
    self.title = title
    self.author = author
    self.pageCount = pageCount
    self.pages = pages
    self.cut = cut
  }
}

/// Limit that ended the reading of a file before its end.
package enum ReadingCut: String, Sendable, Equatable, Codable {
  case pageLimit = "page-limit"
  case characterLimit = "character-limit"
  /// Processor time of one file nearly used up.
  case timeLimit = "time-limit"
  /// Pages unreadable because the file is damaged there.
  case damagedPages = "damaged-pages"
}

/// Forms of file that can be read.
package enum DocumentKind: String, Sendable, CaseIterable, Codable {
  case pdf, text, markdown, restructuredText = "restructured-text", sourceCode = "source-code", csv, tsv, json
  case jsonLines = "json-lines", html, docx, odt, epub, pptx, odp, xlsx, ods

  /// Indicates whether pages are the file's own (a PDF's pages, slides, sheets, chapters) and so worth naming in a
  /// citation.
  package var hasPages: Bool {
    switch self {
    case .pdf, .pptx, .odp, .xlsx, .ods, .epub: true
    default: false
    }
  }
}

/// Page, or the whole of a file without pages.
package struct DocumentPage: Sendable, Equatable {
  /// Position in the file, from 1.
  package var number: Int
  /// Name printed on the page ("xii"), or of the slide, sheet or chapter, where it differs from ``number``.
  package var label: String?
  /// Lines in reading order. A line's number in a citation is its place here, from 1.
  package var lines: [DocumentLine]

  /// Makes a page.
  package init(number: Int, label: String? = nil, lines: [DocumentLine]) {
    self.number = number
    self.label = label
    self.lines = lines
  }
}

/// Line as the file has it: never normalised, never containing a line feed.
package struct DocumentLine: Sendable, Equatable {
  /// Text as printed; a citation quotes exactly these bytes.
  package var text: String
  /// Role of the line.
  package var role: LineRole
  /// Indicates whether a new paragraph, list item, row or heading begins here.
  package var startsBlock: Bool
  /// Indicates whether a reader could not see it (invisible, white or tiny text): indexed, but marked.
  package var isHidden: Bool

  /// Makes a line.
  package init(_ text: String, role: LineRole = .body, startsBlock: Bool = false, isHidden: Bool = false) {
    self.text = text
    self.role = role
    self.startsBlock = startsBlock
    self.isHidden = isHidden
  }
}

/// Role of a line.
package enum LineRole: Sendable, Hashable {
  case body
  /// Heading, from level 1 (the document's title) to 6.
  case heading(level: Int)
  case listItem
  /// Row that names a table's columns.
  case tableHeader
  case tableRow
  case code
  /// Header or footer that repeats from page to page; shown, but not part of any passage.
  case running
}
