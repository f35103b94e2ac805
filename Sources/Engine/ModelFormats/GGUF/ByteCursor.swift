/// Reads little-endian values from the front of some bytes, never past their end.
struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws(GGUFError) -> T {
    try require(UInt64(MemoryLayout<T>.size))
    defer { position += MemoryLayout<T>.size }
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
  }

  /// A text preceded by its length.
  mutating func string(_ what: String, limit: Int) throws(GGUFError) -> String {
    let start = position
    let text = try stringBytes(what, limit: limit)
    guard let string = String(validating: text, as: UTF8.self) else { throw .notUTF8(atByte: start) }
    return string
  }

  mutating func stringBytes(_ what: String, limit: Int) throws(GGUFError) -> UnsafeRawBufferPointer {
    let length: UInt64 = try integer()
    guard length <= UInt64(limit) else {
      throw .beyondLimit(of: what, count: length, limit: UInt64(limit))
    }
    return try take(Int(length))
  }

  mutating func take(_ count: Int) throws(GGUFError) -> UnsafeRawBufferPointer {
    try require(UInt64(count))
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  func require(_ needed: UInt64) throws(GGUFError) {
    guard needed <= UInt64(remaining) else {
      throw .truncated(atByte: position, needed: needed, available: UInt64(remaining))
    }
  }
}
