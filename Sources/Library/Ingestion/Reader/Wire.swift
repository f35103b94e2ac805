/// Encoder of message fields: little-endian integers, text prefixed by its length.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  mutating func write(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(count: Int) {
    withUnsafeBytes(of: UInt32(clamping: count).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 {
      write(count: $0.count)
      bytes.append(contentsOf: $0)
    }
  }

  mutating func write(optional text: String?) {
    write(text == nil ? UInt8(0) : 1)
    if let text { write(text) }
  }

  /// Returns the bytes written so far and empties the buffer.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// Decoder of message fields from an untrusted process: every length is checked before it is used.
struct WireReader {
  /// The message is malformed.
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }
  var remaining: Int { bytes.count - place }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard place < bytes.count else { throw Malformed() }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number() throws(Malformed) -> Int {
    guard remaining >= 8 else { throw Malformed() }
    var value: UInt64 = 0
    for offset in 0..<8 { value |= UInt64(bytes[place + offset]) << UInt64(8 * offset) }
    place += 8
    return Int(Int64(bitPattern: value))
  }

  /// Decodes a number from 0 to `most`.
  mutating func count(most: Int) throws(Malformed) -> Int {
    guard remaining >= 4 else { throw Malformed() }
    var value = 0
    for offset in 0..<4 { value |= Int(bytes[place + offset]) << (8 * offset) }
    place += 4
    guard value <= most else { throw Malformed() }
    return value
  }

  /// Decodes text of at most `most` bytes; invalid UTF-8 becomes U+FFFD, line feeds and zeros become spaces.
  mutating func text(most: Int) throws(Malformed) -> String {
    let count = try count(most: most)
    guard count <= remaining else { throw Malformed() }
    defer { place += count }
    let slice = bytes[place..<place + count]
    guard !slice.contains(where: { $0 == 0x0a || $0 == 0 }) else {
      return String(decoding: slice.map { $0 == 0x0a || $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    }
    return String(decoding: slice, as: UTF8.self)
  }

  mutating func optionalText(most: Int) throws(Malformed) -> String? {
    try byte() == 0 ? nil : try text(most: most)
  }
}
