import Documents

/// Turns HTML into lines: one line for each block or table row.
struct HTMLFlow {
  var builder: PageBuilder
  private(set) var title: String?
  private(set) var author: String?
  /// First heading, for chapters without a name.
  private(set) var firstHeading: String?

  private var line = String.UnicodeScalarView()
  private var isSpacePending = false
  private var role = LineRole.body
  private var startsBlock = true
  private var tables: [HTMLTable] = []
  private var lists: [Int?] = []
  private var preformattedDepth = 0
  private var isInTitle = false
  private var isTitleKnown = false
  private var skipped: (name: String, depth: Int)?
  /// Open element that hides its content, with the number of open elements of the same name inside it.
  private var hidden: (name: String, depth: Int)?

  init(builder: PageBuilder) { self.builder = builder }

  /// Resets the first heading at the beginning of a chapter.
  mutating func forgetHeading() { firstHeading = nil }

  /// Reads a whole document or chapter.
  mutating func read(_ utf8: [UInt8]) {
    var tokenizer = HTMLTokenizer(utf8)
    while let token = tokenizer.next(), !builder.isFull {
      switch token {
      case .text(let text): add(text)
      case .start(let name, let attributes): start(name, attributes)
      case .end(let name): end(name)
      }
    }
    while !tables.isEmpty { endTable() }
    breakBlock()
    (lists, preformattedDepth, hidden, skipped, isInTitle) = ([], 0, nil, nil, false)
  }

  // MARK: Text

  private mutating func add(_ text: String) {
    if isInTitle {
      if !isTitleKnown { title = (title ?? "") + text }
      return
    }
    if skipped != nil { return }
    if preformattedDepth > 0, tables.isEmpty {
      for scalar in text.unicodeScalars {
        if scalar == "\n" { breakLine() } else if scalar != "\r" { line.append(scalar) }
      }
      return
    }
    for scalar in text.unicodeScalars {
      if LineText.isSpace(scalar) {
        isSpacePending = true
      } else {
        if isSpacePending, let last = line.last, last != "\n", last != " " { line.append(" ") }
        isSpacePending = false
        line.append(scalar)
      }
    }
  }

  private mutating func breakLine() {
    if let table = tables.last, table.isInCell {
      line.append("\n")
      isSpacePending = false
      return
    }
    let text = String(line)
    (line, isSpacePending) = (String.UnicodeScalarView(), false)
    if preformattedDepth > 0 {
      builder.add(text, role: .code, startsBlock: startsBlock, isHidden: hidden != nil)
      startsBlock = false
      return
    }
    if LineText.isBlank(text) { return }
    if case .heading = role, firstHeading == nil { firstHeading = text }
    builder.add(text, role: role, startsBlock: startsBlock, isHidden: hidden != nil)
    startsBlock = false
  }

  private mutating func breakBlock() {
    if !line.isEmpty || preformattedDepth == 0 { breakLine() }
    if tables.last?.isInCell == true { return }
    startsBlock = true
    role = lists.isEmpty ? .body : .listItem
  }

  // MARK: Tags

  private static let blocks: Set = [
    "address", "article", "aside", "blockquote", "body", "caption", "center", "details", "dd", "dialog", "dir",
    "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "header", "hgroup", "hr", "html",
    "legend", "main", "menu", "nav", "noscript", "optgroup", "option", "p", "search", "section", "select",
    "summary",
  ]

