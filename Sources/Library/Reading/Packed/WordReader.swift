import Documents

/// Reads DOCX: paragraphs with headings, list marks, tables row by row, notes behind the paragraph that calls them.
struct WordReader {
  let limits: ReadingLimits

  func read(_ archive: inout ZipArchive) throws(ReadingFailure) -> ExtractedDocument {
    let main = try OfficePackage.mainPart(of: &archive, usual: "word/document.xml")
    let relations = try OfficePackage.relationships(of: main, in: &archive)
    func parts(_ type: String) -> [String] { relations.values.filter { $0.type == type }.map(\.target).sorted() }
    func content(_ type: String, _ archive: inout ZipArchive) throws(ReadingFailure) -> [UInt8]? {
      guard let part = parts(type).first else { return nil }
      return try archive.read(part)
    }
    var flow = WordFlow(
      styles: try WordStyles(try content("styles", &archive)),
      numbering: try WordNumbering(try content("numbering", &archive)), builder: PageBuilder(limits: limits))
    for (type, name) in [("footnotes", "footnote"), ("endnotes", "endnote")] {
      guard let notes = try content(type, &archive) else { continue }
      try flow.collectNotes(notes, name: name)
    }
    flow.builder.beginPage()
    try flow.readAside(parts("header"), from: &archive)
    guard let body = try archive.read(main) else { throw .damaged(detail: "no \(main)") }
    try flow.read(body, part: main)
    try flow.readAside(parts("footer"), from: &archive)
    let properties = try OfficePackage.properties(of: &archive)
    return try flow.builder.document(.docx, title: properties.title, author: properties.author)
  }
}

/// Turns WordprocessingML into lines.
private struct WordFlow {
  let styles: WordStyles
  var numbering: WordNumbering
  var builder: PageBuilder

  /// Texts of footnotes and endnotes by kind and id.
  private var notes: [String: String] = [:]
  private var noteCount = 0
  /// Texts of headers and footers already written.
  private var asides: Set<String> = []

  /// Open paragraph: text boxes nest paragraphs.
  private struct Paragraph {
    var text = ""
    var hiddenText = ""
    var style = ""
    var list: WordNumbering.Place?
    var outlineLevel: Int?
    var notes: [String] = []
  }

  /// Table that is open.
  private struct Table {
    var cells: [String] = []
    var cell: String?
    var isHeaderRow = false
    var rows: [(cells: [String], isHeader: Bool)] = []
  }

  private var paragraphs: [Paragraph] = []
  private var tables: [Table] = []
  private var isRunHidden = false

  init(styles: WordStyles, numbering: WordNumbering, builder: PageBuilder) {
    (self.styles, self.numbering, self.builder) = (styles, numbering, builder)
  }

  // MARK: Parts

