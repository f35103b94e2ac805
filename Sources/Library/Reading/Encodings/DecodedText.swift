import CGLib
import Documents

/// Text of a file, decoded to UTF-8.
struct DecodedText {
  let utf8: [UInt8]
  /// Indicates whether the file goes on behind the limit.
  let isCut: Bool

  /// - Parameters:
  ///   - limit: largest number of characters.
  ///   - declared: name of the encoding that the text itself states (HTML), used where no byte order mark contradicts
  ///     it.
  /// - Throws: `.binary` where the bytes are no text.
  init(_ bytes: UnsafeRawBufferPointer, limit: Int, declared: String? = nil) throws(ReadingFailure) {
    let most = min(bytes.count, max(limit, 1).multipliedReportingOverflow(by: 4).partialValue.magnitudeOrMax)
    let head = UnsafeRawBufferPointer(rebasing: bytes[..<most])
    isCut = most < bytes.count
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      utf8 = Array(head.dropFirst(3))
      if utf8.prefix(1 << 16).contains(0) { throw .binary }
    } else if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      utf8 = Self.decodeUTF32(head.dropFirst(4), isLittle: head[0] == 0xFF)
    } else if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      utf8 = Self.decodeUTF16(head.dropFirst(2), isLittle: head[0] == 0xFF)
    } else {
      utf8 = try Self.decodeUnmarked(head, isCut: isCut, declared: declared)
    }
  }

  /// Wraps text that is already UTF-8.
  init(utf8: [UInt8], isCut: Bool = false) {
    (self.utf8, self.isCut) = (utf8, isCut)
  }

  private static func decodeUnmarked(
    _ bytes: UnsafeRawBufferPointer, isCut: Bool, declared: String?
  ) throws(ReadingFailure) -> [UInt8] {
    let statistics = ByteStatistics(bytes, isCut: isCut)
    if let isLittle = statistics.looksLikeUTF16 { return decodeUTF16(bytes[...], isLittle: isLittle) }
    if statistics.isBinary { throw .binary }
    // Many well-formed sequences and few ill-formed ones are damaged UTF-8, not another encoding.
    if statistics.brokenCount == 0 || statistics.brokenCount * 10 < statistics.soundCount { return Array(bytes) }
    if let declared, let text = LegacyEncoding.decode(bytes, from: declared) { return text }
    if let name = LegacyEncoding.guess(bytes), let text = LegacyEncoding.decode(bytes, from: name) { return text }
    if statistics.unassignedCount * 20 > statistics.brokenCount { throw .binary }
    return LegacyEncoding.decodeWindows1252(bytes)
  }

  private static func decodeUTF16(_ bytes: Slice<UnsafeRawBufferPointer>, isLittle: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? second << 8 | first : first << 8 | second)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func decodeUTF32(_ bytes: Slice<UnsafeRawBufferPointer>, isLittle: Bool) -> [UInt8] {
    var text = String.UnicodeScalarView()
    var index = bytes.startIndex
    while index + 3 < bytes.endIndex {
      var value: UInt32 = 0
      for offset in 0..<4 { value = value << 8 | UInt32(bytes[index + (isLittle ? 3 - offset : offset)]) }
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      index += 4
    }
    return Array(String(text).utf8)
  }
}

extension Int {
  fileprivate var magnitudeOrMax: Int { self < 0 ? Int.max : self }
}

extension DecodedText {
  /// Calls `body` with each line, without its line break, until it returns false.
  func forEachLine(_ body: (String) -> Bool) {
    utf8.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
        let line = String(decoding: bytes[start..<end], as: UTF8.self)
        if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { end += 1 }
        if !body(line) { return }
        start = end + 1
      }
    }
  }

  /// Lines without their line breaks.
  var lines: [String] {
    var lines: [String] = []
    forEachLine {
      lines.append($0)
      return true
    }
    return lines
  }
}

/// Byte statistics that tell text from binary data.
private struct ByteStatistics {
  private(set) var soundCount = 0
  private(set) var brokenCount = 0
  /// Number of bytes to which Windows-1252 assigns no character.
  private(set) var unassignedCount = 0
  private var zeroCounts = (even: 0, odd: 0)
  private var controlCount = 0
  private let count: Int

  init(_ bytes: UnsafeRawBufferPointer, isCut: Bool) {
    count = bytes.count
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        if byte == 0 {
          if index.isMultiple(of: 2) { zeroCounts.even += 1 } else { zeroCounts.odd += 1 }
        } else if byte < 0x20, ![8, 9, 10, 12, 13, 27].contains(byte) {
          controlCount += 1
        }
        index += 1
        continue
      }
      let length = Self.sequenceLength(bytes, index)
      if length > 0 {
        soundCount += 1
        index += length
      } else {
        // A sequence that the limit cuts off is not ill-formed.
        if !(isCut && index + 4 > bytes.count) { brokenCount += 1 }
        if [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) { unassignedCount += 1 }
        index += 1
      }
    }
  }

  /// Returns the length of the well-formed UTF-8 sequence of two to four bytes at the index, or 0.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
    let length: Int
    switch bytes[index] {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return 0
    }
    guard index + length <= bytes.count else { return 0 }
    for offset in 1..<length where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    switch (bytes[index], bytes[index + 1]) {
    case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return 0
    default: return length
    }
  }

  /// Endianness of UTF-16, true for little-endian, where nearly every other byte is zero, as in Western text; nil
  /// otherwise.
  var looksLikeUTF16: Bool? {
    let half = count / 2
    guard count >= 8, controlCount * 20 <= count else { return nil }
    if zeroCounts.odd * 10 > half * 7, zeroCounts.even == 0 { return true }
    if zeroCounts.even * 10 > half * 7, zeroCounts.odd == 0 { return false }
    return nil
  }

  /// Indicates whether the bytes are no text. One zero byte in a thousand is damage, as in logs after a crash; more are
  /// binary.
  var isBinary: Bool { (zeroCounts.even + zeroCounts.odd) * 1_000 > count || controlCount * 50 > count + 100 }
}
