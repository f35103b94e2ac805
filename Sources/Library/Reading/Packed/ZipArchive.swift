import CGLib
import Documents

/// Zip file with its central directory; members are unpacked one at a time and against a budget.
struct ZipArchive {
  static let localMagic: [UInt8] = [0x50, 0x4B, 3, 4]
  static let endMagic: [UInt8] = [0x50, 0x4B, 5, 6]

  /// Entry of the central directory.
  struct Member {
    var name: String
    var method: Int
    var isEncrypted: Bool
    var packedByteCount: Int
    var byteCount: Int
    var headerOffset: Int
  }

  /// Members in the order of the directory.
  private(set) var members: [Member] = []
  private var places: [String: Int] = [:]
  private let bytes: ByteReader
  private var unpackedByteCount = 0

  private static let maximumMemberCount = 50_000
  private static let maximumMemberByteCount = 128 << 20
  private static let maximumByteCount = 256 << 20
  /// Largest compression ratio of members above ``harmlessByteCount``: text reaches 10 to 50; more is a zip bomb.
  private static let maximumRatio = 250
  private static let harmlessByteCount = 4 << 20

  /// - Throws: `.damaged` where the directory is missing or does not lie in the file, `.limit(.members, …)`.
  init(_ buffer: UnsafeRawBufferPointer) throws(ReadingFailure) {
    bytes = ByteReader(buffer)
    let directory = try Self.findDirectory(bytes)
    if directory.count > Self.maximumMemberCount { throw .limit(.members, Self.maximumMemberCount) }
    var offset = directory.offset
    for _ in 0..<directory.count {
      guard bytes.number(4, at: offset) == 0x0201_4B50 else { throw .damaged(detail: "zip directory") }
      let member = try Self.member(bytes, at: &offset)
      places[member.name] = places[member.name] ?? members.count
      members.append(member)
    }
  }

  /// Indicates whether there is a member of that name.
  func contains(_ name: String) -> Bool { place(of: name) != nil }

  private func place(of name: String) -> Int? {
    if let place = places[name] { return place }
    let folded = name.lowercased()
    return members.firstIndex { $0.name.lowercased() == folded }
  }

  /// Unpacks a member; nil where there is none of that name.
  /// - Throws: `.damaged`, `.encrypted`, or `.limit(.unpackedBytes, …)`.
  mutating func read(_ name: String) throws(ReadingFailure) -> [UInt8]? {
    guard let place = place(of: name) else { return nil }
    let member = members[place]
    if member.isEncrypted { throw .encrypted }
    let isSuspicious = member.byteCount > Self.harmlessByteCount
    if member.byteCount > Self.maximumMemberByteCount
      || (isSuspicious && member.byteCount / Self.maximumRatio > member.packedByteCount)
      || member.byteCount > Self.maximumByteCount - unpackedByteCount
    {
      throw .limit(.unpackedBytes, Self.maximumMemberByteCount)
    }
    unpackedByteCount += member.byteCount
    guard bytes.number(4, at: member.headerOffset) == 0x0403_4B50,
      let nameLength = bytes.number(2, at: member.headerOffset + 26),
      let extraLength = bytes.number(2, at: member.headerOffset + 28),
      let packed = bytes.slice(member.headerOffset + 30 + nameLength + extraLength, member.packedByteCount)
    else { throw .damaged(detail: "zip member \(name)") }
    switch member.method {
    case 0:
      guard packed.count == member.byteCount else { throw .damaged(detail: "zip member \(name)") }
      return Array(packed)
    case 8: return try Self.inflate(packed, to: member.byteCount, name: name)
    default: throw .unsupported(detail: "zip method \(member.method)")
    }
  }

