import Documents

/// Reads XLSX: a sheet is a page, a row a line, numbered as in the sheet.
struct WorkbookReader {
  let limits: ReadingLimits

  private struct Sheet {
    var name: String
    var id: String
    var isHidden: Bool
  }

  func read(_ archive: inout ZipArchive) throws(ReadingFailure) -> ExtractedDocument {
    let main = try OfficePackage.mainPart(of: &archive, usual: "xl/workbook.xml")
    let relations = try OfficePackage.relationships(of: main, in: &archive)
    let (sheets, is1904) = try self.sheets(main, &archive)
    func target(_ type: String) -> String? { relations.values.first { $0.type == type }?.target }
    var strings: [String] = []
    if let part = target("sharedStrings"), let content = try archive.read(part) {
      strings = try Self.sharedStrings(content, limit: limits.characterCount)
    }
    var formats = CellFormats(is1904: is1904)
    if let part = target("styles"), let content = try archive.read(part) { try formats.read(content) }
    var builder = PageBuilder(limits: limits)
    for sheet in sheets where !builder.isFull {
      guard let part = relations[sheet.id]?.target, relations[sheet.id]?.type == "worksheet",
        let content = try archive.read(part)
      else { continue }
      builder.beginPage(label: sheet.name)
      var writer = SheetWriter(isHidden: sheet.isHidden)
      try Self.read(content, part: part, strings: strings, formats: formats, into: &writer, &builder)
      writer.finish(into: &builder)
    }
    let properties = try OfficePackage.properties(of: &archive)
    return try builder.document(.xlsx, title: properties.title, author: properties.author)
  }

  private func sheets(
    _ part: String, _ archive: inout ZipArchive
  ) throws(ReadingFailure) -> (sheets: [Sheet], is1904: Bool) {
    guard let content = try archive.read(part) else { return ([], false) }
    var scanner = try XMLScanner(content, part: part)
    var (sheets, is1904) = ([Sheet](), false)
    while let token = try scanner.next() {
      guard case .start(let element) = token else { continue }
      if element.name == "workbookPr" { is1904 = ["1", "true"].contains(element["date1904"] ?? "") }
      if element.name == "sheet", let id = element.qualified("id") {
        sheets.append(
          Sheet(
            name: LineText.clean(element["name"] ?? ""), id: id,
            isHidden: ["hidden", "veryHidden"].contains(element["state"] ?? "")))
      }
    }
    return (sheets, is1904)
  }

  private static func sharedStrings(_ content: [UInt8], limit: Int) throws(ReadingFailure) -> [String] {
    var scanner = try XMLScanner(content, part: "sharedStrings.xml")
    var (strings, text, isText) = ([String](), "", false)
    while let token = try scanner.next() {
      switch token {
      case .start(let element):
        isText = element.name == "t"
        if element.name == "si" { text = "" }
        if element.name == "rPh" { try scanner.skip() }
      case .text(let piece): if isText { text += piece }
      case .end(let name):
        isText = false
        if name == "si" { strings.append(text) }
      }
    }
    return strings
  }

  private static func read(
    _ content: [UInt8], part: String, strings: [String], formats: CellFormats, into writer: inout SheetWriter,
    _ builder: inout PageBuilder
  ) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: part)
    var (row, column, type, style) = (0, 0, "", 0)
    var (value, inline, target) = ("", "", "")
    while !builder.isFull, let token = try scanner.next() {
      switch token {
      case .start(let element):
        target = element.name
        switch element.name {
        case "row":
          row = element["r"].flatMap { Int($0) } ?? row + 1
          column = 0
        case "c":
          column = element["r"].flatMap(Self.column) ?? column + 1
          (type, style) = (element["t"] ?? "n", element["s"].flatMap { Int($0) } ?? 0)
          (value, inline) = ("", "")
        case "rPh": try scanner.skip()
        default: break
        }
      case .text(let text):
        if target == "v" { value += text } else if target == "t" { inline += text }
      case .end(let name):
        target = ""
        if name == "c" {
          let text = Self.text(value, inline: inline, type: type, style: style, strings: strings, formats: formats)
          writer.add(text, column: column)
        } else if name == "row" {
          writer.endRow(row, into: &builder)
        }
      }
    }
  }

  private static func text(
    _ value: String, inline: String, type: String, style: Int, strings: [String], formats: CellFormats
  ) -> String {
    switch type {
    case "s": Int(value).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
    case "inlineStr": inline
    case "b": value == "1" ? "TRUE" : value == "0" ? "FALSE" : value
    case "str", "e", "d": value
    default: formats.text(value, style: style)
    }
  }

  /// Returns the column of a reference such as `AB12`, from 1.
  private static func column(_ reference: String) -> Int? {
    var column = 0
    for byte in reference.utf8 {
      guard (0x41...0x5A).contains(byte & 0xDF), byte >= 0x41 else { break }
      column = column * 26 + Int(byte & 0xDF) - 0x40
      if column > 16_384 { return nil }
    }
    return column > 0 ? column : nil
  }
}

/// Writes rows of cells at their numbers; the first row that is not empty may be the header.
struct SheetWriter {
  let isHidden: Bool
  private var cells: [(column: Int, text: String)] = []
  private var line = 1
  private var waiting: (cells: [String], row: Int)?
  private var isFirst = true
  private var paddingLeft = 20_000

  init(isHidden: Bool) { self.isHidden = isHidden }

  mutating func add(_ text: String, column: Int) {
    if !LineText.isBlank(text) { cells.append((column, text)) }
  }

  mutating func endRow(_ row: Int, into builder: inout PageBuilder) {
    defer { cells = [] }
    if cells.isEmpty { return }
    var row: (cells: [String], row: Int) = ([], row)
    for cell in cells.sorted(by: { $0.column < $1.column }) {
      // Empty cells keep their place, but not a thousand of them.
      while row.cells.count + 1 < min(cell.column, row.cells.count + 8) { row.cells.append("") }
      row.cells.append(cell.text)
    }
    if let waiting { write(waiting, next: row.cells, into: &builder) }
    waiting = row
  }

  mutating func finish(into builder: inout PageBuilder) {
    if let waiting { write(waiting, next: nil, into: &builder) }
    waiting = nil
  }

  private mutating func write(_ row: (cells: [String], row: Int), next: [String]?, into builder: inout PageBuilder)
  {
    while line < row.row, paddingLeft > 0 {
      builder.add("")
      line += 1
      paddingLeft -= 1
    }
    let isHeader = isFirst && TableText.isHeader(row.cells, next: next)
    // A title above the table is not a header, and the header is still to come.
    let filled = row.cells.count { !$0.isEmpty }
    let isTitle = filled == 1 && (next?.count { !$0.isEmpty } ?? 0) != 1
    builder.add(
      TableText.row(row.cells), role: isHeader && !isTitle ? .tableHeader : isTitle && isFirst ? .body : .tableRow,
      startsBlock: true, isHidden: isHidden)
    if !isTitle { isFirst = false }
    line += 1
  }
}
