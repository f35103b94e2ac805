import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite struct HostileGGUFTests {
  /// One wrong file and what is said about it.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let bytes: GGUFBytes
    let expected: GGUFError

    init(_ name: String, _ expected: GGUFError, _ build: () -> GGUFBytes) {
      testDescription = name
      self.expected = expected
      bytes = build()
    }
  }

  static let headerCases = [
    Case("bad magic", .badMagic(0x4655_4746)) { GGUFBytes(magic: 0x4655_4746) },
    Case("version 0", .unsupportedVersion(0)) { GGUFBytes(version: 0) },
    Case("version 1", .unsupportedVersion(1)) { GGUFBytes(version: 1) },
    Case("a future version", .unsupportedVersion(4)) { GGUFBytes(version: 4) },
    Case("another byte order", .unsupportedVersion(0x0300_0000)) { GGUFBytes(version: 0x0300_0000) },
    Case("-1 tensors", .beyondLimit(of: "tensors", count: .max, limit: 1 << 20)) { GGUFBytes(tensors: .max) },
    Case("-1 keys", .beyondLimit(of: "keys", count: .max, limit: 65_536)) { GGUFBytes(keys: .max) },
    Case("more tensors than bytes", .truncated(atByte: 16, needed: 24_000, available: 8)) {
      GGUFBytes(tensors: 1000)
    },
    Case("more keys than bytes", .truncated(atByte: 24, needed: 14_000, available: 0)) {
      GGUFBytes(keys: 1000)
    },
  ]

  static let keyCases = [
    key("key length -1", .beyondLimit(of: "bytes of a key", count: .max, limit: 65_535)) {
      $0.add(UInt64.max)
    },
    key("empty key", .emptyName(atByte: 24)) { $0.add(key: "", type: 0) },
    key("key not UTF-8", .notUTF8(atByte: 24)) {
      $0.add(UInt64(2))
      $0.bytes += [0xC3, 0x28]
    },
    key("bad type", .unknownValueType(key: "k", type: 13)) { $0.add(key: "k", type: 13) },
    key("bad element type", .unknownValueType(key: "k", type: 99)) {
      $0.add(key: "k", type: 9)
      $0.add(UInt32(99))
    },
    key("bad boolean", .badBoolean(key: "k", value: 2)) {
      $0.add(key: "k", type: 7)
      $0.add(UInt8(2))
    },
    key("text longer than the limit", .beyondLimit(of: "bytes of k", count: 1 << 40, limit: 64 << 20)) {
      $0.add(key: "k", type: 8)
      $0.add(UInt64(1) << 40)
    },
    key("list of -1 bytes", .beyondLimit(of: "elements of k", count: .max, limit: 64 << 20)) {
      $0.add(key: "k", type: 9)
      $0.add(UInt32(0))
      $0.add(UInt64.max)
    },
    key("list whose size overflows", .beyondLimit(of: "elements of k", count: 1 << 61, limit: 64 << 20)) {
      $0.add(key: "k", type: 9)
      $0.add(UInt32(10))
      $0.add(UInt64(1) << 61)
    },
    key("list longer than the file", .truncated(atByte: 49, needed: 800_000, available: 64)) {
      $0.add(key: "k", type: 9)
      $0.add(UInt32(8))
      $0.add(UInt64(100_000))
    },
    key("lists too deep", .beyondLimit(of: "depth of k", count: 5, limit: 4)) {
      $0.add(key: "k", type: 9)
      for _ in 0..<5 {
        $0.add(UInt32(9))
        $0.add(UInt64(1))
      }
    },
    key("alignment of a wrong type", .wrongType(key: "general.alignment", expected: "uint32", found: .uint64)) {
      $0.add(key: "general.alignment", type: 10)
      $0.add(UInt64(32))
    },
    key("alignment 0", .badAlignment(0)) {
      $0.add(key: "general.alignment", type: 4)
      $0.add(UInt32(0))
    },
    key("alignment 48", .badAlignment(48)) {
      $0.add(key: "general.alignment", type: 4)
      $0.add(UInt32(48))
    },
    key("alignment of 2 GiB", .badAlignment(1 << 31)) {
      $0.add(key: "general.alignment", type: 4)
      $0.add(UInt32(1) << 31)
    },
  ]

  static let tensorCases = [
    tensor("name of 64 bytes", .beyondLimit(of: "bytes of a tensor's name", count: 64, limit: 63)) {
      $0.add(tensor: String(repeating: "n", count: 64), dimensions: [1])
    },
    tensor("empty name", .emptyName(atByte: 24)) { $0.add(tensor: "", dimensions: [1]) },
    tensor("five dimensions", .tooManyDimensions(tensor: "t", count: 5)) {
      $0.add(tensor: "t", dimensions: [1, 1, 1, 1, 1])
    },
    tensor("a dimension of 0", .badDimension(tensor: "t", index: 1, size: 0)) {
      $0.add(tensor: "t", dimensions: [4, 0])
    },
    tensor("a dimension of -1", .badDimension(tensor: "t", index: 0, size: .max)) {
      $0.add(tensor: "t", dimensions: [.max])
    },
    tensor("elements overflow", .tensorTooLarge(tensor: "t")) {
      $0.add(tensor: "t", dimensions: [1 << 30, 1 << 30, 1 << 30])
    },
    tensor("bytes overflow", .tensorTooLarge(tensor: "t")) {
      $0.add(tensor: "t", dimensions: [1 << 31, 1 << 31])
    },
    tensor("padding wraps", .tensorTooLarge(tensor: "t")) {
      $0.add(tensor: "t", dimensions: [4, (1 << 30) - 1, (1 << 30) + 1])
    },
    tensor("bad type", .unknownTensorType(tensor: "t", type: 4)) {
      $0.add(tensor: "t", dimensions: [32], type: 4)
    },
    tensor("type -1", .unknownTensorType(tensor: "t", type: .max)) {
      $0.add(tensor: "t", dimensions: [32], type: .max)
    },
    tensor("rows of part of a block", .partialBlock(tensor: "t", rowLength: 48, blockLength: 32)) {
      $0.add(tensor: "t", dimensions: [48, 2], type: 8)
    },
    tensor("offset -1", .misalignedTensor(tensor: "t", offset: .max, alignment: 32)) {
      $0.add(tensor: "t", dimensions: [1], offset: .max)
    },
    tensor("offset that wraps", .tensorTooLarge(tensor: "t")) {
      $0.add(tensor: "t", dimensions: [8], offset: .max - 31)
    },
    tensor("offset beyond the file", .tensorOutsideFile(tensor: "t", needed: 4164, available: 160)) {
      $0.add(tensor: "t", dimensions: [1], offset: 4096)
    },
    tensor("one byte short", .tensorOutsideFile(tensor: "t", needed: 164, available: 160)) {
      $0.add(tensor: "t", dimensions: [25])
    },
  ]

  private static func key(_ name: String, _ expected: GGUFError, _ build: (inout GGUFBytes) -> Void) -> Case {
    Case(name, expected) {
      var bytes = GGUFBytes(keys: 1)
      build(&bytes)
      bytes.bytes += [UInt8](repeating: 0, count: 64)
      return bytes
    }
  }

  private static func tensor(
    _ name: String, _ expected: GGUFError, _ build: (inout GGUFBytes) -> Void
  ) -> Case {
    Case(name, expected) {
      var bytes = GGUFBytes(tensors: 1)
      build(&bytes)
      bytes.add(data: 64)
      if bytes.bytes.count < 160 { bytes.bytes += [UInt8](repeating: 0, count: 160 - bytes.bytes.count) }
      return bytes
    }
  }

  @Test(arguments: headerCases + keyCases + tensorCases)
  func isRefusedWithItsReason(wrong: Case) {
    #expect(error { () throws(GGUFError) in _ = try wrong.bytes.parsed() } == wrong.expected)
  }

  @Test func twiceTheSameNameIsRefused() {
    var keys = GGUFBytes(keys: 2)
    for _ in 0..<2 {
      keys.add(key: "k", type: 0)
      keys.add(UInt8(0))
    }
    keys.bytes += [0, 0, 0, 0]
    #expect(throws: GGUFError.duplicateKey("k")) { try keys.parsed() }
    var tensors = GGUFBytes(tensors: 2)
    tensors.add(tensor: "t", dimensions: [1])
    tensors.add(tensor: "t", dimensions: [1], offset: 32)
    tensors.add(data: 64)
    #expect(throws: GGUFError.duplicateTensor("t")) { try tensors.parsed() }
  }

  @Test func tensorsThatShareBytesAreRefused() {
    var tensors = GGUFBytes(tensors: 2)
    tensors.add(tensor: "a", dimensions: [9])
    tensors.add(tensor: "b", dimensions: [1], offset: 32)
    tensors.add(data: 64)
    #expect(throws: GGUFError.overlappingTensors("a", "b")) { try tensors.parsed() }
  }

  /// The sample file with its data.
  static let sample: [UInt8] = {
    var bytes = sampleWriter().headerBytes()
    bytes += [UInt8](repeating: 1, count: 32 + 32 + 136)
    return bytes
  }()

  @Test func everyCutIsRefused() throws {
    _ = try parse(Self.sample)
    for length in 0..<Self.sample.count {
      #expect(throws: GGUFError.self, "cut at \(length)") { try parse(Array(Self.sample.prefix(length))) }
    }
  }

  /// Flips, replacements and moves at random; a million with ALCOVE_FUZZ_COUNT=1000000.
  @Test func mutatedHeadersNeverTrap() {
    let count = ProcessInfo.processInfo.environment["ALCOVE_FUZZ_COUNT"].flatMap(Int.init) ?? 20_000
    var numbers = SeededGenerator(seed: 4)
    let headerLength = sampleWriter().headerBytes().count
    let interesting: [UInt64] = [0, 1, .max, 1 << 63, 1 << 31, 0xFFFF_FFFF, 1 << 40, 0x7FFF_FFFF_FFFF_FFFF]
    var bytes = Self.sample
    for _ in 0..<count {
      for _ in 0...Int.random(in: 0..<4, using: &numbers) {
        let place = Int.random(in: 0..<headerLength, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 2:
          let value = interesting.randomElement(using: &numbers) ?? 0
          for offset in 0..<min(8, bytes.count - place) {
            bytes[place + offset] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(offset)))
          }
        default: bytes[place] = bytes[Int.random(in: 0..<headerLength, using: &numbers)]
        }
      }
      // Any answer will do as long as there is one.
      _ = try? parse(bytes)
      bytes = Self.sample
    }
  }
}
