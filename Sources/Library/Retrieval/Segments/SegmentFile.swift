import Compute
import Foundation
import Synchronization

/// Immutable, memory-mapped file of named sections, of which no byte is used before its checksum is verified.
///
/// The header names the sections and holds a checksum of itself and of each 64 KiB of each section. Opening reads the
/// header only; ``bytes(_:of:)`` verifies each chunk once, when it is first asked for, so that a large file opens at
/// once and a flipped bit never becomes a result. The bytes returned live as long as the file object.
///
/// Layout, little-endian: magic (8 bytes), format version, kind, kind's version, section count (4 each), file length,
/// header length, header checksum (8 each, over the header with this field 0), sections (name 16, offset 8, length
/// 8), chunk checksums (8 each), then the sections, each at a multiple of 64.
package final class SegmentFile: Sendable {
  /// Kind of content.
  package enum Kind: UInt32, Sendable {
    /// Dictionary and posting lists.
    case keyword = 0x6579_656b
    /// Vectors.
    case vector = 0x7463_6576
  }

  /// Place of one section in the file.
  package struct Section: Sendable, Equatable {
    /// Range of bytes in the file.
    package let range: Range<Int>
    /// Index of its first chunk among all checksums.
    fileprivate let firstChunk: Int
    /// Size in bytes.
    package var count: Int { range.count }
  }

  private enum Storage {
    case mapped(MappedFile)
    case memory(AlignedBuffer<UInt8>)
  }

  static let magic: UInt64 = 0x0031_6765_735f_636c  // "lc_seg1"
  static let formatVersion: UInt32 = 1
  static let chunkByteCount = 1 << 16
  static let headByteCount = 48
  static let entryByteCount = 32
  static let mostSections = 64
  static let alignment = 64

  /// Path of the file, or the name in errors of bytes in memory.
  package let path: String
  /// Checksum of the header: files with the same identity have the same content.
  package let identity: UInt64
  /// Bytes of the whole file, most of them not verified.
  private nonisolated(unsafe) let all: UnsafeRawBufferPointer
  private let storage: Storage
  private let sections: [String: Section]
  private let checksumOffset: Int
  private let chunkCount: Int
  /// Bit set of verified chunks.
  private let verified: Mutex<[UInt64]>

  /// Opens and maps a file; verifies its header and the lengths in it.
  package convenience init(at url: URL, kind: Kind, version: UInt32) throws(SegmentError) {
    let file: MappedFile
    do throws(ComputeError) {
      file = try MappedFile(path: url.path)
    } catch .system(_, _, ENOENT) {
      throw .missing(path: url.path)
    } catch .system(let path, let call, let code) {
      throw .system(path: path, call: call, code: code)
    } catch {
      throw .system(path: url.path, call: "map", code: EIO)
    }
    try self.init(.mapped(file), bytes: file.bytes, path: url.path, kind: kind, version: version)
  }

  /// Makes a segment from bytes in memory, which are copied; `name` stands for the path in errors.
  package convenience init(copying bytes: Data, name: String, kind: Kind, version: UInt32) throws(SegmentError) {
    let buffer: AlignedBuffer<UInt8>
    do { buffer = try AlignedBuffer(count: bytes.count) } catch {
      throw .system(path: name, call: "mmap", code: ENOMEM)
    }
    _ = bytes.copyBytes(to: buffer.buffer)
    let copied = UnsafeRawBufferPointer(start: buffer.base, count: bytes.count)
    try self.init(.memory(buffer), bytes: copied, path: name, kind: kind, version: version)
  }

  private init(
    _ storage: Storage, bytes: UnsafeRawBufferPointer, path: String, kind: Kind, version: UInt32
  ) throws(SegmentError) {
    guard bytes.count >= Self.headByteCount else {
      throw .truncated(path: path, needed: Self.headByteCount, available: bytes.count)
    }
    func word(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    func half(_ place: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    guard word(0) == Self.magic, half(12) == kind.rawValue else { throw .notASegment(path: path) }
    guard half(8) == Self.formatVersion else {
      throw .otherVersion(path: path, found: half(8), known: Self.formatVersion)
    }
    guard half(16) == version else { throw .otherVersion(path: path, found: half(16), known: version) }
    let (length, headerLength) = (Int(clamping: word(24)), Int(clamping: word(32)))
    guard length == bytes.count else { throw .truncated(path: path, needed: length, available: bytes.count) }
    let sectionCount = Int(half(20))
    let entriesEnd = Self.headByteCount + Self.entryByteCount * min(sectionCount, Self.mostSections + 1)
    guard sectionCount <= Self.mostSections, headerLength <= length, entriesEnd <= headerLength else {
      throw .damaged(path: path, atByte: 20)
    }
    guard SegmentHeader.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<headerLength])) == word(40) else {
      throw .damaged(path: path, atByte: 40)
    }
    var sections: [String: Section] = [:]
    var chunkCount = 0
    for number in 0..<sectionCount {
      let entry = Self.headByteCount + Self.entryByteCount * number
      let name = String(decoding: bytes[entry..<entry + 16].prefix { $0 != 0 }, as: UTF8.self)
      let (offset, count) = (Int(clamping: word(entry + 16)), Int(clamping: word(entry + 24)))
      guard offset >= headerLength, offset <= length, count <= length - offset else {
        throw .damaged(path: path, atByte: entry)
      }
      sections[name] = Section(range: offset..<offset + count, firstChunk: chunkCount)
      chunkCount += (count + Self.chunkByteCount - 1) / Self.chunkByteCount
    }
    guard headerLength == entriesEnd + 8 * chunkCount else { throw .damaged(path: path, atByte: 32) }
    self.storage = storage
    self.path = path
    self.sections = sections
    self.chunkCount = chunkCount
    all = bytes
    identity = word(40)
    checksumOffset = entriesEnd
    verified = Mutex(Array(repeating: 0, count: (chunkCount + 63) / 64))
  }

  /// Size of the file in bytes.
  package var byteCount: Int { all.count }

  /// Returns a section's place.
  package func section(_ name: String) throws(SegmentError) -> Section {
    guard let section = sections[name] else { throw .noSection(path: path, name: name) }
    return section
  }

  /// Returns all bytes of a section, verified.
  package func bytes(_ section: Section) throws(SegmentError) -> UnsafeRawBufferPointer {
    try bytes(0..<section.count, of: section)
  }

  /// Returns some bytes of a section, verified; a range outside it is damage.
  package func bytes(_ range: Range<Int>, of section: Section) throws(SegmentError) -> UnsafeRawBufferPointer {
    guard range.lowerBound >= 0, range.upperBound <= section.count else {
      throw .damaged(path: path, atByte: section.range.lowerBound)
    }
    if !range.isEmpty { try verify(range, of: section) }
    let start = section.range.lowerBound + range.lowerBound
    return UnsafeRawBufferPointer(rebasing: all[start..<start + range.count])
  }

  /// Verifies every section.
  package func verify() throws(SegmentError) {
    for section in sections.values where section.count > 0 { try verify(0..<section.count, of: section) }
  }

  /// Throws where a part of a mapped file could not be read and was replaced by zeros.
  package func check() throws(SegmentError) {
    guard case .mapped(let file) = storage else { return }
    do { try file.check() } catch { throw .damaged(path: path, atByte: 0) }
  }

  private func verify(_ range: Range<Int>, of section: Section) throws(SegmentError) {
    let first = range.lowerBound / Self.chunkByteCount
    let last = (range.upperBound - 1) / Self.chunkByteCount
    func isVerified(_ chunk: Int, _ bits: [UInt64]) -> Bool {
      let number = section.firstChunk + chunk
      return bits[number / 64] >> UInt64(number % 64) & 1 == 1
    }
    if verified.withLock({ bits in (first...last).allSatisfy { isVerified($0, bits) } }) { return }
    let waiting = verified.withLock { bits in (first...last).filter { !isVerified($0, bits) } }
    for chunk in waiting {
      let start = section.range.lowerBound + chunk * Self.chunkByteCount
      let end = min(start + Self.chunkByteCount, section.range.upperBound)
      let place = checksumOffset + 8 * (section.firstChunk + chunk)
      let expected = UInt64(littleEndian: all.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      guard SegmentChecksum.of(UnsafeRawBufferPointer(rebasing: all[start..<end])) == expected else {
        throw .damaged(path: path, atByte: start)
      }
    }
    try check()
    verified.withLock { bits in
      for chunk in waiting {
        let number = section.firstChunk + chunk
        bits[number / 64] |= 1 << UInt64(number % 64)
      }
    }
  }
}

extension SegmentFile {
  /// Returns the identity that a file of these bytes has; 0 where they are too few.
  static func identity(of bytes: Data) -> UInt64 {
    guard bytes.count >= headByteCount else { return 0 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
    }
  }
}
