import Documents

/// Reads ODT, ODS and ODP: text with headings, lists and tables; sheets and slides are pages.
struct OpenDocumentReader {
  let kind: DocumentKind
  let limits: ReadingLimits

  func read(_ archive: inout ZipArchive) throws(ReadingFailure) -> ExtractedDocument {
    if let manifest = try archive.read("META-INF/manifest.xml") {
      var scanner = try XMLScanner(manifest, part: "manifest.xml")
      while let token = try scanner.next() {
        if case .start(let element) = token, element.name == "encryption-data" { throw .encrypted }
      }
    }
    guard let content = try archive.read("content.xml") else { throw .damaged(detail: "no content.xml") }
    var styles = OpenDocumentStyles()
    if let common = try archive.read("styles.xml") { try styles.read(common, part: "styles.xml") }
    try styles.read(content, part: "content.xml")
    var flow = OpenDocumentFlow(kind: kind, styles: styles, builder: PageBuilder(limits: limits))
    if kind == .odt { flow.builder.beginPage() }
    try flow.read(content)
    let properties = try OfficePackage.properties(of: &archive, part: "meta.xml")
    return try flow.builder.document(kind, title: properties.title, author: properties.author)
  }
}

/// Styles that are titles, styles that hide text, and numbered lists.
struct OpenDocumentStyles {
  private var parents: [String: String] = [:]
  private var hidden: Set<String> = []
  private var numbered: [String: [Int: (suffix: String, format: String)]] = [:]

  mutating func read(_ content: [UInt8], part: String) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: part)
    var (style, list) = ("", "")
    while let token = try scanner.next() {
      guard case .start(let element) = token else { continue }
      switch element.name {
      case "style":
        style = element["name"] ?? ""
        parents[style] = element["parent-style-name"] ?? element["display-name"]
      case "text-properties": if element["display"] == "none" { hidden.insert(style) }
      case "list-style": list = element["name"] ?? ""
      case "list-level-style-number":
        let level = element["level"].flatMap { Int($0) } ?? 1
        numbered[list, default: [:]][level] = (element["num-suffix"] ?? ".", element["num-format"] ?? "1")
      case "body": return
      default: break
      }
    }
  }

  /// Indicates whether the style is the title's, or based on it.
  func isTitle(_ name: String) -> Bool {
    var (name, steps) = (name, 0)
    while steps < 20 {
      if name == "Title" { return true }
      guard let parent = parents[name] else { return false }
      (name, steps) = (parent, steps + 1)
    }
    return false
  }

  /// Indicates whether text in the style is not shown.
  func isHidden(_ name: String) -> Bool { hidden.contains(name) }

  /// Returns the list mark of an item by its number.
  func mark(list: String, level: Int, number: Int) -> String {
    guard let style = numbered[list]?[level] else { return "• " }
    let formats = ["a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"]
    return Ordinal.text(number, format: formats[style.format] ?? "decimal") + style.suffix + " "
  }
}

/// Turns an OpenDocument body into lines.
private struct OpenDocumentFlow {
  let kind: DocumentKind
  let styles: OpenDocumentStyles
  var builder: PageBuilder

  private struct List {
    var style: String
    var number = 0
    var isMarkPending = false
  }

  private struct Table {
    var rows: [(cells: [String], isHeader: Bool)] = []
    var cells: [String] = []
    var cell: String?
    var repeatCount = 1
    var isInHeader = false
  }

  private struct Paragraph {
    var text = ""
    var role = LineRole.body
    var isHidden = false
    var notes: [String] = []
  }

  private var paragraphs: [Paragraph] = []
  private var lists: [List] = []
  private var tables: [Table] = []
  private var notes: [String] = []
  private var noteCount = 0
  private var sheet: SheetWriter?
  private var row = 0
  private var rowRepeat = 1
  private var column = 0

  init(kind: DocumentKind, styles: OpenDocumentStyles, builder: PageBuilder) {
    (self.kind, self.styles, self.builder) = (kind, styles, builder)
  }

