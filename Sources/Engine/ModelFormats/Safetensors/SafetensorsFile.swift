import Compute
import Foundation

/// One tensor of a safetensors file.
package struct SafetensorsTensor: Sendable, Equatable {
  /// The name.
  package let name: String
  /// Type of the stored elements.
  package let type: ElementType
  /// The dimensions, the slowest first.
  package let shape: [Int]
  /// Offset of the tensor from the start of its file, in bytes.
  package let offset: Int
  /// Size in bytes.
  package let byteCount: Int

  /// The element types of the format.
  package enum ElementType: String, Sendable, CaseIterable {
    /// Truth values and integers.
    case bool = "BOOL"
    case u8 = "U8"
    case i8 = "I8"
    case u16 = "U16"
    case i16 = "I16"
    case u32 = "U32"
    case i32 = "I32"
    case u64 = "U64"
    case i64 = "I64"
    /// Floating-point numbers.
    case f8e4m3 = "F8_E4M3"
    case f8e5m2 = "F8_E5M2"
    case f16 = "F16"
    case bf16 = "BF16"
    case f32 = "F32"
    case f64 = "F64"

    /// Bytes of one element.
    package var byteCount: Int {
      switch self {
      case .bool, .u8, .i8, .f8e4m3, .f8e5m2: 1
      case .u16, .i16, .f16, .bf16: 2
      case .u32, .i32, .f32: 4
      case .u64, .i64, .f64: 8
      }
    }
  }
}

/// A safetensors file, mapped and not read.
package struct SafetensorsFile: Sendable {
  /// The tensors in the order of their places.
  package let tensors: [SafetensorsTensor]
  /// The free texts of the header.
  package let metadata: [String: String]
  /// The file's bytes.
  package let file: MappedFile

  /// Largest header that the format allows, in bytes.
  package static let maximumHeaderLength = 100_000_000

  /// Opens a file and checks its header.
  package init(path: String) throws(SafetensorsError) {
    do {
      file = try MappedFile(path: path)
      (tensors, metadata) = try Self.parse(file.bytes)
      try file.check()
    } catch let error as SafetensorsError {
      throw error
    } catch {
      throw .unusableFile(path: path, reason: (error as? ComputeError)?.reason ?? "\(error)")
    }
  }

  /// Reads and checks a header.
  /// - Parameters:
  ///   - bytes: the file, or as much of its beginning as is there.
  ///   - fileSize: the size of the whole; nil where `bytes` is all of it.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, fileSize: Int? = nil
  ) throws(SafetensorsError) -> ([SafetensorsTensor], [String: String]) {
    let fileSize = fileSize ?? bytes.count
    guard bytes.count >= 8 else { throw .truncated(needed: 8, available: UInt64(bytes.count)) }
    let length = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    guard length <= UInt64(maximumHeaderLength) else { throw .headerTooLong(length) }
    guard length <= UInt64(bytes.count - 8) else {
      throw .truncated(needed: length + 8, available: UInt64(bytes.count))
    }
    let dataOffset = 8 + Int(length)
    guard length > 0, bytes[8] == UInt8(ascii: "{") else { throw .badHeader(reason: "no object") }
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: Data(bytes[8..<dataOffset]))
    } catch {
      throw .badHeader(reason: "\(error)")
    }
    var tensors: [SafetensorsTensor] = []
    for (name, entry) in header.entries {
      tensors.append(try tensor(name, entry, dataOffset: dataOffset, fileSize: fileSize))
    }
    tensors.sort { ($0.offset, $0.name) < ($1.offset, $1.name) }
    for (first, second) in zip(tensors, tensors.dropFirst())
    where first.offset + first.byteCount > second.offset {
      throw .overlappingTensors(first.name, second.name)
    }
    return (tensors, header.metadata)
  }

  private static func tensor(
    _ name: String, _ entry: Header.Entry, dataOffset: Int, fileSize: Int
  ) throws(SafetensorsError) -> SafetensorsTensor {
    guard let type = SafetensorsTensor.ElementType(rawValue: entry.dtype) else {
      throw .unknownType(tensor: name, type: entry.dtype)
    }
    var expected = type.byteCount
    for dimension in entry.shape {
      let (product, overflow) = expected.multipliedReportingOverflow(by: dimension)
      guard dimension >= 0, !overflow else { throw .badShape(tensor: name, shape: entry.shape) }
      expected = product
    }
    let available = fileSize - dataOffset
    guard entry.data_offsets.count == 2 else { throw .badHeader(reason: "data_offsets of \(name)") }
    let (begin, end) = (entry.data_offsets[0], entry.data_offsets[1])
    guard begin >= 0, begin <= end, end <= available else {
      throw .tensorOutsideFile(tensor: name, begin: begin, end: end, available: available)
    }
    guard end - begin == expected else {
      throw .wrongByteCount(tensor: name, expected: expected, found: end - begin)
    }
    return SafetensorsTensor(
      name: name, type: type, shape: entry.shape, offset: dataOffset + begin, byteCount: expected)
  }

  /// The header as JSON: an object of tensors by name, and free texts under `__metadata__`.
  private struct Header: Decodable {
    struct Entry: Decodable {
      let dtype: String
      let shape: [Int]
      let data_offsets: [Int]  // swift-format-ignore: AlwaysUseLowerCamelCase
    }

    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var entries: [String: Entry] = [:]
    var metadata: [String: String] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      for key in container.allKeys {
        if key.stringValue == "__metadata__" {
          metadata = try container.decode([String: String].self, forKey: key)
        } else {
          entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
        }
      }
    }
  }
}
