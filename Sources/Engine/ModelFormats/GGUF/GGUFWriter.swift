import Compute
import Foundation

/// Writes a GGUF file: metadata first, then tensors as they are handed over.
package struct GGUFWriter {
  private let version: UInt32
  private let alignment: Int
  private var keys: [(key: String, value: GGUFValue)] = []
  private var tensors: [PendingTensor] = []

  private struct PendingTensor {
    let name: String
    let dimensions: [Int]
    let type: TensorType
    let byteCount: Int
    let produce: (_ sink: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  }

  /// An empty file.
  /// - Parameters:
  ///   - version: 2 or 3.
  ///   - alignment: a power of two; recorded in the file where it is not 32.
  package init(version: UInt32 = 3, alignment: Int = 32) {
    precondition(version == 2 || version == 3)
    precondition(alignment.nonzeroBitCount == 1 && alignment <= GGUFLimits.alignment)
    self.version = version
    self.alignment = alignment
    if alignment != 32 { keys.append(("general.alignment", .uint32(UInt32(alignment)))) }
  }

  /// Sets a key, in place of its former value if it had one.
  package mutating func set(_ key: String, _ value: GGUFValue) {
    precondition(key != "general.alignment", "the alignment is an argument of the initialiser")
    if let index = keys.firstIndex(where: { $0.key == key }) {
      keys[index].value = value
    } else {
      keys.append((key, value))
    }
  }

  /// Adds a tensor whose bytes are asked for when the file is written, in as many pieces as suit.
  package mutating func add(
    _ name: String, dimensions: [Int], type: TensorType,
    produce: @escaping (_ sink: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) {
    let byteCount = dimensions.reduce(1, *) / type.blockSize * type.bytesPerBlock
    tensors.append(
      PendingTensor(
        name: name, dimensions: dimensions, type: type, byteCount: byteCount, produce: produce))
  }

  /// Adds a tensor of single-precision numbers.
  package mutating func add(_ name: String, dimensions: [Int], _ values: [Float]) {
    add(name, dimensions: dimensions, type: .f32) { sink in try values.withUnsafeBytes { try sink($0) } }
  }

  /// Adds a tensor whose bytes are at hand.
  package mutating func add(_ name: String, dimensions: [Int], type: TensorType, bytes: [UInt8]) {
    add(name, dimensions: dimensions, type: type) { sink in try bytes.withUnsafeBytes { try sink($0) } }
  }

  /// The bytes before the tensors' data, padding included.
  package func headerBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(GGUFHeader.magic)
    bytes.appendLittleEndian(version)
    bytes.appendLittleEndian(UInt64(tensors.count))
    bytes.appendLittleEndian(UInt64(keys.count))
    for (key, value) in keys {
      bytes.appendText(key)
      bytes.appendLittleEndian(value.type.rawValue)
      bytes.append(value)
    }
    var offset = 0
    for tensor in tensors {
      bytes.appendText(tensor.name)
      bytes.appendLittleEndian(UInt32(tensor.dimensions.count))
      for dimension in tensor.dimensions { bytes.appendLittleEndian(UInt64(dimension)) }
      bytes.appendLittleEndian(tensor.type.rawValue)
      bytes.appendLittleEndian(UInt64(offset))
      offset += tensor.byteCount + padding(after: tensor.byteCount)
    }
    bytes.append(contentsOf: repeatElement(0, count: padding(after: bytes.count)))
    return bytes
  }

  /// Writes a new file, readable by this user alone; a file of that name is replaced.
  package func write(to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw GGUFError.unusableFile(path: path, reason: "cannot be created") }
    defer { try? handle.close() }  // What was written is checked by synchronize below.
    try handle.write(contentsOf: headerBytes())
    for tensor in tensors {
      var written = 0
      try tensor.produce { piece in
        written += piece.count
        try handle.write(contentsOf: Data(piece))
      }
      guard written == tensor.byteCount else {
        throw GGUFError.wrongByteCount(tensor: tensor.name, expected: tensor.byteCount, found: written)
      }
      try handle.write(contentsOf: Data(count: padding(after: written)))
    }
    try handle.synchronize()
  }

  private func padding(after count: Int) -> Int { (alignment - count % alignment) % alignment }
}

extension [UInt8] {
  fileprivate mutating func appendText(_ text: String) {
    appendLittleEndian(UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(_ value: GGUFValue) {
    switch value {
    case .uint8(let value): appendLittleEndian(value)
    case .int8(let value): appendLittleEndian(value)
    case .uint16(let value): appendLittleEndian(value)
    case .int16(let value): appendLittleEndian(value)
    case .uint32(let value): appendLittleEndian(value)
    case .int32(let value): appendLittleEndian(value)
    case .float32(let value): appendLittleEndian(value.bitPattern)
    case .bool(let value): append(value ? 1 : 0)
    case .string(let value): appendText(value)
    case .array(let array):
      appendLittleEndian(array.elementType.rawValue)
      appendLittleEndian(UInt64(array.count))
      append(contentsOf: array.bytes)
    case .uint64(let value): appendLittleEndian(value)
    case .int64(let value): appendLittleEndian(value)
    case .float64(let value): appendLittleEndian(value.bitPattern)
    }
  }
}