  mutating func read(_ content: [UInt8]) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: "content.xml")
    var isInBody = false
    while !builder.isFull, let token = try scanner.next() {
      switch token {
      case .start(let element):
        if element.name == "body" { isInBody = true }
        guard isInBody else { continue }
        if ["tracked-changes", "annotation", "annotation-end", "hidden-text", "forms", "title", "desc"]
          .contains(element.name)
        {
          try scanner.skip()
        } else {
          start(element)
        }
      case .text(let text): if isInBody, !paragraphs.isEmpty { paragraphs[paragraphs.count - 1].text += text }
      case .end(let name): if isInBody { end(name) }
      }
    }
  }

  private mutating func start(_ element: XMLScanner.Element) {
    switch element.name {
    case "p", "h": startParagraph(element)
    case "s":
      let count = min(element["c"].flatMap { Int($0) } ?? 1, 100)
      append(String(repeating: " ", count: max(count, 0)))
    case "tab": append("\t")
    case "line-break": append("\n")
    case "list":
      if lists.count < 32 { lists.append(List(style: element["style-name"] ?? lists.last?.style ?? "")) }
    case "list-item":
      guard !lists.isEmpty else { return }
      lists[lists.count - 1].number += 1
      lists[lists.count - 1].isMarkPending = true
    case "note-body": notes.append("")
    case "note-citation": if !paragraphs.isEmpty { paragraphs.append(Paragraph()) }
    case "page" where kind == .odp: builder.beginPage(label: element["name"])
    case "table": startTable(element)
    case "table-header-rows": if !tables.isEmpty { tables[tables.count - 1].isInHeader = true }
    case "table-row": startRow(element)
    case "table-cell", "covered-table-cell": startCell(element)
    default: break
    }
  }

  private mutating func append(_ text: String) {
    if !paragraphs.isEmpty { paragraphs[paragraphs.count - 1].text += text }
  }

  private mutating func startParagraph(_ element: XMLScanner.Element) {
    guard paragraphs.count < 64 else { return }
    var paragraph = Paragraph()
    let style = element["style-name"] ?? ""
    if element.name == "h" {
      paragraph.role = .heading(level: min(max(element["outline-level"].flatMap { Int($0) } ?? 1, 1), 6))
    } else if styles.isTitle(style) || element["class"] == "title" {
      paragraph.role = .heading(level: 1)
    } else if !lists.isEmpty {
      paragraph.role = .listItem
    }
    paragraph.isHidden = styles.isHidden(style)
    paragraphs.append(paragraph)
  }

  private mutating func end(_ name: String) {
    switch name {
    case "p", "h": if let paragraph = paragraphs.popLast() { write(paragraph) }
    case "list": _ = lists.popLast()
    case "note-citation": if paragraphs.count > 1 { paragraphs.removeLast() }
    case "note-body":
      guard let note = notes.popLast(), !paragraphs.isEmpty, !LineText.isBlank(note) else { return }
      noteCount += 1
      append("[\(noteCount)]")
      paragraphs[paragraphs.count - 1].notes.append("[\(noteCount)] " + LineText.collapsed(note))
    case "table-header-rows": if !tables.isEmpty { tables[tables.count - 1].isInHeader = false }
    case "table-cell", "covered-table-cell": endCell()
    case "table-row": endRow()
    case "table": endTable()
    default: break
    }
  }

  private mutating func write(_ paragraph: Paragraph) {
    if !notes.isEmpty {
      notes[notes.count - 1] += " " + paragraph.text
      return
    }
    if let cell = tables.last?.cell {
      tables[tables.count - 1].cell = TableText.joined(
        cell, ([paragraph.text] + paragraph.notes).joined(separator: "\n"))
      return
    }
    if kind == .ods { return }
    var mark = ""
    if paragraph.role == .listItem, let list = lists.last, list.isMarkPending {
      mark = styles.mark(list: list.style, level: lists.count, number: list.number)
      lists[lists.count - 1].isMarkPending = false
    }
    var isFirst = true
    for line in paragraph.text.split(separator: "\n") where !LineText.isBlank(line) {
      builder.add(
        (isFirst ? mark : "") + LineText.collapsed(line), role: paragraph.role, startsBlock: isFirst,
        isHidden: paragraph.isHidden)
      isFirst = false
    }
    for note in paragraph.notes { builder.add(note, startsBlock: true) }
  }

  // MARK: Tables and sheets

  private mutating func startTable(_ element: XMLScanner.Element) {
    if kind == .ods, tables.isEmpty {
      builder.beginPage(label: element["name"])
      sheet = SheetWriter(isHidden: false)
      row = 0
    }
    if tables.count < 64 { tables.append(Table()) }
  }

  private mutating func startRow(_ element: XMLScanner.Element) {
    rowRepeat = max(element["number-rows-repeated"].flatMap { Int($0) } ?? 1, 1)
    column = 0
  }

  private mutating func startCell(_ element: XMLScanner.Element) {
    guard !tables.isEmpty else { return }
    tables[tables.count - 1].cell = ""
    tables[tables.count - 1].repeatCount = max(element["number-columns-repeated"].flatMap { Int($0) } ?? 1, 1)
  }

  private mutating func endCell() {
    guard let table = tables.last, let cell = table.cell else { return }
    tables[tables.count - 1].cell = nil
    let isBlank = LineText.isBlank(cell)
    if sheet != nil, tables.count == 1 {
      for offset in 0..<(isBlank ? 0 : min(table.repeatCount, 256)) {
        sheet?.add(cell, column: column + 1 + offset)
      }
      column = min(column &+ table.repeatCount, 1 << 20)
    } else {
      for _ in 0..<(isBlank ? min(table.repeatCount, 8) : min(table.repeatCount, 64)) {
        tables[tables.count - 1].cells.append(cell)
      }
    }
  }

  private mutating func endRow() {
    guard let table = tables.last else { return }
    if sheet != nil, tables.count == 1 {
      sheet?.endRow(row + 1, into: &builder)
      row = min(row &+ rowRepeat, 1 << 21)
      return
    }
    if !table.cells.allSatisfy({ LineText.isBlank($0) }) {
      tables[tables.count - 1].rows.append((table.cells, table.isInHeader))
    }
    tables[tables.count - 1].cells = []
  }

  private mutating func endTable() {
    guard let table = tables.popLast() else { return }
    if sheet != nil, tables.isEmpty {
      sheet?.finish(into: &builder)
      sheet = nil
      return
    }
    if let cell = tables.last?.cell {
      tables[tables.count - 1].cell = table.rows.reduce(cell) { TableText.joined($0, TableText.row($1.cells)) }
    } else {
      builder.add(table: table.rows)
    }
  }
}
