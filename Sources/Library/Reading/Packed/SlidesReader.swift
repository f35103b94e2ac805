import Documents

/// Reads PPTX: a slide is a page, its title a heading, its notes below it.
struct SlidesReader {
  let limits: ReadingLimits

  func read(_ archive: inout ZipArchive) throws(ReadingFailure) -> ExtractedDocument {
    let main = try OfficePackage.mainPart(of: &archive, usual: "ppt/presentation.xml")
    let relations = try OfficePackage.relationships(of: main, in: &archive)
    var builder = PageBuilder(limits: limits)
    for id in try slideIDs(main, &archive) {
      guard let part = relations[id]?.target, let content = try archive.read(part) else { continue }
      var slide = SlideFlow()
      try slide.read(content, part: part)
      builder.beginPage(label: slide.title)
      slide.write(into: &builder)
      let own = try OfficePackage.relationships(of: part, in: &archive)
      for relation in own.values.sorted(by: { $0.target < $1.target })
      where ["notesSlide", "diagramData"].contains(relation.type) {
        guard let extra = try archive.read(relation.target) else { continue }
        var flow = SlideFlow(isNotes: relation.type == "notesSlide")
        try flow.read(extra, part: relation.target)
        flow.write(into: &builder)
      }
    }
    let properties = try OfficePackage.properties(of: &archive)
    return try builder.document(.pptx, title: properties.title, author: properties.author)
  }

  private func slideIDs(_ part: String, _ archive: inout ZipArchive) throws(ReadingFailure) -> [String] {
    guard let content = try archive.read(part) else { return [] }
    var scanner = try XMLScanner(content, part: part)
    var ids: [String] = []
    while let token = try scanner.next() {
      if case .start(let element) = token, element.name == "sldId", let id = element.qualified("id") {
        ids.append(id)
      }
    }
    return ids
  }
}

/// Collects the text of one slide, or of its notes.
private struct SlideFlow {
  private enum Piece {
    case paragraph(text: String, role: LineRole)
    case table([(cells: [String], isHeader: Bool)])
  }

  private(set) var title: String?
  private let isNotes: Bool
  private var titles: [Piece] = []
  private var pieces: [Piece] = []

  private var placeholder: String?
  private var paragraph: String?
  private var hasBullet = false
  private var cell: String?
  private var cells: [String] = []
  private var rows: [(cells: [String], isHeader: Bool)] = []

  init(isNotes: Bool = false) { self.isNotes = isNotes }

  mutating func read(_ content: [UInt8], part: String) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: part)
    var isText = false
    while let token = try scanner.next() {
      switch token {
      case .text(let text): if isText { paragraph?.append(text) }
      case .start(let element):
        isText = element.name == "t"
        if element.name == "Fallback" { try scanner.skip() } else { start(element) }
      case .end(let name):
        isText = false
        end(name)
      }
    }
  }

  private mutating func start(_ element: XMLScanner.Element) {
    switch element.name {
    case "sp", "graphicFrame": placeholder = nil
    case "ph": placeholder = element["type"] ?? "body"
    case "p", "pt": if element.name == "p" { (paragraph, hasBullet) = ("", false) }
    case "buChar", "buAutoNum": hasBullet = true
    case "br": paragraph?.append("\n")
    case "tab": paragraph?.append("\t")
    case "tbl": rows = []
    case "tr": cells = []
    case "tc": cell = ""
    default: break
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "p":
      guard let text = paragraph else { return }
      paragraph = nil
      if let before = cell { cell = TableText.joined(before, text) } else { add(text) }
    case "tc":
      if let cell { cells.append(cell) }
      cell = nil
    case "tr": rows.append((cells, false))
    case "tbl": pieces.append(.table(rows.filter { !$0.cells.allSatisfy { LineText.isBlank($0) } }))
    default: break
    }
  }

  private mutating func add(_ text: String) {
    if LineText.isBlank(text) { return }
    switch placeholder {
    case "title", "ctrTitle":
      let line = LineText.collapsed(text)
      if title == nil { title = line }
      titles.append(.paragraph(text: line, role: .heading(level: 1)))
    case "sldNum", "dt", "ftr", "hdr", "sldImg": break
    case "body" where !isNotes: pieces.append(.paragraph(text: "• " + text.trimmed, role: .listItem))
    default:
      pieces.append(.paragraph(text: (hasBullet ? "• " : "") + text.trimmed, role: hasBullet ? .listItem : .body))
    }
  }

  func write(into builder: inout PageBuilder) {
    for piece in titles + pieces {
      switch piece {
      case .table(let rows): builder.add(table: rows)
      case .paragraph(let text, let role):
        for (index, line) in text.split(separator: "\n").enumerated() where !LineText.isBlank(line) {
          builder.add(line.trimmed, role: role, startsBlock: index == 0)
        }
      }
    }
  }
}
