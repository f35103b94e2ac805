extension KeyDecoder {
  /// Returns the key of one control byte, or nil for a byte that is text.
  static func key(ofControl byte: UInt8) -> Key? {
    switch byte {
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x00: .control("@")
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x1B...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
    default: nil
    }
  }

  /// Returns the key of a control sequence's final byte and parameters (xterm, VT220, rxvt and CSI u forms).
  static func key(ofFinal final: UInt8, numbers: [Int]) -> Key {
    let modifiers = (numbers.count > 1 ? max(numbers[1], 1) : 1) - 1
    let isByWord = modifiers & 0b110 != 0  // Alt or Ctrl
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
    case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
    case UInt8(ascii: "c"): return .wordRight
    case UInt8(ascii: "d"): return .wordLeft
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "Z"): return .backTab
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "u"): return key(ofCode: numbers.first ?? 0, modifiers: modifiers)
    case UInt8(ascii: "~"): return key(ofNumber: numbers, modifiers: modifiers)
    default: return .unknown
    }
  }

  private static func key(ofNumber numbers: [Int], modifiers: Int) -> Key {
    switch numbers.first ?? 0 {
    case 1, 7: .home
    case 2: .insert
    case 3: modifiers & 0b110 != 0 ? .deleteWordForward : .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 27 where numbers.count > 2: key(ofCode: numbers[2], modifiers: modifiers)
    default: .unknown
    }
  }

  /// Returns the key of a code point and modifiers (1 shift, 2 alt, 4 ctrl).
  private static func key(ofCode code: Int, modifiers: Int) -> Key {
    switch code {
    case 13: return modifiers == 0 ? .enter : .newline
    case 9: return modifiers & 1 != 0 ? .backTab : .tab
    case 27: return .escape
    case 8, 127: return modifiers & 0b110 != 0 ? .deleteWordBack : .backspace
    default:
      guard let value = UInt32(exactly: code), value >= 0x20, let scalar = Unicode.Scalar(value) else {
        return .unknown
      }
      if modifiers & 4 != 0 { return .control(Character(String(scalar).lowercased())) }
      if modifiers & 2 != 0 { return .alt(Character(scalar)) }
      return .text(String(scalar))
    }
  }
}