  mutating func read(_ content: [UInt8], part: String) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: part)
    var text = false
    while !builder.isFull, let token = try scanner.next() {
      switch token {
      case .text(let piece): if text { append(piece) }
      case .start(let element):
        text = element.name == "t"
        if ["Fallback", "instrText", "delText", "del", "moveFrom", "rt"].contains(element.name) {
          try scanner.skip()
        } else {
          start(element)
        }
      case .end(let name):
        text = false
        end(name)
      }
    }
  }

  /// Reads headers and footers: each text once, and no bare page numbers.
  mutating func readAside(_ parts: [String], from archive: inout ZipArchive) throws(ReadingFailure) {
    for part in parts {
      guard let content = try archive.read(part) else { continue }
      var aside = WordFlow(styles: styles, numbering: numbering, builder: PageBuilder(limits: .standard))
      try aside.read(content, part: part)
      guard let document = try? aside.builder.document(.docx) else { continue }  // an empty one has no text
      for line in document.pages.flatMap(\.lines) where line.text.contains(where: \.isLetter) {
        if asides.insert(line.text).inserted { builder.add(line.text, startsBlock: true, isHidden: line.isHidden) }
      }
    }
  }

  mutating func collectNotes(_ content: [UInt8], name: String) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: name + "s.xml")
    var (id, text, isText) = ("", "", false)
    while let token = try scanner.next() {
      switch token {
      case .start(let element):
        isText = element.name == "t"
        if element.name == name { (id, text) = (element["id"] ?? "", "") }
        if element.name == "p", !text.isEmpty { text += " " }
      case .text(let piece): if isText { text += piece }
      case .end(let ended):
        isText = false
        if ended == name { notes[name + id] = LineText.collapsed(text) }
      }
    }
  }

  // MARK: Elements

  private mutating func append(_ text: String) {
    guard !paragraphs.isEmpty else { return }
    if isRunHidden {
      paragraphs[paragraphs.count - 1].hiddenText += text
    } else {
      paragraphs[paragraphs.count - 1].text += text
    }
  }

  private mutating func start(_ element: XMLScanner.Element) {
    let last = paragraphs.count - 1
    switch element.name {
    case "p": if paragraphs.count < 64 { paragraphs.append(Paragraph()) }
    case "r": isRunHidden = false
    case "vanish", "webHidden": isRunHidden = element.name == "vanish" && isOn(element)
    case "sz": if let size = element["val"].flatMap({ Int($0) }), size <= 2 { isRunHidden = true }
    case "tab", "ptab": append("\t")
    case "br", "cr": append(element["type"] == "page" ? "" : "\n")
    case "noBreakHyphen": append("\u{2011}")
    case "softHyphen": append("\u{AD}")
    case "sym": append(symbol(element))
    case "pStyle": if last >= 0 { paragraphs[last].style = element["val"] ?? "" }
    case "outlineLvl": if last >= 0 { paragraphs[last].outlineLevel = element["val"].flatMap { Int($0) } }
    case "numId": if last >= 0 { paragraphs[last].list = .init(list: element["val"] ?? "", level: level(last)) }
    case "ilvl":
      if last >= 0 {
        let list = paragraphs[last].list?.list ?? ""
        paragraphs[last].list = .init(list: list, level: element["val"].flatMap { Int($0) } ?? 0)
      }
    case "footnoteReference", "endnoteReference": note(String(element.name.dropLast(9)), element["id"] ?? "")
    case "tbl": if tables.count < 64 { tables.append(Table()) }
    case "tr":
      if !tables.isEmpty { (tables[tables.count - 1].cells, tables[tables.count - 1].isHeaderRow) = ([], false) }
    case "tblHeader": if !tables.isEmpty { tables[tables.count - 1].isHeaderRow = isOn(element) }
    case "tc": if !tables.isEmpty { tables[tables.count - 1].cell = "" }
    default: break
    }
  }

  private func level(_ paragraph: Int) -> Int { paragraphs[paragraph].list?.level ?? 0 }

  private func isOn(_ element: XMLScanner.Element) -> Bool {
    !["0", "false", "off"].contains(element["val"] ?? "1")
  }

  private func symbol(_ element: XMLScanner.Element) -> String {
    guard let value = element["char"].flatMap({ UInt32($0, radix: 16) }), let scalar = Unicode.Scalar(value),
      !(0xF000...0xF0FF).contains(value)
    else { return "•" }
    return String(scalar)
  }

  private mutating func note(_ kind: String, _ id: String) {
    guard !paragraphs.isEmpty, let text = notes[kind + id], !text.isEmpty else { return }
    noteCount += 1
    append("[\(noteCount)]")
    paragraphs[paragraphs.count - 1].notes.append("[\(noteCount)] \(text)")
  }

  private mutating func end(_ name: String) {
    switch name {
    case "p": if let paragraph = paragraphs.popLast() { write(paragraph) }
    case "r": isRunHidden = false
    case "tc":
      guard let cell = tables.last?.cell else { return }
      tables[tables.count - 1].cells.append(cell)
      tables[tables.count - 1].cell = nil
    case "tr":
      guard let table = tables.last else { return }
      tables[tables.count - 1].rows.append((table.cells, table.isHeaderRow))
    case "tbl": if let table = tables.popLast() { write(table) }
    default: break
    }
  }

  // MARK: Lines

  private mutating func write(_ paragraph: Paragraph) {
    let place = paragraph.list ?? styles.list(paragraph.style)
    let mark = paragraph.text.trimmed.isEmpty ? nil : place.flatMap { numbering.mark($0) }
    let heading =
      paragraph.outlineLevel.flatMap { $0 < 9 ? min($0 + 1, 6) : nil } ?? styles.headingLevel(paragraph.style)
    let text = (mark ?? "") + paragraph.text
    if let cell = tables.last?.cell {
      let whole = ([text] + paragraph.notes).joined(separator: "\n")
      tables[tables.count - 1].cell = TableText.joined(cell, whole)
      return
    }
    let role: LineRole = heading.map { .heading(level: $0) } ?? (mark != nil ? .listItem : .body)
    var isFirst = true
    for line in text.split(separator: "\n") where !LineText.isBlank(line) {
      builder.add(line.trimmed, role: role, startsBlock: isFirst)
      isFirst = false
    }
    if !LineText.isBlank(paragraph.hiddenText) {
      builder.add(paragraph.hiddenText.trimmed, startsBlock: true, isHidden: true)
    }
    for note in paragraph.notes { builder.add(note, startsBlock: true) }
  }

  private mutating func write(_ table: Table) {
    let rows = table.rows.filter { !$0.cells.allSatisfy { LineText.isBlank($0) } }
    if let cell = tables.last?.cell {
      tables[tables.count - 1].cell = rows.reduce(cell) { TableText.joined($0, TableText.row($1.cells)) }
      return
    }
    builder.add(table: rows)
  }
}
