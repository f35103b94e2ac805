import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite struct SafetensorsTests {
  static func file(_ header: String, data: Int = 24) -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + Array(header.utf8) + [UInt8](repeating: 0, count: data)
  }

  static let good = """
    {"__metadata__":{"format":"pt"},"b":{"dtype":"F16","shape":[2,2],"data_offsets":[16,24]},\
    "a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}
    """

  static func parse(_ bytes: [UInt8]) throws(SafetensorsError) -> ([SafetensorsTensor], [String: String]) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SafetensorsError) in
      try SafetensorsFile.parse(UnsafeRawBufferPointer(buffer))
    }
  }

  @Test func tensorsAreFound() throws {
    let (tensors, metadata) = try Self.parse(Self.file(Self.good))
    #expect(tensors.map(\.name) == ["a", "b"])
    #expect(tensors[1].shape == [2, 2] && tensors[1].type == .f16 && tensors[1].byteCount == 8)
    #expect(metadata == ["format": "pt"])
  }

  @Test func wrongHeadersAreRefused() {
    func refuses(_ entry: String) -> SafetensorsError? {
      do {
        _ = try Self.parse(Self.file("{\"t\":\(entry)}"))
        return nil
      } catch {
        return error
      }
    }
    #expect(
      refuses(#"{"dtype":"F9","shape":[1],"data_offsets":[0,4]}"#) == .unknownType(tensor: "t", type: "F9"))
    #expect(
      refuses(#"{"dtype":"F32","shape":[2],"data_offsets":[0,4]}"#)
        == .wrongByteCount(tensor: "t", expected: 8, found: 4))
    #expect(
      refuses(#"{"dtype":"F32","shape":[9],"data_offsets":[0,36]}"#)
        == .tensorOutsideFile(tensor: "t", begin: 0, end: 36, available: 24))
    #expect(
      refuses(#"{"dtype":"F32","shape":[-1],"data_offsets":[8,4]}"#) == .badShape(tensor: "t", shape: [-1]))
    #expect(
      refuses(#"{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}"#)
        == .badShape(tensor: "t", shape: [4_294_967_296, 4_294_967_296]))
    #expect(refuses("{}") != nil)
    #expect(refuses("[") != nil)
    #expect(throws: SafetensorsError.headerTooLong(.max)) {
      try Self.parse([UInt8](repeating: 255, count: 32))
    }
  }

  @Test func overlapsAreRefused() {
    let header = """
      {"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}}
      """
    #expect(throws: SafetensorsError.overlappingTensors("a", "b")) { try Self.parse(Self.file(header)) }
  }

  @Test func everyCutIsRefused() {
    let bytes = Self.file(Self.good)
    for length in 0..<bytes.count {
      #expect(throws: SafetensorsError.self) { try Self.parse(Array(bytes.prefix(length))) }
    }
  }

  @Test func mutatedHeadersNeverTrap() {
    var numbers = SeededGenerator(seed: 8)
    let original = Self.file(Self.good)
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &numbers) {
        bytes[Int.random(in: 0..<original.count - 24, using: &numbers)] = .random(in: 0...255, using: &numbers)
      }
      // Any answer will do as long as there is one.
      _ = try? Self.parse(bytes)
    }
  }

  @Test func shardsAreFoundByTheirIndex() throws {
    let folder = try TemporaryFolder()
    try folder.write("one.safetensors", Self.file(#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#))
    try folder.write("two.safetensors", Self.file(#"{"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#))
    let index = try folder.write(
      "model.safetensors.index.json", #"{"weight_map":{"a":"one.safetensors","b":"two.safetensors"}}"#)
    let model = try ShardedSafetensors(path: index.path)
    #expect(model.names == ["a", "b"])
    #expect(model.tensor("b")?.tensor.byteCount == 4)
    let lying = try folder.write("x.index.json", #"{"weight_map":{"c":"one.safetensors"}}"#)
    #expect(throws: SafetensorsError.missingTensor(tensor: "c", file: "one.safetensors")) {
      try ShardedSafetensors(path: lying.path)
    }
    let escaping = try folder.write("y.index.json", #"{"weight_map":{"c":"../one.safetensors"}}"#)
    #expect(throws: SafetensorsError.badPartName("../one.safetensors")) {
      try ShardedSafetensors(path: escaping.path)
    }
  }
}
