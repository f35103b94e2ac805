import CGLib
import CPoppler

/// Reads one page's lines with their positions and fonts.
struct PageTextReader {
  private let page: OpaquePointer
  private let width: Double
  private let height: Double

  init(page: OpaquePointer) {
    self.page = page
    var (width, height) = (0.0, 0.0)
    poppler_page_get_size(page, &width, &height)
    self.width = width
    self.height = height
  }

  /// Reads the page with all its lines, in poppler's reading order.
  func read(number: Int) -> PrintedPage {
    var text = Self.take(poppler_page_get_text(page))
    var area = rectangle(0, 0, width, height)
    // Poppler's text is that of a selection from corner to corner, and on pages that are rotated or run from right to
    // left it loses the text outside: a selection between other corners includes it.
    var others: [String] = []
    if text.isEmpty || text.unicodeScalars.contains("\u{202B}") {
      for other in [rectangle(width, 0, 0, height), rectangle(height, 0, 0, width)] {
        var candidate = other
        let found = Self.take(poppler_page_get_text_for_area(page, &candidate))
        if found.utf8.count > text.utf8.count {
          others.append(text)
          (text, area) = (found, candidate)
        } else {
          others.append(found)
        }
        others.append(Self.take(poppler_page_get_selected_text(page, POPPLER_SELECTION_LINE, &candidate)))
      }
    }
    var lines = PageGlyphs(text: text, rectangles: layout(area), runs: runs(area)).lines()
    for line in PageGlyphs(text: others.joined(separator: "\n"), rectangles: [], runs: []).lines()
    where !lines.contains(where: { $0.text.contains(line.text) }) { lines.append(line) }
    var page = PrintedPage(
      number: number, label: label(number), lines: lines,
      extent: .init(left: 0, top: 0, right: width, bottom: height), isTurned: false)
    let fields = FormFields(page: self.page, pageHeight: height)
    // A scanned form with a number in a field is still a scan.
    if !lines.isEmpty || fields.values.reduce(0, { $0 + $1.text.count }) > 100 { fields.insert(into: &page.lines) }
    page.turnUpright()
    page.joinNeighbours()
    page.lines = TableRows.joined(page.lines)
    return page
  }

  private func rectangle(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> PopplerRectangle {
    PopplerRectangle(x1: x1, y1: y1, x2: x2, y2: y2)
  }

  private func label(_ number: Int) -> String? {
    let label = PopplerFile.text(poppler_page_get_label(page))
    return label == String(number) ? nil : label
  }

  private func layout(_ area: PopplerRectangle) -> [PopplerRectangle] {
    var area = area
    var pointer: UnsafeMutablePointer<PopplerRectangle>?
    var count: guint = 0
    guard poppler_page_get_text_layout_for_area(page, &area, &pointer, &count) != 0, let pointer else { return [] }
    defer { g_free(pointer) }
    return Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
  }

  private func runs(_ area: PopplerRectangle) -> [GlyphRun] {
    var area = area
    let list = poppler_page_get_text_attributes_for_area(page, &area)
    defer { poppler_page_free_text_attributes(list) }
    var runs: [GlyphRun] = []
    var link = list
    while let entry = link {
      if let data = entry.pointee.data {
        runs.append(GlyphRun(data.assumingMemoryBound(to: PopplerTextAttributes.self).pointee))
      }
      link = entry.pointee.next
    }
    return runs
  }

  private static func take(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer else { return "" }
    defer { g_free(pointer) }
    return String(cString: pointer)
  }
}

/// Run of characters in one font and colour.
struct GlyphRun {
  var range: ClosedRange<Int>
  var size: Double
  var isBold: Bool
  var isWhite: Bool

  init(_ attributes: PopplerTextAttributes) {
    let start = max(0, Int(attributes.start_index))
    range = start...max(start, Int(attributes.end_index))
    size = attributes.font_size.isFinite ? attributes.font_size : 0
    let name = attributes.font_name.map { String(cString: $0).lowercased() } ?? ""
    isBold = ["bold", "black", "heavy", "cmbx", "sfbx", "-demi", "medi"].contains { name.contains($0) }
    isWhite = [attributes.color.red, attributes.color.green, attributes.color.blue].allSatisfy { $0 > 0xF800 }
  }
}

/// Characters of a page with their rectangles and fonts.
struct PageGlyphs {
  let text: String
  let rectangles: [PopplerRectangle]
  let runs: [GlyphRun]

  /// Splits the text into lines.
  func lines() -> [PrintedLine] {
    let scalars = Array(text.unicodeScalars)
    let places = places(of: scalars)
    var lines: [PrintedLine] = []
    var (start, run) = (0, 0)
    while start < scalars.count {
      let end = lineEnd(scalars, from: start, places: places)
      if let line = line(scalars[start..<end], places: places, run: &run) { lines.append(line) }
      start = end < scalars.count && scalars[end] == "\n" ? end + 1 : end
    }
    return lines
  }

  /// Returns the end of the line that begins at an index: its line feed, or a jump to another line that poppler takes
  /// for the same.
  private func lineEnd(_ scalars: [Unicode.Scalar], from start: Int, places: [Int]?) -> Int {
    var index = start
    var last: PopplerRectangle?
    while index < scalars.count, scalars[index] != "\n" {
      if let places, !isMark(scalars[index]), places[index] < rectangles.count {
        let place = rectangles[places[index]]
        if place.x2 > place.x1, place.y2 > place.y1 {
          if let last, jumps(last, place) { return index }
          last = place
        }
      }
      index += 1
    }
    return index
  }

