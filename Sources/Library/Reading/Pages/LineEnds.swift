import Documents

/// Tells the lines of notes and records, which are paragraphs of their own, from the wrapped lines of prose.
///
/// A line is full if the first word of the next would not have fitted behind it; in prose all but the last line are
/// full.
struct LineEnds {
  /// Features of a line that decide whether it is joined to its neighbours.
  private struct Shape {
    /// Length in characters.
    var length = 0
    var firstWord = 0
    /// Indicates whether it begins with a name and a colon, or with a time or date.
    var isField = false
    /// Indicates whether it begins in the middle of a sentence.
    var goesOn = false
    /// Indicates whether it ends in punctuation that promises more text or ends a sentence, which does not end a
    /// paragraph.
    var isDecided = false
  }

  /// Widths of prose, in characters.
  private static let narrowestProse = 40
  static let widestProse = 130
  /// Share of the width from which a line is full: programs that wrap prose evenly stay this close to it.
  private static let fullShare = 0.85
  /// Share of the width for prose wrapped by hand; a paragraph's last line, a greeting and a title are shorter.
  private static let proseShare = 0.6
  /// Width from which a full line of records may have been wrapped, in characters.
  private static let wideRecord = 50
  /// Longest name of a field, in characters and in spaces.
  private static let longestName = (characters: 40, spaces: 3)

  private var isOwn: [Bool]
  private var goesOn: [Bool]

  init(_ lines: [String]) {
    isOwn = [Bool](repeating: false, count: lines.count)
    goesOn = isOwn
    var pairs: [(lines: Range<Int>, shapes: [Shape])] = []
    var (records, prose) = (0, 0)
    var first = 0
    while first < lines.count {
      var shapes: [Shape] = []
      while first + shapes.count < lines.count, let shape = Self.shape(lines[first + shapes.count]) {
        goesOn[first + shapes.count] = shape.goesOn
        shapes.append(shape)
      }
      let run = first..<first + shapes.count
      if run.count > 1, Self.isRecord(shapes) {
        records += run.count
        mark(run, shapes, isRecord: true)
      } else if run.count > 2 {
        prose += run.count
        mark(run, shapes, isRecord: false)
      } else if run.count == 2 {
        pairs.append((run, shapes))
      }
      first = run.upperBound + 1
    }
    // Two lines alone tell too little.
    for pair in pairs { mark(pair.lines, pair.shapes, isRecord: records > prose) }
  }

  /// Indicates whether a line begins a paragraph.
  func isOwn(_ line: Int) -> Bool { isOwn[line] }

  /// Indicates whether a line begins in the middle of a sentence.
  func goesOn(_ line: Int) -> Bool { goesOn[line] }

  /// Makes each line of a block a block of its own where most begin with a name and a colon, in whatever format.
  static func separateFields(_ lines: inout [DocumentLine]) {
    var first = 0
    while first < lines.count {
      var end = first + 1
      while end < lines.count, goesOnBlock(lines[end], after: lines[first]) { end += 1 }
      if end > first + 1, lines[first].role == .body {
        let shapes = lines[first..<end].compactMap { shape($0.text) }
        if shapes.count == end - first, areFields(shapes) {
          let width = width(shapes)
          for index in 1..<shapes.count {
            lines[first + index].startsBlock = ends(
              shapes[index - 1], before: shapes[index], width, isRecord: true)
          }
        }
      }
      first = end
    }
  }

  private static func goesOnBlock(_ line: DocumentLine, after first: DocumentLine) -> Bool {
    !line.startsBlock && line.role == first.role && line.isHidden == first.isHidden && !LineText.isBlank(line.text)
  }

  private static func areFields(_ shapes: [Shape]) -> Bool {
    let fields = shapes.count(where: \.isField)
    return shapes.count == 2 ? fields == 2 : fields * 2 >= shapes.count
  }