  private static func inflate(
    _ packed: UnsafeRawBufferPointer, to count: Int, name: String
  ) throws(ReadingFailure) -> [UInt8] {
    guard let inflater = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW) else {
      throw .damaged(detail: "zip member \(name)")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
    // One byte more than announced, so that a member longer than its stated size is detected.
    var output = [UInt8](repeating: 0, count: count + 1)
    var (consumed, produced) = (0, 0)
    var isFinished = false
    while !isFinished, produced <= count {
      var (read, written): (gsize, gsize) = (0, 0)
      let result = output.withUnsafeMutableBytes { output in
        g_converter_convert(
          inflater, packed.baseAddress.map { $0 + consumed }, gsize(packed.count - consumed),
          output.baseAddress.map { $0 + produced }, gsize(output.count - produced), G_CONVERTER_INPUT_AT_END,
          &read,
          &written, nil)
      }
      guard result != G_CONVERTER_ERROR else { throw .damaged(detail: "zip member \(name)") }
      consumed += Int(read)
      produced += Int(written)
      isFinished = result == G_CONVERTER_FINISHED
    }
    guard isFinished, produced == count else { throw .damaged(detail: "zip member \(name)") }
    output.removeLast()
    return output
  }
}

// MARK: The directory

extension ZipArchive {
  /// Finds the offset of the central directory and the number of members from the end-of-directory record.
  private static func findDirectory(_ bytes: ByteReader) throws(ReadingFailure) -> (offset: Int, count: Int) {
    var end = bytes.count - 22
    let lowest = max(0, end - 0xFFFF)
    while end >= lowest, bytes.number(4, at: end) != 0x0605_4B50 { end -= 1 }
    guard end >= lowest, let count = bytes.number(2, at: end + 10), let size = bytes.number(4, at: end + 12),
      let offset = bytes.number(4, at: end + 16)
    else { throw .damaged(detail: "not a zip file, or cut off") }
    if count == 0xFFFF || offset == 0xFFFF_FFFF, bytes.number(4, at: end - 20) == 0x0706_4B50,
      let record = bytes.number(8, at: end - 12), bytes.number(4, at: record) == 0x0606_4B50,
      let count64 = bytes.number(8, at: record + 32), let offset64 = bytes.number(8, at: record + 48)
    {
      return (offset64, count64)
    }
    guard offset + size <= end else { throw .damaged(detail: "zip directory") }
    return (offset, count)
  }

  private static func member(_ bytes: ByteReader, at offset: inout Int) throws(ReadingFailure) -> Member {
    guard let flags = bytes.number(2, at: offset + 8), let method = bytes.number(2, at: offset + 10),
      var packed = bytes.number(4, at: offset + 20), var unpacked = bytes.number(4, at: offset + 24),
      let nameLength = bytes.number(2, at: offset + 28), let extraLength = bytes.number(2, at: offset + 30),
      let commentLength = bytes.number(2, at: offset + 32), var header = bytes.number(4, at: offset + 42),
      let name = bytes.slice(offset + 46, nameLength),
      bytes.slice(offset + 46, nameLength + extraLength + commentLength) != nil
    else { throw .damaged(detail: "zip directory") }
    var extra = offset + 46 + nameLength
    let extraEnd = extra + extraLength
    while extra + 4 <= extraEnd, let tag = bytes.number(2, at: extra), let size = bytes.number(2, at: extra + 2) {
      if tag == 1 {
        var field = extra + 4
        func next(_ value: inout Int) {
          guard value == 0xFFFF_FFFF, let wide = bytes.number(8, at: field) else { return }
          value = wide
          field += 8
        }
        next(&unpacked)
        next(&packed)
        next(&header)
      }
      extra += 4 + size
    }
    offset = extraEnd + commentLength
    let path = String(decoding: name, as: UTF8.self).split(separator: "\\").joined(separator: "/")
    return Member(
      name: path, method: method, isEncrypted: flags & 1 != 0, packedByteCount: packed, byteCount: unpacked,
      headerOffset: header)
  }
}

/// Reads little-endian numbers and slices, each checked against the end.
struct ByteReader {
  private let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  var count: Int { buffer.count }

  /// Returns the number of `width` bytes at the offset; nil where it does not lie in the buffer or exceeds 48 bits.
  func number(_ width: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset <= buffer.count - width else { return nil }
    var value: UInt64 = 0
    for index in (0..<width).reversed() { value = value << 8 | UInt64(buffer[offset + index]) }
    // A sum of two of these must not overflow.
    return value < 1 << 48 ? Int(value) : nil
  }

  /// Returns the bytes at the offset; nil where they do not lie in the buffer.
  func slice(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
    guard offset >= 0, length >= 0, offset <= buffer.count, length <= buffer.count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])
  }
}
