/// Role of a character in a word.
enum CharacterClass: UInt8 {
  /// Ends a word.
  case separator
  case letter, digit
  /// Belongs to a word but is not compared (soft hyphen, joiners, variation selectors).
  case ignorable
  /// Chinese, Japanese and Korean characters: indexed as bigrams.
  case ideograph
  /// Scripts without spaces whose single letters mean little: indexed as trigrams.
  case spaceless

  static let ascii: [CharacterClass] = (0..<128).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    default: .separator
    }
  }

  /// Returns the class of a character outside ASCII.
  static func of(_ scalar: Unicode.Scalar) -> CharacterClass {
    switch scalar.value {
    case 0xad, 0x200c, 0x200d, 0x2060, 0xfeff, 0xfe00...0xfe0f: return .ignorable
    case 0xb2, 0xb3, 0xb9, 0x2070...0x207f, 0xd7, 0xf7: return .separator
    case 0xaa, 0xb5, 0xba, 0xc0...0x24f, 0x370...0x373, 0x386, 0x388...0x3ff, 0x400...0x481, 0x48a...0x52f:
      return .letter
    case 0x2080...0x2089: return .letter
    case 0x3005...0x3007, 0x3041...0x309f, 0x30a1...0x30fa, 0x30fc...0x30ff, 0x3105...0x312f, 0x31a0...0x31bf,
      0x31f0...0x31ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3, 0xf900...0xfaff, 0xff66...0xff9f,
      0x20000...0x3fffd:
      return .ideograph
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff:
      let properties = scalar.properties
      if properties.generalCategory == .decimalNumber { return .digit }
      return properties.isAlphabetic || isMark(properties.generalCategory) ? .spaceless : .separator
    default:
      let properties = scalar.properties
      switch properties.generalCategory {
      case .decimalNumber: return .digit
      case .nonspacingMark, .spacingMark, .enclosingMark: return .letter
      default: return properties.isAlphabetic ? .letter : .separator
      }
    }
  }

  static func isMark(_ category: Unicode.GeneralCategory) -> Bool {
    category == .nonspacingMark || category == .spacingMark || category == .enclosingMark
  }
}