  private func jumps(_ last: PopplerRectangle, _ place: PopplerRectangle) -> Bool {
    let height = max(place.y2 - place.y1, last.y2 - last.y1)
    return abs(place.y1 - last.y1) > 1.5 * height && (place.x1 >= last.x2 || place.x2 <= last.x1)
      && height < 4 * max(place.x2 - place.x1, last.x2 - last.x1)
  }

  /// Returns each scalar's rectangle index. The direction marks that poppler adds have none.
  private func places(of scalars: [Unicode.Scalar]) -> [Int]? {
    if scalars.count == rectangles.count { return Array(scalars.indices) }
    var (places, next) = ([Int](), 0)
    places.reserveCapacity(scalars.count)
    for scalar in scalars {
      places.append(next)
      if !isMark(scalar) { next += 1 }
    }
    return next == rectangles.count ? places : nil
  }

  private func line(_ scalars: ArraySlice<Unicode.Scalar>, places: [Int]?, run: inout Int) -> PrintedLine? {
    let text = spaced(scalars, places: places)
    if text.trimmed.isEmpty { return nil }
    guard let places, let first = scalars.indices.first, let last = scalars.indices.last else {
      return PrintedLine(text: text, box: nil, fontSize: 0, isBold: false, isHidden: false, isWhite: false)
    }
    let box = box(places[first]...max(places[first], places[last]))
    var sizes: [(size: Double, count: Int)] = []
    var (bold, white, total) = (0, 0, 0)
    let range = places[first]...max(places[first], places[last])
    while run < runs.count, runs[run].range.upperBound < range.lowerBound { run += 1 }
    var index = run
    while index < runs.count, runs[index].range.lowerBound <= range.upperBound {
      let part = runs[index]
      let count = part.range.clamped(to: range).count
      total += count
      if part.isBold { bold += count }
      if part.isWhite { white += count }
      if let known = sizes.firstIndex(where: { abs($0.size - part.size) < 0.25 }) {
        sizes[known].count += count
      } else {
        sizes.append((part.size, count))
      }
      index += 1
    }
    let size = sizes.max { $0.count < $1.count }?.size ?? 0
    let isTiny = (size > 0 && size <= 1) || (box.map { min($0.height, $0.width) <= 1 && $0.width > 0 } ?? false)
    return PrintedLine(
      text: text, box: box, fontSize: size, isBold: bold * 2 > total, isHidden: isTiny,
      isWhite: total > 0 && white == total)
  }

  /// Returns the text without the direction marks that poppler puts around words, and with a space in every printed
  /// gap that poppler gives no space for: between a title and its page number, a label and its value.
  private func spaced(_ scalars: ArraySlice<Unicode.Scalar>, places: [Int]?) -> String {
    var kept: [UInt8] = []
    kept.reserveCapacity(scalars.count + scalars.count / 4)
    var previous: (scalar: Unicode.Scalar, place: PopplerRectangle?)?
    var marks: [Unicode.Scalar] = []
    for index in scalars.indices {
      var scalar = scalars[index]
      if isMark(scalar) {
        marks.append(scalar)
        continue
      }
      if scalar == "\r" || scalar == "\0" { scalar = " " }
      var place: PopplerRectangle?
      if let places, places[index] < rectangles.count { place = rectangles[places[index]] }
      if let before = previous, scalar != " ", before.scalar != " " {
        if isRightToLeft(scalar) || isRightToLeft(before.scalar) {
          // One direction run ends and another begins: two words.
          if let last = marks.last, last != "\u{202C}", marks.contains("\u{202C}") { kept.append(0x20) }
        } else if let place, let last = before.place {
          let isWide = scalar.value >= 0x2E80 && before.scalar.value >= 0x2E80
          for _ in 0..<spaceCount(last, place, isWide: isWide) { kept.append(0x20) }
        }
      }
      if scalar.isASCII {
        kept.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        kept.append(contentsOf: scalar.utf8)
      }
      previous = (scalar, place)
      if !marks.isEmpty { marks.removeAll(keepingCapacity: true) }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private func spaceCount(_ last: PopplerRectangle, _ place: PopplerRectangle, isWide: Bool) -> Int {
    let size = min(abs(place.y2 - place.y1), abs(place.x2 - place.x1) * (isWide ? 1 : 4))
    let gap = max(place.x1 - last.x2, isWide ? abs(place.y1 - last.y2) : 0)
    guard size > 1, gap > (isWide ? 0.9 : 0.18) * size else { return 0 }
    return gap > size ? 2 : 1
  }

  private func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x202A...0x202C).contains(scalar.value) }

  private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: true
    default: false
    }
  }

  private func box(_ range: ClosedRange<Int>) -> PrintedLine.Box? {
    var box: PrintedLine.Box?
    for index in range where rectangles.indices.contains(index) {
      let place = rectangles[index]
      let own = PrintedLine.Box(
        left: min(place.x1, place.x2), top: min(place.y1, place.y2), right: max(place.x1, place.x2),
        bottom: max(place.y1, place.y2))
      guard own.left.isFinite, own.top.isFinite, own.right.isFinite, own.bottom.isFinite else { continue }
      box = box?.union(own) ?? own
    }
    return box
  }
}
