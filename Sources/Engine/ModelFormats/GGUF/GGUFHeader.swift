import Compute

/// Limits of a GGUF file; a file beyond one is refused.
package enum GGUFLimits {
  /// Metadata keys.
  package static let keyCount = 65_536
  /// Bytes of a key.
  package static let keyLength = 65_535
  /// Bytes of one text, a chat template say.
  package static let stringLength = 64 << 20
  /// Elements of one list.
  package static let arrayCount = 64 << 20
  /// Lists within lists.
  package static let arrayDepth = 4
  /// Tensors of one file.
  package static let tensorCount = 1 << 20
  /// Bytes of a tensor's name.
  package static let tensorNameLength = 63
  /// Bytes of a tensor's name in the files of stable-diffusion.cpp, which is built with longer ones.
  package static let longTensorNameLength = 127
  /// Dimensions of a tensor.
  package static let dimensionCount = 4
  /// Elements along one dimension.
  package static let dimension = 1 << 40
  /// The alignment of tensor data, in bytes.
  package static let alignment = 1 << 20
}

/// One tensor of a file: its name, shape, type and place.
package struct GGUFTensor: Sendable, Equatable {
  /// The name, `blk.0.attn_q.weight` say.
  package let name: String
  /// The dimensions as the file has them, the fastest first: `(columns, rows, …)`.
  package let dimensions: [Int]
  /// Type of the stored elements.
  package let type: TensorType
  /// Offset of the tensor from the start of its file, in bytes.
  package let offset: Int
  /// Size in bytes.
  package let byteCount: Int

  /// The number of elements of one row.
  package var columnCount: Int { dimensions.first ?? 1 }
  /// The number of rows, all higher dimensions taken together.
  package var rowCount: Int { dimensions.dropFirst().reduce(1, *) }
  /// The number of elements.
  package var elementCount: Int { dimensions.reduce(1, *) }
}

