import Foundation

/// Writes a segment file: under a temporary name first, synced, then renamed, so that a file of its name is always
/// complete.
package struct SegmentWriter {
  private let kind: SegmentFile.Kind
  private let version: UInt32
  private var sections: [(name: String, bytes: [UInt8])] = []

  /// Makes a writer of one kind.
  package init(kind: SegmentFile.Kind, version: UInt32) {
    self.kind = kind
    self.version = version
  }

  /// Adds a section; names have up to sixteen bytes of ASCII and differ.
  package mutating func add(_ name: String, _ bytes: [UInt8]) {
    precondition(name.utf8.count <= 16 && sections.count < SegmentFile.mostSections, "a section's name")
    sections.append((name, bytes))
  }

  /// Adds a section of values in their memory layout (little-endian on every supported machine).
  package mutating func add<Value: BitwiseCopyable>(_ name: String, values: [Value]) {
    add(name, values.withUnsafeBytes { Array($0) })
  }

  /// Encodes the whole file in memory.
  package func encoded() -> Data {
    let (header, offsets, length) = layout()
    var data = Data(count: length)
    data.replaceSubrange(0..<header.count, with: header)
    for (section, offset) in zip(sections, offsets) {
      data.replaceSubrange(offset..<offset + section.bytes.count, with: section.bytes)
    }
    return data
  }

  /// Writes the file; an existing one is replaced atomically.
  package func write(to url: URL) throws(SegmentError) {
    let temporary = url.deletingLastPathComponent().appending(
      path: SegmentWriter.temporaryPrefix + UUID().uuidString)
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: temporary.path, call: "open", code: errno) }
    do throws(SegmentError) {
      defer { close(descriptor) }
      let (header, offsets, _) = layout()
      var place = header.count
      try Self.write(header, to: descriptor, path: temporary.path)
      for (section, offset) in zip(sections, offsets) {
        try Self.write(Array(repeating: 0, count: offset - place), to: descriptor, path: temporary.path)
        try Self.write(section.bytes, to: descriptor, path: temporary.path)
        place = offset + section.bytes.count
      }
      guard fsync(descriptor) == 0 else { throw .system(path: temporary.path, call: "fsync", code: errno) }
      guard rename(temporary.path, url.path) == 0 else {
        throw .system(path: url.path, call: "rename", code: errno)
      }
    } catch {
      unlink(temporary.path)
      throw error
    }
    let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .system(path: url.path, call: "open", code: errno) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .system(path: url.path, call: "fsync", code: errno) }
  }

  /// Prefix of the names of unfinished files.
  static let temporaryPrefix = ".unfinished-"

  private func layout() -> (header: [UInt8], offsets: [Int], length: Int) {
    var header: [UInt8] = []
    func append<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { header.append(contentsOf: $0) }
    }
    let chunks = sections.reduce(0) {
      $0 + ($1.bytes.count + SegmentFile.chunkByteCount - 1) / SegmentFile.chunkByteCount
    }
    let headerLength = SegmentFile.headByteCount + SegmentFile.entryByteCount * sections.count + 8 * chunks
    var offsets: [Int] = []
    var end = headerLength
    for section in sections {
      let offset = (end + SegmentFile.alignment - 1) / SegmentFile.alignment * SegmentFile.alignment
      offsets.append(offset)
      end = offset + section.bytes.count
    }
    append(SegmentFile.magic)
    append(SegmentFile.formatVersion)
    append(kind.rawValue)
    append(version)
    append(UInt32(sections.count))
    append(UInt64(end))
    append(UInt64(headerLength))
    append(UInt64(0))
    for (section, offset) in zip(sections, offsets) {
      header.append(contentsOf: section.name.utf8)
      header.append(contentsOf: Array(repeating: 0, count: 16 - section.name.utf8.count))
      append(UInt64(offset))
      append(UInt64(section.bytes.count))
    }
    for section in sections {
      section.bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: SegmentFile.chunkByteCount) {
          let end = min(start + SegmentFile.chunkByteCount, bytes.count)
          append(SegmentChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
        }
      }
    }
    let checksum = header.withUnsafeBytes { SegmentHeader.checksum($0) }
    withUnsafeBytes(of: checksum.littleEndian) { header.replaceSubrange(40..<48, with: $0) }
    return (header, offsets, end)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SegmentError) {
    var place = 0
    while place < bytes.count {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress! + place, $0.count - place) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(path: path, call: "write", code: count < 0 ? errno : ENOSPC) }
      place += count
    }
  }
}

enum SegmentHeader {
  /// Returns the checksum of a header, its own field taken as zero.
  static func checksum(_ header: UnsafeRawBufferPointer) -> UInt64 {
    guard header.count >= SegmentFile.headByteCount else { return 0 }
    var copy = Array(header)
    for place in 40..<48 { copy[place] = 0 }
    return copy.withUnsafeBytes { SegmentChecksum.of($0) }
  }
}
