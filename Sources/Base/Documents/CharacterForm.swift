import Foundation

/// Treatment of a character in running text.
enum CharacterForm {
  /// Kept as it is, unless a combining mark follows it.
  case plain
  case space
  /// Dropped: controls, direction marks, soft hyphens, tags.
  case dropped
  /// Combined with the character before it.
  case mark
  /// Expanded or composed where needed.
  case other

  /// Indicates whether nothing of it is visible.
  var isUnseen: Bool { self == .space || self == .dropped }

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    switch value {
    case 0x20: self = .space
    case 0x21...0x7e: self = .plain
    case 0x09...0x0d, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000: self = .space
    case 0..<0x20, 0x7f..<0xa0, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x202a...0x202e, 0x2060...0x206f,
      0xfeff,
      0xfff9...0xfffc, 0xe0000...0xe007f:
      self = .dropped
    case 0xc0...0x131, 0x134...0x13e, 0x141...0x148, 0x14a...0x17e, 0x391...0x3a9, 0x3b1...0x3c9, 0x400...0x481,
      0x5d0...0x5ea, 0x621...0x64a, 0x2012...0x2015, 0x2018...0x2023, 0x3001...0x3030, 0x3041...0x3094,
      0x30a1...0x30fe, 0x4e00...0x9fff, 0xac00...0xd7a3, 0xff01, 0xff0c, 0xff1a, 0xff1b, 0xff1f:
      self = .plain
    case 0x300...0x36f, 0x3099, 0x309a, 0x1160...0x11ff, 0x200c, 0x200d: self = .mark
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
      default: self = .other
      }
    }
  }

  /// Returns the composed form of a character with its marks; compatibility forms are expanded where that keeps the
  /// sense.
  static func expanded(_ unit: String) -> String {
    guard let first = unit.unicodeScalars.first, !keepsForm(first.value) else {
      return unit.precomposedStringWithCanonicalMapping
    }
    let expanded = unit.precomposedStringWithCompatibilityMapping
    // A spacing accent would become a space and a mark.
    return expanded.utf8.first == 0x20 ? unit : expanded
  }

  /// Indicates whether the plain form would mean something else: superscripts, subscripts, fractions, signs and
  /// full-width punctuation. "x²" is not "x2", and "。" ends a sentence without a space.
  private static func keepsForm(_ value: UInt32) -> Bool {
    switch value {
    case 0xaa, 0xb2, 0xb3, 0xb9, 0xba, 0xbc...0xbe, 0x2070...0x209c, 0x2120, 0x2122, 0x2150...0x215f, 0x2189,
      0x2460...0x24ff, 0x02b0...0x02ff, 0x1d2c...0x1d6a, 0xff02...0xff0f, 0xff1c...0xff20, 0xff3b...0xff40,
      0xff5b...0xff65:
      true
    default: false
    }
  }
}
