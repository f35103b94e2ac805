/// A set of scalars in the terms of pre-tokenizer rules: classes, single characters and ranges.
///
/// Rules are matched as the reference matches them: a non-ASCII space reads as U+000B, and ASCII `~` is in no class.
struct ScalarSet: Sendable {
  /// Membership of the 128 ASCII characters.
  private var ascii: (UInt64, UInt64) = (0, 0)
  /// Classes whose scalars beyond ASCII are members.
  private(set) var classes: UInt8 = 0
  /// Ranges beyond ASCII whose scalars are members.
  private(set) var ranges: [ClosedRange<UInt32>] = []
  private(set) var isNegated = false

  init(_ classes: ScalarClass = [], _ characters: String = "", ranges: [ClosedRange<UInt32>] = []) {
    self.classes = classes.rawValue
    for scalar in UInt32(0)..<128 where scalar != 0x7E {
      if UnicodeClasses.classes[Int(scalar)] & classes.rawValue != 0 { insert(scalar) }
    }
    for scalar in characters.unicodeScalars { add(scalar.value...scalar.value) }
    for range in ranges { add(range) }
  }

  /// All that is not in this set.
  var negated: ScalarSet {
    var set = self
    set.isNegated.toggle()
    return set
  }

  /// This set without some ASCII characters.
  func excluding(_ characters: ClosedRange<Character>) -> ScalarSet {
    var set = self
    for scalar in UInt32(characters.lowerBound.asciiValue ?? 0)...UInt32(characters.upperBound.asciiValue ?? 0) {
      if scalar < 64 { set.ascii.0 &= ~(1 << UInt64(scalar)) } else { set.ascii.1 &= ~(1 << UInt64(scalar - 64)) }
    }
    return set
  }

  /// This set without ranges beyond ASCII.
  func excluding(_ removed: [ClosedRange<UInt32>]) -> ScalarSet {
    var set = self
    set.removed = removed
    return set
  }
  private(set) var removed: [ClosedRange<UInt32>] = []

  /// Indicates whether membership beyond ASCII depends on more than a scalar's class.
  var dependsOnRanges: Bool { !ranges.isEmpty || !removed.isEmpty }

  func contains(ascii scalar: UInt32) -> Bool {
    let isIn = scalar < 64 ? ascii.0 >> UInt64(scalar) & 1 : ascii.1 >> UInt64(scalar - 64) & 1
    return (isIn != 0) != isNegated
  }

  func contains(_ scalar: UInt32, class scalarClass: UInt8) -> Bool {
    var isIn = scalarClass & classes != 0
    if !ranges.isEmpty, !isIn { isIn = ranges.contains { $0.contains(scalar) } }
    if !removed.isEmpty, isIn { isIn = !removed.contains { $0.contains(scalar) } }
    return isIn != isNegated
  }

  private mutating func add(_ range: ClosedRange<UInt32>) {
    for scalar in range where scalar < 128 { insert(scalar) }
    if range.upperBound >= 128 { ranges.append(max(128, range.lowerBound)...range.upperBound) }
  }

  private mutating func insert(_ scalar: UInt32) {
    if scalar < 64 { ascii.0 |= 1 << UInt64(scalar) } else { ascii.1 |= 1 << UInt64(scalar - 64) }
  }
}
