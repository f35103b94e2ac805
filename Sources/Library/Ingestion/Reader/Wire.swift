/// Writes the fields of a message, little-endian, each of variable length behind its length.
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

  /// Hands over what was written so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// Reads the fields of a message that may say anything: nothing is taken for true before it is checked.
struct WireReader {
  /// The message breaks the form.
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

  /// A number from 0 to `most`.
  mutating func count(most: Int) throws(Malformed) -> Int {
    guard remaining >= 4 else { throw Malformed() }
    var value = 0
    for offset in 0..<4 { value |= Int(bytes[place + offset]) << (8 * offset) }
    place += 4
    guard value <= most else { throw Malformed() }
    return value
  }

  /// Text of at most `most` bytes; what is not UTF-8 becomes U+FFFD, line feeds and zeros become spaces.
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
