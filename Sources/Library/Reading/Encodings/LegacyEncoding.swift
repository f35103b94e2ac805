import CGLib

/// Decodes encodings from before Unicode.
enum LegacyEncoding {
  /// Code points of the bytes 0x80 to 0x9F; 0 where none is assigned.
  private static let windows1252: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D,
    0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]

  /// Decodes Windows-1252, the encoding of most old Western files.
  static func decodeWindows1252(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        utf8.append(byte)
        continue
      }
      utf8.append(contentsOf: String(windows1252Scalar(byte)).utf8)
    }
    return utf8
  }

  /// Returns the character of one byte; U+FFFD where none is assigned.
  static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    let value = windows1252[Int(byte) - 0x80]
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Converts from a named encoding; nil where the name is unknown or the bytes do not fit it.
  static func decode(_ bytes: UnsafeRawBufferPointer, from name: String) -> [UInt8]? {
    switch name.lowercased() {
    case "utf-8", "utf8", "": return nil
    case "iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252", "cp1252":
      return decodeWindows1252(bytes)  // as browsers do
    default: break
    }
    guard name.utf8.count < 32, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    var (written, read): (gsize, gsize) = (0, 0)
    guard
      let result = g_convert(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), "UTF-8", name, &read,
        &written, nil)
    else { return nil }
    defer { g_free(result) }
    return Array(UnsafeRawBufferPointer(start: result, count: Int(written)))
  }

  /// Detects the encoding where the evidence is strong: Japanese by its kana, Cyrillic by its long runs of letters.
  static func guess(_ bytes: UnsafeRawBufferPointer) -> String? {
    let sample = UnsafeRawBufferPointer(rebasing: bytes.prefix(1 << 16))
    var (high, inRuns, run, lower, upper) = (0, 0, 0, 0, 0)
    for byte in sample {
      if byte >= 0x80 {
        high += 1
        run += 1
        if byte >= 0xE0 { lower += 1 } else if byte >= 0xC0 { upper += 1 }
      } else {
        if run >= 3 { inRuns += run }
        run = 0
      }
    }
    if run >= 3 { inRuns += run }
    // Western text has single letters beyond ASCII, hardly ever three in a row.
    guard high >= 12, inRuns * 10 > high * 7 else { return nil }
    for name in ["CP932", "EUC-JP"] where kanaShare(sample, name) > 0.2 { return name }
    guard (lower + upper) * 10 > high * 9 else { return nil }
    return lower > 2 * upper ? "CP1251" : upper > 2 * lower ? "KOI8-R" : nil
  }

  private static func kanaShare(_ sample: UnsafeRawBufferPointer, _ name: String) -> Double {
    // The sample may end inside a character, which would fail as a whole.
    for length in [sample.count, sample.count - 1] where length > 0 {
      guard let text = decode(UnsafeRawBufferPointer(rebasing: sample[..<length]), from: name) else { continue }
      var (kana, other) = (0, 0)
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
        if (0x3041...0x30FE).contains(scalar.value) { kana += 1 } else { other += 1 }
      }
      return Double(kana) / Double(max(kana + other, 1))
    }
    return 0
  }
}