  /// Indicates whether a line is the last of its paragraph.
  private static func ends(_ line: Shape, before next: Shape, _ width: Int, isRecord: Bool) -> Bool {
    if isRecord, next.isField { return true }
    if next.goesOn || line.isDecided { return false }
    if isRecord, width < wideRecord { return true }
    return !fills(isRecord ? fullShare : proseShare, of: width, line, before: next)
  }

  private mutating func mark(_ run: Range<Int>, _ shapes: [Shape], isRecord: Bool) {
    let width = Self.width(shapes)
    for index in 1..<shapes.count {
      isOwn[run.lowerBound + index] = Self.ends(
        shapes[index - 1], before: shapes[index], width, isRecord: isRecord)
    }
  }

  private static func isRecord(_ shapes: [Shape]) -> Bool {
    if areFields(shapes) || shapes.count == 2 { return areFields(shapes) }
    let width = width(shapes)
    var (short, goingOn) = (0, 0)
    for (line, next) in zip(shapes, shapes.dropFirst()) {
      if !fills(fullShare, of: width, line, before: next) { short += 1 }
      if next.goesOn { goingOn += 1 }
    }
    return short * 2 >= shapes.count - 1 && goingOn * 2 < shapes.count
  }

  private static func width(_ shapes: [Shape]) -> Int {
    shapes.reduce(narrowestProse) { $1.length > widestProse ? $0 : max($0, $1.length) }
  }

  private static func fills(_ share: Double, of width: Int, _ line: Shape, before next: Shape) -> Bool {
    Double(line.length + 1 + next.firstWord) > Double(width) * share
  }

  /// - Returns: nil for a blank line.
  private static func shape(_ line: String) -> Shape? {
    let content = line.trimmed.unicodeScalars
    if content.isEmpty { return nil }
    // Marks of emphasis and of quotations are ignored.
    let first = content.first { !LineText.isSpace($0) && !"*_~>".unicodeScalars.contains($0) }
    let last = content.last { !LineText.isSpace($0) && !"*_~\\".unicodeScalars.contains($0) }
    var goesOn =
      first.map { $0.properties.isLowercase || ")]},;.:%&(!?/…»”’<`".unicodeScalars.contains($0) } ?? false
    // Programs that wrap Markdown do not break links.
    if first == "[" { goesOn = line.contains("](") || line.contains("][") }
    return Shape(
      length: content.count,
      // Between ideographs a line may end anywhere.
      firstWord: content.prefix { !LineText.isSpace($0) && !$0.properties.isIdeographic }.count,
      isField: isField(content), goesOn: goesOn,
      isDecided: last.map { ".!?…。！？؟।,;:-–—(/&+=、，：；،؛".unicodeScalars.contains($0) } ?? false)
  }

  private static func isField(_ content: String.UnicodeScalarView) -> Bool {
    if isTime(content) { return true }
    let name = content.prefix(longestName.characters).prefix { $0 != ":" && $0 != "：" }
    let rest = content.dropFirst(name.count)
    guard let colon = rest.first, !name.isEmpty, name.count < longestName.characters,
      name.count(where: LineText.isSpace) <= longestName.spaces
    else { return false }
    let next = rest.dropFirst().first { !"*_".unicodeScalars.contains($0) }
    return colon == "：" || next.map(LineText.isSpace) ?? true
  }

  /// Indicates whether a line begins with a time or date, as in logs and conversations: "12:03",
  /// "[2026-05-14T12:03:11Z]", "14.05.2026".
  private static func isTime(_ content: String.UnicodeScalarView) -> Bool {
    let word = content.prefix { !LineText.isSpace($0) }.prefix(longestName.characters)
    let parts = word.split { "[]():-./TZ+,;".unicodeScalars.contains($0) }
    return (parts.count > 2 || parts.count == 2 && word.contains(":"))
      && parts.allSatisfy { $0.allSatisfy { $0.properties.numericType == .decimal } }
  }
}
