/// What a reader made of one file: its pages of lines, and what it says of itself.
package struct ExtractedDocument: Sendable, Equatable {
  /// The form the file is in.
  package var kind: DocumentKind
  /// The title that the file states, if any.
  package var title: String?
  /// The author that the file states, if any.
  package var author: String?
  /// How many pages the file has; ``pages`` holds fewer when a limit cut it short.
  package var pageCount: Int
  /// The pages that were read, in order.
  package var pages: [DocumentPage]
  /// Why reading stopped early; nil where the whole file was read.
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

/// The limit that ended the reading of a file before its end.
package enum ReadingCut: String, Sendable, Equatable, Codable {
  case pageLimit = "page-limit"
  case characterLimit = "character-limit"
  /// The processor time of one file was nearly spent.
  case timeLimit = "time-limit"
  /// Pages behind this one could not be read because the file is damaged there.
  case damagedPages = "damaged-pages"
}

/// The forms of file that can be read.
package enum DocumentKind: String, Sendable, CaseIterable, Codable {
  case pdf, text, markdown, restructuredText = "restructured-text", sourceCode = "source-code", csv, tsv, json
  case jsonLines = "json-lines", html, docx, odt, epub, pptx, odp, xlsx, ods

  /// Whether pages are the file's own (a PDF's pages, slides, sheets, chapters) and so worth naming in a citation.
  package var hasPages: Bool {
    switch self {
    case .pdf, .pptx, .odp, .xlsx, .ods, .epub: true
    default: false
    }
  }
}

/// One page, or the whole of a file that has none.
package struct DocumentPage: Sendable, Equatable {
  /// The position in the file, from 1.
  package var number: Int
  /// The name printed on the page ("xii"), or of the slide, sheet or chapter, where it differs from ``number``.
  package var label: String?
  /// The lines in reading order. A line's number in a citation is its place here, from 1.
  package var lines: [DocumentLine]

  /// Makes a page.
  package init(number: Int, label: String? = nil, lines: [DocumentLine]) {
    self.number = number
    self.label = label
    self.lines = lines
  }
}

/// One line as the file has it: never normalised, never containing a line feed.
package struct DocumentLine: Sendable, Equatable {
  /// The text as printed; a citation quotes exactly these bytes.
  package var text: String
  /// What the line is for.
  package var role: LineRole
  /// Whether a new paragraph, list item, row or heading begins here.
  package var startsBlock: Bool
  /// Whether a person could not see it (invisible, white or tiny text): indexed, but marked.
  package var isHidden: Bool

  /// Makes a line.
  package init(_ text: String, role: LineRole = .body, startsBlock: Bool = false, isHidden: Bool = false) {
    self.text = text
    self.role = role
    self.startsBlock = startsBlock
    self.isHidden = isHidden
  }
}

/// What a line is for.
package enum LineRole: Sendable, Hashable {
  case body
  /// A heading, from level 1 (the document's title) downwards to 6.
  case heading(level: Int)
  case listItem
  /// The row that names a table's columns.
  case tableHeader
  case tableRow
  case code
  /// A header or footer that repeats from page to page; shown, but not part of any passage.
  case running
}
