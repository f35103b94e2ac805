import Foundation

/// Plain archives in the form that `tar` reads (POSIX ustar, sizes beyond 8 GiB in GNU's way).
enum TarArchive {
  static let blockSize = 512

  /// Makes the header block of a member.
  static func header(name: String, byteCount: Int) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: blockSize)
    func put(_ text: String, at place: Int, count: Int) {
      for (index, byte) in text.utf8.prefix(count).enumerated() { block[place + index] = byte }
    }
    put(name, at: 0, count: 100)
    put("0000600", at: 100, count: 8)
    put("0000000", at: 108, count: 8)
    put("0000000", at: 116, count: 8)
    if byteCount < 1 << 33 {
      put(octal(byteCount, digits: 11), at: 124, count: 12)
    } else {
      block[124] = 0x80
      for index in 0..<8 { block[128 + index] = UInt8(truncatingIfNeeded: byteCount >> (56 - 8 * index)) }
    }
    put(octal(Int(Date().timeIntervalSince1970), digits: 11), at: 136, count: 12)
    block[156] = UInt8(ascii: "0")
    put("ustar", at: 257, count: 6)
    put("00", at: 263, count: 2)
    put(octal(checksum(block), digits: 6) + "\0 ", at: 148, count: 8)
    return block
  }

  /// Reads a header block; nil at the end of the archive, or where it is no header block.
  static func member(_ block: [UInt8]) -> (name: String, byteCount: Int)? {
    guard block.count == blockSize, block[257..<262].elementsEqual("ustar".utf8),
      number(block[148..<156]) == checksum(block), [0, UInt8(ascii: "0")].contains(block[156])
    else { return nil }
    let name = String(decoding: block[0..<100].prefix { $0 != 0 }, as: UTF8.self)
    let size: Int?
    if block[124] == 0x80 {
      size = block[128] < 0x40 ? block[128..<136].reduce(0) { $0 << 8 | Int($1) } : nil
    } else {
      size = number(block[124..<136])
    }
    guard let size, size >= 0, !name.isEmpty else { return nil }
    return (name, size)
  }

  private static func octal(_ value: Int, digits: Int) -> String {
    let text = String(max(0, value), radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = bytes.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    return text.isEmpty ? nil : Int(String(decoding: text, as: UTF8.self), radix: 8)
  }

  /// Sum of all bytes of a header, its own eight counted as spaces.
  private static func checksum(_ block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
  }
}
