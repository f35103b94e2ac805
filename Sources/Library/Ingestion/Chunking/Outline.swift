import Documents
import Linguistics

/// A sentence, heading, table row or line of code: the smallest piece of a passage.
struct OutlineUnit {
  /// UTF-8 offsets into the running text.
  var range: Range<Int>
  /// Length in twelfths of a word.
  var length: Int
  var form: PassageForm
  var isHeading: Bool
  /// Indicates whether it begins a paragraph, list item or the like.
  var startsBlock: Bool
  /// Indicates whether no passage may reach across its beginning.
  var startsPart: Bool
  /// Index of its heading path in the outline.
  var path: Int
  /// Index of the table header that names its columns; nil for the header itself and outside tables.
  var tableHeader: Int?
  /// Index after the last unit of its block, and of its section.
  var blockEnd = 0
  var sectionEnd = 0

  /// Indicates whether it may be repeated at the beginning of the next passage.
  var repeats: Bool { !isHeading && (form == .prose || form == .list) }
}

/// Running text of a document, as units under headings.
struct Outline {
  private(set) var units: [OutlineUnit] = []
  private var paths: [[String]] = [[]]
  private var tableHeaders: [String] = []
  private var levels: [(level: Int, text: String)] = []

  /// Longest heading, in UTF-8 bytes; longer ones are cut.
  private static let longestHeading = 300

  /// Makes the outline of a document.
  /// - Parameter longestUnit: length in twelfths of a word above which a unit is cut into pieces.
  init(running: RunningText, document: ExtractedDocument, longestUnit: Int) {
    let hasParts = document.kind.hasPages && document.kind != .pdf
    let labels = Dictionary(
      document.pages.compactMap { page in page.label.map { (page.number, $0) } },
      uniquingKeysWith: { first, _ in first })
    var page = 0
    var previous: RunningBlock?
    var header: Int?
    var text = running.text
    text.withUTF8 { bytes in
      for block in running.blocks {
        var startsPart = previous.map { $0.isHidden != block.isHidden } ?? false
        if hasParts, block.page != page {
          startsPart = true
          enterPart(labels[block.page])
          header = nil
        }
        page = block.page
        let form = PassageForm(block.role)
        if form != .table { header = nil }
        if case .heading(let level) = block.role { enterSection(level, running[block.range]) }
        append(block, bytes, longestUnit, startsPart, header)
        if block.role == .tableHeader {
          tableHeaders.append(Self.shortened(running[block.range]))
          header = tableHeaders.count - 1
        }
        previous = block
      }
    }
    settleEnds()
  }

  /// Returns the headings above some units, outermost first, and the header of the table that they continue.
  func headings(of units: ArraySlice<OutlineUnit>) -> [String] {
    guard let first = units.first, let last = units.last else { return [] }
    // Units that are headings themselves do not count: the passage belongs under the headings of its text.
    let texts = units.filter { !$0.isHeading }
    var common = paths[(texts.first ?? last).path]
    var seen = (texts.first ?? last).path
    for unit in texts where unit.path != seen {
      seen = unit.path
      let shared = zip(common, paths[seen]).prefix { $0 == $1 }.count
      common.removeSubrange(shared...)
    }
    if let header = first.tableHeader { common.append(tableHeaders[header]) }
    return common
  }

  // MARK: Building

  private mutating func enterPart(_ label: String?) {
    levels = label.map { [(0, Self.shortened($0))] } ?? []
    paths.append(levels.map(\.text))
  }

  private mutating func enterSection(_ level: Int, _ text: String) {
    levels.removeAll { $0.level >= level }
    let title = Self.shortened(text)
    if !title.isEmpty, levels.last?.text != title { levels.append((level, title)) }
    paths.append(levels.map(\.text))
  }

  private mutating func append(
    _ block: RunningBlock, _ bytes: UnsafeBufferPointer<UInt8>, _ longest: Int, _ startsPart: Bool, _ header: Int?
  ) {
    let form = PassageForm(block.role)
    var isHeading = false
    if case .heading = block.role { isHeading = true }
    var startsBlock = true
    for sentence in Self.sentences(of: block, form, isHeading, bytes) {
      let slice = bytes[sentence]
      let length = WordLength.of(slice)
      let pieces = length > longest ? WordLength.pieces(of: slice, longest: longest) : [sentence]
      for piece in pieces {
        let piece = pieces.count > 1 ? Self.trimmed(piece, bytes) : piece
        if piece.isEmpty { continue }
        units.append(
          OutlineUnit(
            range: piece, length: pieces.count > 1 ? WordLength.of(bytes[piece]) : length, form: form,
            isHeading: isHeading, startsBlock: startsBlock, startsPart: startsPart && startsBlock,
            path: paths.count - 1, tableHeader: form == .table ? header : nil))
        startsBlock = false
      }
    }
  }

  private static func sentences(
    of block: RunningBlock, _ form: PassageForm, _ isHeading: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> [Range<Int>] {
    guard form == .prose || form == .list, !isHeading else { return [block.range] }
    let text = String(decoding: bytes[block.range], as: UTF8.self)
    let start = block.range.lowerBound
    return Sentences.split(text).map { start + $0.lowerBound..<start + $0.upperBound }
  }

  private static func trimmed(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
    while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
    return lower..<upper
  }

  /// Sets the end of the block and of the section of every unit.
  private mutating func settleEnds() {
    var (blockEnd, sectionEnd) = (units.count, units.count)
    for index in units.indices.reversed() {
      units[index].blockEnd = blockEnd
      units[index].sectionEnd = sectionEnd
      if units[index].startsBlock { blockEnd = index }
      if units[index].isHeading || units[index].startsPart { sectionEnd = index }
    }
  }

  /// Returns a heading without the marks of Markdown around it, cut to the longest allowed length.
  private static func shortened(_ text: String) -> String {
    let bare = text.drop { $0 == "#" || $0 == " " }
    var end = bare.endIndex
    while end > bare.startIndex, bare[bare.index(before: end)] == "#" || bare[bare.index(before: end)] == " " {
      end = bare.index(before: end)
    }
    var kept = String(bare[..<end])
    if kept.utf8.count > longestHeading {
      kept = String(decoding: kept.utf8.prefix(longestHeading), as: UTF8.self)
      while kept.unicodeScalars.last == "\u{fffd}" { kept.unicodeScalars.removeLast() }
    }
    return kept
  }
}

extension PassageForm {
  fileprivate init(_ role: LineRole) {
    switch role {
    case .body, .heading, .running: self = .prose
    case .listItem: self = .list
    case .tableHeader, .tableRow: self = .table
    case .code: self = .code
    }
  }
}
