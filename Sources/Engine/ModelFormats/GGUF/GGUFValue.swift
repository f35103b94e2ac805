/// The types a metadata value can have, with their numbers in the file.
package enum GGUFValueType: UInt32, Sendable, CaseIterable, Codable {
  case uint8 = 0
  case int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64, float64

  /// Bytes of one value, or the fewest for the types of changing length.
  var minimumByteCount: Int {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64, .string: 8
    case .array: 12
    }
  }

  var isFixedSize: Bool { self != .string && self != .array }
}

/// One metadata value.
package enum GGUFValue: Sendable, Equatable {
  /// An unsigned byte.
  case uint8(UInt8)
  /// A signed byte.
  case int8(Int8)
  /// An unsigned 16-bit integer.
  case uint16(UInt16)
  /// A signed 16-bit integer.
  case int16(Int16)
  /// An unsigned 32-bit integer.
  case uint32(UInt32)
  /// A signed 32-bit integer.
  case int32(Int32)
  /// A single-precision number.
  case float32(Float)
  /// A truth value.
  case bool(Bool)
  /// A text.
  case string(String)
  /// A list of values of one type.
  case array(GGUFArray)
  /// An unsigned 64-bit integer.
  case uint64(UInt64)
  /// A signed 64-bit integer.
  case int64(Int64)
  /// A double-precision number.
  case float64(Double)

  /// The type of the value.
  package var type: GGUFValueType {
    switch self {
    case .uint8: .uint8
    case .int8: .int8
    case .uint16: .uint16
    case .int16: .int16
    case .uint32: .uint32
    case .int32: .int32
    case .float32: .float32
    case .bool: .bool
    case .string: .string
    case .array: .array
    case .uint64: .uint64
    case .int64: .int64
    case .float64: .float64
    }
  }

  /// The value as an integer, if it is one that fits.
  package var integer: Int? {
    switch self {
    case .uint8(let value): Int(value)
    case .int8(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint64(let value): Int(exactly: value)
    case .int64(let value): Int(value)
    default: nil
    }
  }

  /// The value as a number, if it is one.
  package var number: Double? {
    switch self {
    case .float32(let value): Double(value)
    case .float64(let value): value
    default: integer.map(Double.init)
    }
  }
}

/// A list in the metadata, kept as the file's bytes and decoded when asked for.
package struct GGUFArray: Sendable, Equatable {
  /// The type of every element.
  package let elementType: GGUFValueType
  /// Number of elements.
  package let count: Int
  /// The elements as the file has them, after the type and the count.
  let bytes: [UInt8]

  init(elementType: GGUFValueType, count: Int, bytes: [UInt8]) {
    self.elementType = elementType
    self.count = count
    self.bytes = bytes
  }

  /// The bytes that the elements take in a file.
  package var byteCount: Int { bytes.count }

  /// A list of texts.
  package init(_ strings: [String]) {
    var bytes: [UInt8] = []
    for string in strings {
      bytes.appendLittleEndian(UInt64(string.utf8.count))
      bytes.append(contentsOf: string.utf8)
    }
    self.init(elementType: .string, count: strings.count, bytes: bytes)
  }

  /// A list of single-precision numbers.
  package init(_ numbers: [Float]) {
    var bytes: [UInt8] = []
    for number in numbers { bytes.appendLittleEndian(number.bitPattern) }
    self.init(elementType: .float32, count: numbers.count, bytes: bytes)
  }

  /// A list of signed integers.
  package init(_ integers: [Int32]) {
    var bytes: [UInt8] = []
    for integer in integers { bytes.appendLittleEndian(integer) }
    self.init(elementType: .int32, count: integers.count, bytes: bytes)
  }

  /// A list of truth values.
  package init(_ values: [Bool]) {
    self.init(elementType: .bool, count: values.count, bytes: values.map { $0 ? 1 : 0 })
  }

  /// The elements as texts, or nil if they are of another type.
  package var strings: [String]? {
    guard elementType == .string else { return nil }
    var strings: [String] = []
    strings.reserveCapacity(count)
    forEachString { strings.append(String(decoding: $0, as: UTF8.self)) }
    return strings
  }

  /// Calls `body` with the bytes of each text in turn; does nothing if the elements are of another type.
  package func forEachString(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard elementType == .string else { return }
    bytes.withUnsafeBytes { all in
      var position = 0
      for _ in 0..<count {
        let length = Int(UInt64(littleEndian: all.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
        body(UnsafeRawBufferPointer(rebasing: all[position + 8..<position + 8 + length]))
        position += 8 + length
      }
    }
  }

  /// The elements one by one; integers of every width, numbers and truth values, else nil.
  package var scalars: [GGUFValue]? {
    guard elementType.isFixedSize else { return nil }
    return bytes.withUnsafeBytes { all in
      let size = elementType.minimumByteCount
      return (0..<count).map { GGUFValue(scalar: elementType, at: $0 * size, in: all) }
    }
  }

  /// The elements as integers, or nil if one of them is none; truth values count as 0 and 1.
  package var integers: [Int]? {
    guard let scalars else { return nil }
    var result: [Int] = []
    result.reserveCapacity(count)
    for scalar in scalars {
      if case .bool(let flag) = scalar {
        result.append(flag ? 1 : 0)
      } else if let integer = scalar.integer {
        result.append(integer)
      } else {
        return nil
      }
    }
    return result
  }

  /// The elements as single-precision numbers, or nil if they are of another type.
  package var floats: [Float]? {
    guard elementType == .float32 || elementType == .float64, let scalars else { return nil }
    return scalars.map { Float($0.number ?? 0) }
  }
}

extension GGUFValue {
  /// Decodes a value of a type of fixed size; booleans were checked before.
  init(scalar type: GGUFValueType, at position: Int, in bytes: UnsafeRawBufferPointer) {
    func load<T: FixedWidthInteger>(_: T.Type) -> T {
      T(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
    }
    switch type {
    case .uint8: self = .uint8(load(UInt8.self))
    case .int8: self = .int8(load(Int8.self))
    case .uint16: self = .uint16(load(UInt16.self))
    case .int16: self = .int16(load(Int16.self))
    case .uint32: self = .uint32(load(UInt32.self))
    case .int32: self = .int32(load(Int32.self))
    case .float32: self = .float32(Float(bitPattern: load(UInt32.self)))
    case .bool: self = .bool(load(UInt8.self) != 0)
    case .uint64: self = .uint64(load(UInt64.self))
    case .int64: self = .int64(load(Int64.self))
    case .float64: self = .float64(Double(bitPattern: load(UInt64.self)))
    case .string, .array: preconditionFailure("not a type of fixed size")
    }
  }
}

extension [UInt8] {
  /// Appends an integer, lowest byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