  private static let skippedElements: Set = [
    "svg", "template", "object", "math-annotation", "head-noscript", "rp",
  ]

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    if let open = skipped {
      if open.name == name { skipped?.depth += 1 }
      return
    }
    if let open = hidden, open.name == name { hidden?.depth += 1 }
    if Self.skippedElements.contains(name) {
      skipped = (name, 1)
      return
    }
    let hides = hidden == nil && !Self.voids.contains(name) && Self.hides(attributes)
    if hides { breakBlock() }
    switch name {
    case "title": isInTitle = true
    case "meta": meta(attributes)
    case "br": breakLine()
    case "h1", "h2", "h3", "h4", "h5", "h6":
      breakBlock()
      if tables.last?.isInCell != true { role = .heading(level: Int(name.dropFirst()) ?? 6) }
    case "pre", "listing", "xmp":
      breakBlock()
      preformattedDepth += 1
    case "ul", "ol", "menu", "dir":
      breakBlock()
      if lists.count < 64 { lists.append(name == "ol" ? 1 : nil) }
    case "li": item()
    case "table": startTable()
    case "tr", "td", "th", "thead", "tbody", "tfoot": tablePart(name)
    default: if Self.blocks.contains(name) { breakBlock() }
    }
    if hides { hidden = (name, 1) }
  }

  private static let voids: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr",
  ]

  private mutating func end(_ name: String) {
    if let open = skipped {
      if open.name == name { skipped = open.depth > 1 ? (name, open.depth - 1) : nil }
      return
    }
    switch name {
    case "title": (isInTitle, isTitleKnown) = (false, title != nil)
    case "h1", "h2", "h3", "h4", "h5", "h6": breakBlock()
    case "pre", "listing", "xmp":
      if preformattedDepth > 0 {
        if !line.isEmpty { breakLine() }
        preformattedDepth -= 1
      }
      breakBlock()
    case "ul", "ol", "menu", "dir":
      breakBlock()
      if !lists.isEmpty { lists.removeLast() }
      breakBlock()
    case "li": breakBlock()
    case "td", "th": endCell()
    case "tr": endRow()
    case "table": endTable()
    default: if Self.blocks.contains(name) { breakBlock() }
    }
    if let open = hidden, open.name == name {
      breakBlock()
      hidden = open.depth > 1 ? (name, open.depth - 1) : nil
    }
  }

  private static func hides(_ attributes: [(name: String, value: String)]) -> Bool {
    attributes.contains { attribute in
      if attribute.name == "hidden" { return true }
      guard attribute.name == "style" else { return false }
      let style = attribute.value.lowercased().filter { !$0.isWhitespace }
      return ["display:none", "visibility:hidden", "font-size:0", "opacity:0;"].contains { style.contains($0) }
        || style.hasSuffix("opacity:0")
    }
  }

  private mutating func meta(_ attributes: [(name: String, value: String)]) {
    let isAuthor = attributes.contains { $0.name == "name" && $0.value.lowercased() == "author" }
    if isAuthor { author = attributes.first { $0.name == "content" }?.value }
  }

  private mutating func item() {
    breakBlock()
    if tables.last?.isInCell == true { return }
    role = .listItem
    if let number = lists.last ?? nil {
      line.append(contentsOf: "\(number). ".unicodeScalars)
      lists[lists.count - 1] = number &+ 1
    } else {
      line.append(contentsOf: "• ".unicodeScalars)
    }
  }

  // MARK: Tables

  private mutating func startTable() {
    if tables.last != nil {
      // A table in a cell: the outer one is only layout.
      tables[tables.count - 1].isLayout = true
      layOut(tables.count - 1)
    }
    breakBlock()
    if tables.count < 64 { tables.append(HTMLTable()) }
  }

  /// Writes the cells of a layout table as blocks of their own.
  private mutating func layOut(_ index: Int) {
    tables[index].isInCell = false
    let open = String(line)
    (line, isSpacePending) = (String.UnicodeScalarView(), false)
    for text in tables[index].cells + [open] {
      for part in text.split(separator: "\n") where !LineText.isBlank(part) {
        builder.add(part.trimmed, startsBlock: true, isHidden: hidden != nil)
      }
    }
    tables[index].cells = []
  }

  private mutating func tablePart(_ name: String) {
    guard !tables.isEmpty else {
      breakBlock()
      return
    }
    let index = tables.count - 1
    switch name {
    case "td", "th":
      endCell()
      if tables[index].isLayout {
        breakBlock()
      } else {
        if !line.isEmpty { breakLine() }
        tables[index].isInCell = true
        if name == "td" { tables[index].hasDataCell = true }
      }
    default:
      endRow()
      tables[index].isInHead = name == "thead" || (name == "tr" && tables[index].isInHead)
    }
  }

  private mutating func endCell() {
    guard let table = tables.last, table.isInCell else {
      breakBlock()
      return
    }
    tables[tables.count - 1].cells.append(String(line))
    tables[tables.count - 1].isInCell = false
    (line, isSpacePending) = (String.UnicodeScalarView(), false)
  }

  private mutating func endRow() {
    guard !tables.isEmpty else { return }
    if tables[tables.count - 1].isInCell { endCell() }
    let index = tables.count - 1
    let table = tables[index]
    tables[index].hasDataCell = false
    if table.cells.allSatisfy({ LineText.isBlank($0) }) {
      tables[index].cells = []
      return
    }
    // One column, or a cell of a page's length, means layout.
    if table.cells.count == 1 && table.rowCount == 0 || table.cells.contains(where: { $0.utf8.count > 1500 }) {
      layOut(index)
      return
    }
    let isHeader = table.rowCount == 0 && (table.isInHead || !table.hasDataCell)
    builder.add(
      TableText.row(table.cells), role: isHeader ? .tableHeader : .tableRow, startsBlock: true,
      isHidden: hidden != nil)
    tables[index].cells = []
    tables[index].rowCount += 1
  }

  private mutating func endTable() {
    guard !tables.isEmpty else { return }
    endRow()
    tables.removeLast()
    breakBlock()
  }
}

/// Table that is open.
private struct HTMLTable {
  var cells: [String] = []
  var isInCell = false
  var isInHead = false
  var hasDataCell = false
  var isLayout = false
  var rowCount = 0
}
