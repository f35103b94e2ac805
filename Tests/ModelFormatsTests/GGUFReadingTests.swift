import Compute
import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite struct GGUFReadingTests {
  @Test(arguments: [8, 32, 4096])
  func everyTypeComesBackAsWritten(alignment: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "sample.gguf").path
    try sampleWriter(alignment: alignment).write(to: path)
    let file = try GGUFFile(path: path)
    let header = file.header
    #expect(header.alignment == alignment)
    #expect(header["a.uint8"] == .uint8(200))
    #expect(header["a.int8"] == .int8(-100))
    #expect(header["a.uint16"] == .uint16(60_000))
    #expect(header["a.int16"] == .int16(-30_000))
    #expect(header["a.uint32"] == .uint32(4_000_000_000))
    #expect(header["a.int32"] == .int32(-2_000_000_000))
    #expect(header["a.float32"] == .float32(1.5))
    #expect(header["a.bool"] == .bool(true))
    #expect(header["a.uint64"] == .uint64(.max))
    #expect(header["a.int64"] == .int64(.min))
    #expect(header["a.float64"] == .float64(-2.25))
    #expect(try header.strings("tokenizer.tokens") == ["", "a", "größe", "日本"])
    #expect(try header.floats("tokenizer.scores") == [0.5, -1, 3])
    #expect(try header.integers("tokenizer.types") == [1, -2, 3])
    #expect(try header.integers("layers.on", perLayer: 2) == [1, 0])
    #expect(file.tensors.map(\.name) == ["f32", "f16", "q8"])
    #expect(file.tensors.allSatisfy { $0.offset % alignment == 0 })
    let (tensor, mapping) = try #require(file.tensor("f32"))
    #expect(tensor.dimensions == [3, 2] && tensor.rowCount == 2 && tensor.columnCount == 3)
    let numbers = (0..<6).map {
      mapping.bytes.loadUnaligned(fromByteOffset: tensor.offset + 4 * $0, as: Float.self)
    }
    #expect(numbers == [1, 2, 3, 4, 5, 6])
  }

  @Test func versionTwoIsRead() throws {
    let bytes = GGUFWriter(version: 2).headerBytes()
    #expect(try parse(bytes).version == 2)
  }

  @Test func anotherTypeThanAskedForIsNamed() throws {
    let header = try parse(sampleWriter().headerBytes() + [UInt8](repeating: 0, count: 4096))
    #expect(throws: GGUFError.wrongType(key: "a.bool", expected: "integer", found: .bool)) {
      try header.integer("a.bool")
    }
    #expect(throws: GGUFError.wrongType(key: "tokenizer.types", expected: "array of numbers", found: .int32)) {
      try header.floats("tokenizer.types")
    }
    #expect(throws: GGUFError.self) { try header.integer("a.uint64") }
    #expect(try header.integer("absent") == nil)
  }

  @Test func partsOfASplitModelAreOne() throws {
    let folder = try TemporaryFolder()
    func path(_ part: Int, of count: Int = 3) -> String {
      folder.url.appending(path: "big-0000\(part)-of-0000\(count).gguf").path
    }
    func write(_ part: Int, number: Int? = nil, count: Int = 3, total: Int32 = 3) throws {
      var writer = GGUFWriter()
      writer.set("split.no", .uint16(UInt16(number ?? part - 1)))
      writer.set("split.count", .uint16(UInt16(count)))
      writer.set("split.tensors.count", .int32(total))
      writer.add("t\(part)", dimensions: [1], [Float(part)])
      try writer.write(to: path(part))
    }
    for part in 1...3 { try write(part) }
    for part in 1...3 {
      let file = try GGUFFile(path: path(part))
      #expect(file.tensors.map(\.name) == ["t1", "t2", "t3"])
    }
    try write(2, number: 2)
    #expect(throws: GGUFError.badSplit(path: path(2), reason: .number(expected: 1, found: 2))) {
      try GGUFFile(path: path(1))
    }
    try write(2, count: 4)
    #expect(throws: GGUFError.badSplit(path: path(2), reason: .count(expected: 3, found: 4))) {
      try GGUFFile(path: path(1))
    }
    try write(2)
    try write(1, total: 4)
    #expect(throws: GGUFError.badSplit(path: path(1), reason: .tensorCount(expected: 4, found: 3))) {
      try GGUFFile(path: path(1))
    }
    try FileManager.default.removeItem(atPath: path(3))
    #expect(throws: GGUFError.badSplit(path: path(3), reason: .missing)) { try GGUFFile(path: path(1)) }
  }

  @Test func absentFileAndFolderAreErrors() throws {
    let folder = try TemporaryFolder()
    for path in [folder.url.path, folder.url.appending(path: "none.gguf").path] {
      #expect(throws: GGUFError.self) { try GGUFFile(path: path) }
    }
    let empty = try folder.write("empty.gguf", "")
    #expect(throws: GGUFError.self) { try GGUFFile(path: empty.path) }
  }

  @Test func writingTheWrongNumberOfBytesIsAnError() throws {
    let folder = try TemporaryFolder()
    var writer = GGUFWriter()
    writer.add("t", dimensions: [4], type: .f32, bytes: [0, 0, 0])
    #expect(throws: GGUFError.wrongByteCount(tensor: "t", expected: 16, found: 3)) {
      try writer.write(to: folder.url.appending(path: "x.gguf").path)
    }
  }
}
