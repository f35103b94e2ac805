import Compute
import ModelFormats

/// Builds the bytes of GGUF files, right and wrong ones.
struct GGUFBytes {
  var bytes: [UInt8] = []

  init(magic: UInt32 = 0x4655_4747, version: UInt32 = 3, tensors: UInt64 = 0, keys: UInt64 = 0) {
    add(magic)
    add(version)
    add(tensors)
    add(keys)
  }

  mutating func add(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(text: String) {
    add(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// A key with the number of its type; the value follows.
  mutating func add(key: String, type: UInt32) {
    add(text: key)
    add(type)
  }

  mutating func add(tensor: String, dimensions: [UInt64], type: UInt32 = 0, offset: UInt64 = 0) {
    add(text: tensor)
    add(UInt32(dimensions.count))
    for dimension in dimensions { add(dimension) }
    add(type)
    add(offset)
  }

  mutating func add(data count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: (32 - bytes.count % 32) % 32 + count))
  }

  func parsed() throws(GGUFError) -> GGUFHeader { try parse(bytes) }
}

func parse(_ bytes: [UInt8]) throws(GGUFError) -> GGUFHeader {
  try bytes.withUnsafeBufferPointer { (buffer) throws(GGUFError) in
    try GGUFHeader(parsing: UnsafeRawBufferPointer(buffer), fileSize: buffer.count)
  }
}

/// Error that a piece of code throws; nil where it throws none.
func error(_ body: () throws(GGUFError) -> Void) -> GGUFError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// A small file with a value of every type and tensors of several types.
func sampleWriter(alignment: Int = 32) -> GGUFWriter {
  var writer = GGUFWriter(alignment: alignment)
  writer.set("general.architecture", .string("sample"))
  writer.set("a.uint8", .uint8(200))
  writer.set("a.int8", .int8(-100))
  writer.set("a.uint16", .uint16(60_000))
  writer.set("a.int16", .int16(-30_000))
  writer.set("a.uint32", .uint32(4_000_000_000))
  writer.set("a.int32", .int32(-2_000_000_000))
  writer.set("a.float32", .float32(1.5))
  writer.set("a.bool", .bool(true))
  writer.set("a.uint64", .uint64(.max))
  writer.set("a.int64", .int64(.min))
  writer.set("a.float64", .float64(-2.25))
  writer.set("tokenizer.tokens", .array(GGUFArray(["", "a", "größe", "日本"])))
  writer.set("tokenizer.scores", .array(GGUFArray([0.5, -1, 3] as [Float])))
  writer.set("tokenizer.types", .array(GGUFArray([1, -2, 3] as [Int32])))
  writer.set("layers.on", .array(GGUFArray([true, false])))
  writer.add("f32", dimensions: [3, 2], [1, 2, 3, 4, 5, 6])
  writer.add("f16", dimensions: [5], type: .f16, bytes: Array(repeating: 7, count: 10))
  writer.add("q8", dimensions: [64, 2], type: .q8_0, bytes: Array(repeating: 3, count: 4 * 34))
  return writer
}
