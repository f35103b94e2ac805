/// A string of a running template: scalars, each with a mark that says whether it came from outside.
///
/// The mark lies above the scalar's bits, so that whatever cuts, joins or rearranges scalars carries it along.
struct Text: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Scalars with ``outside`` set on those that are not from the template.
  var units: [UInt32]
  /// Indicates whether the text counts as markup that needs no escaping (Python's `Markup`).
  var isMarkup = false

  static let outside: UInt32 = 1 << 31
  static let scalarBits: UInt32 = 0x1F_FFFF

  init(units: [UInt32] = [], isMarkup: Bool = false) {
    self.units = units
    self.isMarkup = isMarkup
  }

  init(_ text: String, isTrusted: Bool = true) {
    let mark = isTrusted ? 0 : Self.outside
    units = text.unicodeScalars.map { $0.value | mark }
  }

  init(stringLiteral value: String) { self.init(value) }

  var count: Int { units.count }
  var isEmpty: Bool { units.isEmpty }

  var string: String {
    var view = String.UnicodeScalarView()
    for unit in units { view.append(Self.scalar(unit)) }
    return String(view)
  }

  static func scalar(_ unit: UInt32) -> Unicode.Scalar { Unicode.Scalar(unit & scalarBits) ?? "\u{FFFD}" }

  func value(at index: Int) -> UInt32 { units[index] & Self.scalarBits }

  static func == (left: Text, right: Text) -> Bool {
    left.units.count == right.units.count
      && zip(left.units, right.units).allSatisfy { ($0 ^ $1) & scalarBits == 0 }
  }

  static func == (left: Text, right: String) -> Bool { left == Text(right) }

  func hash(into hasher: inout Hasher) {
    for unit in units { hasher.combine(unit & Self.scalarBits) }
  }

  /// Orders by scalars, as Python does.
  static func < (left: Text, right: Text) -> Bool {
    left.units.lexicographicallyPrecedes(right.units) { $0 & scalarBits < $1 & scalarBits }
  }

  static func + (left: Text, right: Text) -> Text { Text(units: left.units + right.units) }

  static func += (left: inout Text, right: Text) { left.units.append(contentsOf: right.units) }

  static func += (left: inout Text, right: String) {
    left.units.append(contentsOf: right.unicodeScalars.lazy.map(\.value))
  }

  subscript(range: Range<Int>) -> Text { Text(units: Array(units[range]), isMarkup: isMarkup) }

  // MARK: Searching

  func hasPrefix(_ prefix: Text, at start: Int = 0) -> Bool {
    guard start >= 0, start + prefix.count <= count else { return false }
    for offset in 0..<prefix.count where (units[start + offset] ^ prefix.units[offset]) & Self.scalarBits != 0 {
      return false
    }
    return true
  }

  func hasSuffix(_ suffix: Text) -> Bool { suffix.count <= count && hasPrefix(suffix, at: count - suffix.count) }

  /// The first place of a text at or after a position.
  func firstIndex(of part: Text, from start: Int = 0) -> Int? {
    guard part.count <= count - start, start >= 0 else { return nil }
    guard let first = part.units.first else { return start }
    for position in start...(count - part.count)
    where (units[position] ^ first) & Self.scalarBits == 0 && hasPrefix(part, at: position) {
      return position
    }
    return nil
  }

  /// The last place of a text that ends at or before a position.
  func lastIndex(of part: Text, upTo end: Int? = nil) -> Int? {
    let end = end ?? count
    guard part.count <= end else { return nil }
    for position in (0...(end - part.count)).reversed() where hasPrefix(part, at: position) { return position }
    return nil
  }

  // MARK: Classes of scalars

  /// Indicates whether Python's `str.isspace` takes a scalar for a space.
  static func isSpace(_ unit: UInt32) -> Bool {
    switch unit & scalarBits {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
      true
    default: false
    }
  }

  /// Indicates whether Python's `str.splitlines` takes a scalar for the end of a line.
  static func isLineEnd(_ unit: UInt32) -> Bool {
    switch unit & scalarBits {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  // MARK: Changes

  func trimmed(left: Bool = true, right: Bool = true, where isTrimmed: (UInt32) -> Bool = Self.isSpace) -> Text {
    var (start, end) = (0, count)
    if left { while start < end, isTrimmed(units[start]) { start += 1 } }
    if right { while end > start, isTrimmed(units[end - 1]) { end -= 1 } }
    return self[start..<end]
  }

  /// Each scalar's other form, which keeps the scalar's mark.
  func mapped(_ change: (Int, Unicode.Scalar) -> String) -> Text {
    var result = Text(isMarkup: isMarkup)
    result.units.reserveCapacity(count)
    for (index, unit) in units.enumerated() {
      let mark = unit & Self.outside
      for scalar in change(index, Self.scalar(unit)).unicodeScalars { result.units.append(scalar.value | mark) }
    }
    return result
  }

  var uppercased: Text { mapped { _, scalar in scalar.properties.uppercaseMapping } }

  var lowercased: Text { mapped { index, _ in lowercaseMapping(at: index) } }

  /// The lowercase form of one scalar where it stands.
  func lowercaseMapping(at index: Int) -> String {
    let scalar = Self.scalar(units[index])
    guard scalar == "Σ" else { return scalar.properties.lowercaseMapping }
    return isFinalSigma(at: index) ? "ς" : "σ"
  }

  /// The condition Final_Sigma of the Unicode standard, section 3.13.
  private func isFinalSigma(at index: Int) -> Bool {
    func isCased(_ positions: some Sequence<Int>) -> Bool {
      for position in positions {
        let properties = Self.scalar(units[position]).properties
        if properties.isCaseIgnorable { continue }
        return properties.isCased
      }
      return false
    }
    return isCased((0..<index).reversed()) && !isCased(index + 1..<count)
  }
}
