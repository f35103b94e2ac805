/// Chunks of a PNG file (ISO/IEC 15948), each with its length and checksum verified.
struct PNGChunks {
  struct Chunk {
    var name: String
    /// Position of the chunk's data within the file.
    var data: Range<Int>
    /// Position of the whole chunk: length, name, data, checksum.
    var whole: Range<Int>
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Number of chunks after which reading stops.
  static let maximumChunkCount = 100_000

  let bytes: [UInt8]
  let chunks: [Chunk]
  let width: Int
  let height: Int

  /// Reads the chunks up to `IEND`.
  /// - Throws: ``ImageError/badPicture(reason:)`` for anything that is cut off, damaged or out of order.
  init(_ bytes: [UInt8]) throws(ImageError) {
    guard bytes.starts(with: Self.signature) else { throw .badPicture(reason: "it is not a PNG file") }
    self.bytes = bytes
    var chunks: [Chunk] = []
    var place = Self.signature.count
    repeat {
      guard bytes.count - place >= 12 else { throw .badPicture(reason: "it is cut off at byte \(bytes.count)") }
      let length = Int(Self.word(bytes, place))
      guard length <= 0x7FFF_FFFF, length <= bytes.count - place - 12 else {
        throw .badPicture(reason: "the chunk at byte \(place) is longer than the file")
      }
      let name = bytes[place + 4..<place + 8]
      guard name.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) }) else {
        throw .badPicture(reason: "the chunk at byte \(place) has an invalid name")
      }
      let end = place + 8 + length
      guard PNGChecksum.of(bytes[place + 4..<end]) == Self.word(bytes, end) else {
        throw .badPicture(reason: "the checksum of the chunk at byte \(place) is wrong")
      }
      chunks.append(
        Chunk(name: String(decoding: name, as: UTF8.self), data: place + 8..<end, whole: place..<end + 4))
      place = end + 4
    } while chunks.last?.name != "IEND" && chunks.count < Self.maximumChunkCount
    guard let header = chunks.first, header.name == "IHDR", header.data.count == 13, chunks.last?.name == "IEND"
    else {
      throw .badPicture(reason: "its first chunk is not a header, or its last one not an end")
    }
    self.chunks = chunks
    (width, height) = (
      Int(Self.word(bytes, header.data.lowerBound)), Int(Self.word(bytes, header.data.lowerBound + 4))
    )
    guard (1...16_384).contains(width), (1...16_384).contains(height) else {
      throw .badPicture(reason: "it is \(width) × \(height) pixels large")
    }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the text of a keyword from `tEXt` or uncompressed `iTXt`, or nil.
  func text(_ keyword: String) -> String? {
    for chunk in chunks where ["tEXt", "iTXt"].contains(chunk.name) {
      let data = bytes[chunk.data]
      guard let end = data.firstIndex(of: 0), String(decoding: data[..<end], as: UTF8.self) == keyword else {
        continue
      }
      let rest = data[(end + 1)...]
      if chunk.name == "tEXt" { return String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) })) }
      // Compression flag and method, language, translated keyword, text.
      guard rest.count >= 2, rest.first == 0 else { continue }
      let parts = rest.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3 { return String(decoding: parts[2], as: UTF8.self) }
    }
    return nil
  }

  /// Encodes one chunk.
  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
    let body = Array(name.utf8) + data
    return word(UInt32(data.count)) + body + word(PNGChecksum.of(body[...]))
  }
}

/// Checksum of PNG chunks (CRC-32 of ISO 3309).
enum PNGChecksum {
  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}
