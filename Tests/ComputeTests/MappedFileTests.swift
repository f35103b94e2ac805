import Compute
import Foundation
import TestSupport
import Testing

@Suite struct MappedFileTests {
  @Test func readsWhatTheFileHolds() throws {
    let folder = try TemporaryFolder()
    let file = try MappedFile(path: try folder.write("a", "hello").path)
    #expect(String(decoding: file.bytes, as: UTF8.self) == "hello")
    try file.check()
    let empty = try MappedFile(path: try folder.write("b", "").path)
    #expect(empty.bytes.isEmpty)
    try empty.check()
  }

  @Test func aTruncatedFileBecomesAnError() throws {
    let folder = try TemporaryFolder()
    let url = try folder.write("model", Data(repeating: 7, count: 5 << 20))
    let file = try MappedFile(path: url.path)
    let other = try MappedFile(path: try folder.write("other", Data(repeating: 9, count: 1 << 20)).path)
    #expect(file.bytes[4 << 20] == 7)
    #expect(truncate(url.path, 1 << 20) == 0)
    // Without the guard this read would end the process.
    #expect(file.bytes.reduce(0) { $0 + Int($1) } == 7 << 20)
    #expect(throws: ComputeError.fileChanged(path: url.path)) { try file.check() }
    #expect(other.bytes.allSatisfy { $0 == 9 })
    try other.check()
  }

  @Test func whatCannotBeMappedIsNamed() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url.appending(path: "none").path
    #expect(throws: ComputeError.system(path: missing, call: "open", code: ENOENT)) {
      try MappedFile(path: missing)
    }
    #expect(throws: ComputeError.system(path: folder.url.path, call: "open", code: EINVAL)) {
      try MappedFile(path: folder.url.path)
    }
  }

  @Test func shapesThatDoNotFitAreRefused() throws {
    let bytes = [UInt8](repeating: 0, count: 1000)
    bytes.withUnsafeBytes { bytes in
      #expect(throws: ComputeError.badShape(type: .q4_K, rows: 1, columns: 100)) {
        try QuantizedMatrix(type: .q4_K, rows: 1, columns: 100, bytes: bytes, owner: nil)
      }
      #expect(throws: ComputeError.badShape(type: .f32, rows: .max, columns: 1 << 40)) {
        try QuantizedMatrix(type: .f32, rows: .max, columns: 1 << 40, bytes: bytes, owner: nil)
      }
      #expect(throws: ComputeError.tooFewBytes(needed: 1024, available: 1000)) {
        try QuantizedMatrix(type: .f32, rows: 1, columns: 256, bytes: bytes, owner: nil)
      }
      #expect(throws: ComputeError.notMultipliable(.i32)) {
        try QuantizedMatrix(type: .i32, rows: 1, columns: 1, bytes: bytes, owner: nil)
      }
    }
  }
}
