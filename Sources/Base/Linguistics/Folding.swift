import Foundation

/// Folds characters for comparison: no case, no diacritics, no compatibility variants.
package enum Folding {
  /// Returns the folded form of a text; ASCII stays one byte a character.
  package static func fold(_ text: String) -> String {
    var folded = ""
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &folded) }
    return folded
  }

  static func append(_ scalar: Unicode.Scalar, to folded: inout String) {
    let value = scalar.value
    if value < 0x80 {
      let isUpper = value >= 0x41 && value <= 0x5a
      folded.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(value) | 0x20) : scalar)
    } else if value < tableEnd {
      folded += table[Int(value) - 0x80]
    } else {
      folded += general(scalar)
    }
  }

  private static let tableEnd: UInt32 = 0x530
  /// Folded forms of Latin, Greek and Cyrillic, computed once.
  private static let table: [String] = (0x80..<tableEnd).map { value in
    Unicode.Scalar(value).map(general) ?? ""
  }

  /// Letters that Unicode does not decompose but that people type as others.
  private static let special: [UInt32: String] = [
    0xdf: "ss", 0x1e9e: "ss", 0xe6: "ae", 0xf8: "o", 0x111: "d", 0xf0: "d", 0xfe: "th", 0x127: "h", 0x131: "i",
    0x142: "l", 0x153: "oe", 0x167: "t", 0x3c2: "σ", 0x649: "ي", 0x6cc: "ي", 0x6a9: "ك", 0x640: "",
  ]

  private static func general(_ scalar: Unicode.Scalar) -> String {
    if CharacterClass.of(scalar) == .ignorable { return "" }
    if scalar.properties.generalCategory == .decimalNumber, let digit = scalar.properties.numericValue {
      return String(Int(digit))
    }
    let decomposes = (0x80..<0x700).contains(scalar.value) || (0x1e00..<0x2000).contains(scalar.value)
    let text = String(Character(scalar))
    let resolved =
      decomposes ? text.decomposedStringWithCompatibilityMapping : text.precomposedStringWithCompatibilityMapping
    var folded = ""
    for part in resolved.unicodeScalars where !(decomposes && isDropped(part.value)) {
      for lower in part.properties.lowercaseMapping.unicodeScalars where !(decomposes && isDropped(lower.value)) {
        if let other = special[lower.value] { folded += other } else { folded.unicodeScalars.append(lower) }
      }
    }
    return folded
  }

  /// Indicates whether the mark is a diacritic of Latin, Greek, Cyrillic, Hebrew or Arabic; marks of other scripts are
  /// part of the letter.
  private static func isDropped(_ value: UInt32) -> Bool {
    switch value {
    case 0x300...0x36f, 0x483...0x487, 0x591...0x5c7, 0x610...0x61a, 0x64b...0x65f, 0x670, 0x6d6...0x6ed: true
    default: false
    }
  }
}