/// The part of a GGUF file before the tensors' data: metadata and the list of tensors, all checked.
package struct GGUFHeader: Sendable, Equatable {
  /// The version of the format, 2 or 3.
  package let version: UInt32
  /// Alignment of the tensors' offsets, in bytes.
  package let alignment: Int
  /// The keys in the order of the file.
  package let keys: [String]
  /// The values by key.
  package let metadata: [String: GGUFValue]
  /// The tensors in the order of the file.
  package let tensors: [GGUFTensor]
  /// Offset of the tensors' data, in bytes.
  package let dataOffset: Int

  /// Reads a header and checks every count, length, offset and product in it.
  /// - Parameters:
  ///   - bytes: the file, or as much of its start as holds the header.
  ///   - fileSize: the size of the whole file, which the tensors must not leave.
  ///   - nameLimit: bytes that a tensor's name may have.
  package init(
    parsing bytes: UnsafeRawBufferPointer, fileSize: Int, nameLimit: Int = GGUFLimits.tensorNameLength
  ) throws(GGUFError) {
    var cursor = ByteCursor(bytes)
    let magic: UInt32 = try cursor.integer()
    guard magic == GGUFHeader.magic else { throw .badMagic(magic) }
    version = try cursor.integer()
    guard version == 2 || version == 3 else { throw .unsupportedVersion(version) }
    let tensorCount = try Self.count(&cursor, of: "tensors", limit: GGUFLimits.tensorCount, minimumSize: 24)
    let keyCount = try Self.count(&cursor, of: "keys", limit: GGUFLimits.keyCount, minimumSize: 14)

    var keys: [String] = []
    var metadata: [String: GGUFValue] = [:]
    for _ in 0..<keyCount {
      let start = cursor.position
      let key = try cursor.string("bytes of a key", limit: GGUFLimits.keyLength)
      guard !key.isEmpty else { throw .emptyName(atByte: start) }
      let value = try Self.value(&cursor, key: key)
      guard metadata.updateValue(value, forKey: key) == nil else { throw .duplicateKey(key) }
      keys.append(key)
    }
    self.keys = keys
    self.metadata = metadata
    alignment = try Self.alignment(metadata["general.alignment"])

    var entries: [TensorEntry] = []
    var names: Set<String> = []
    for _ in 0..<tensorCount {
      let entry = try TensorEntry(&cursor, alignment: alignment, nameLimit: nameLimit)
      guard names.insert(entry.name).inserted else { throw .duplicateTensor(entry.name) }
      entries.append(entry)
    }
    let padding = (alignment - cursor.position % alignment) % alignment
    let (dataOffset, overflow) = cursor.position.addingReportingOverflow(padding)
    guard !overflow else { throw .badAlignment(UInt64(alignment)) }
    self.dataOffset = dataOffset
    tensors = try Self.place(entries, dataOffset: dataOffset, fileSize: fileSize)
  }

  static let magic: UInt32 = 0x4655_4747

  private static func count(
    _ cursor: inout ByteCursor, of what: String, limit: Int, minimumSize: Int
  ) throws(GGUFError) -> Int {
    let count: UInt64 = try cursor.integer()
    guard count <= UInt64(limit) else { throw .beyondLimit(of: what, count: count, limit: UInt64(limit)) }
    try cursor.require(count * UInt64(minimumSize))
    return Int(count)
  }

  private static func alignment(_ value: GGUFValue?) throws(GGUFError) -> Int {
    guard let value else { return 32 }
    guard case .uint32(let alignment) = value else {
      throw .wrongType(key: "general.alignment", expected: "uint32", found: value.type)
    }
    guard alignment.nonzeroBitCount == 1, alignment <= GGUFLimits.alignment else {
      throw .badAlignment(UInt64(alignment))
    }
    return Int(alignment)
  }

  private static func value(_ cursor: inout ByteCursor, key: String) throws(GGUFError) -> GGUFValue {
    let type = try valueType(&cursor, key: key)
    switch type {
    case .string:
      return .string(try cursor.string("bytes of \(key)", limit: GGUFLimits.stringLength))
    case .array:
      let elementType = try valueType(&cursor, key: key)
      let count = try arrayCount(&cursor, key: key, elementType: elementType)
      let start = cursor.position
      try skip(&cursor, key: key, elementType: elementType, count: count, depth: 1)
      let bytes = [UInt8](cursor.bytes[start..<cursor.position])
      return .array(GGUFArray(elementType: elementType, count: count, bytes: bytes))
    default:
      let bytes = try cursor.take(type.minimumByteCount)
      if type == .bool, bytes[0] > 1 { throw .badBoolean(key: key, value: bytes[0]) }
      return GGUFValue(scalar: type, at: 0, in: bytes)
    }
  }

  private static func valueType(_ cursor: inout ByteCursor, key: String) throws(GGUFError) -> GGUFValueType {
    let number: UInt32 = try cursor.integer()
    guard let type = GGUFValueType(rawValue: number) else { throw .unknownValueType(key: key, type: number) }
    return type
  }

  private static func arrayCount(
    _ cursor: inout ByteCursor, key: String, elementType: GGUFValueType
  ) throws(GGUFError) -> Int {
    try count(
      &cursor, of: "elements of \(key)", limit: GGUFLimits.arrayCount,
      minimumSize: elementType.minimumByteCount)
  }

  /// Walks over a list's elements and checks them.
  private static func skip(
    _ cursor: inout ByteCursor, key: String, elementType: GGUFValueType, count: Int, depth: Int
  ) throws(GGUFError) {
    switch elementType {
    case .string:
      for _ in 0..<count {
        let start = cursor.position
        let text = try cursor.stringBytes("bytes of an element of \(key)", limit: GGUFLimits.stringLength)
        guard isUTF8(text) else { throw .notUTF8(atByte: start) }
      }
    case .array:
      guard depth < GGUFLimits.arrayDepth else {
        throw .beyondLimit(
          of: "depth of \(key)", count: UInt64(depth) + 1, limit: UInt64(GGUFLimits.arrayDepth))
      }
      for _ in 0..<count {
        let inner = try valueType(&cursor, key: key)
        let innerCount = try arrayCount(&cursor, key: key, elementType: inner)
        try skip(&cursor, key: key, elementType: inner, count: innerCount, depth: depth + 1)
      }
    default:
      let bytes = try cursor.take(count * elementType.minimumByteCount)
      if elementType == .bool, let bad = bytes.first(where: { $0 > 1 }) {
        throw .badBoolean(key: key, value: bad)
      }
    }
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}
