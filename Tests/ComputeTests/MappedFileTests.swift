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

  /// Rows of Q8_0 as a file stores them.
  private func storedWeights(rows: Int, columns: Int) throws -> AlignedBuffer<UInt8> {
    let bytes = try AlignedBuffer<UInt8>(count: rows * columns / 32 * 34)
    // Small bytes keep every scale finite.
    for i in 0..<bytes.count { bytes[i] = UInt8(truncatingIfNeeded: (i &* i >> 7) & 0x3b) }
    return bytes
  }

  /// More than is laid out at a time: rows and products stay the same bits, and the file's pages are in memory only
  /// where a prompt's first product reads them.
  @Test(arguments: [1, 20]) func weightsLaidOutLeaveTheFilesPages(tokensFirst: Int) throws {
    let (rows, columns) = (5000, 4096)
    let bytes = try storedWeights(rows: rows, columns: columns)
    let stored = UnsafeRawBufferPointer(bytes.buffer)
    let folder = try TemporaryFolder()
    let url = try folder.write("model", Data(stored))
    let file = try MappedFile(path: url.path)
    let weights = try QuantizedMatrix(type: .q8_0, rows: rows, columns: columns, bytes: stored, owner: bytes)
    let matrix = try QuantizedMatrix(type: .q8_0, rows: rows, columns: columns, bytes: file.bytes, owner: file)
    let context = ComputeContext(threadCount: 2)
    let input = try AlignedBuffer<Float>(count: tokensFirst * columns)
    _ = input.buffer.update(from: RandomWeights.values(input.count, seed: 5))
    let bias = try AlignedBuffer<Float>(count: rows)
    _ = bias.buffer.update(from: RandomWeights.values(rows, seed: 6))
    func product(_ matrix: QuantizedMatrix, count: Int) throws -> [Float] {
      let output = try AlignedBuffer<Float>(count: count * rows)
      try context.multiply([
        ComputeContext.Product(matrix, input.base, count: count, into: output.base, bias: bias)
      ])
      return Array(output.buffer)
    }
    var (row, expectedRow) = ([Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns))
    let expected = try product(weights, count: tokensFirst)
    for use in 1...3 {
      weights.dequantizeRow(rows - use, into: &expectedRow)
      matrix.dequantizeRow(rows - use, into: &row)
      #expect(row == expectedRow)
      let count = use == 1 ? tokensFirst : 1
      #expect(try product(matrix, count: count) == Array(expected[..<(count * rows)]))
      let resident = try residentKibibytes(of: url)
      #expect((resident > 0) == (use == 1 && tokensFirst > 1), "use \(use): \(resident) KiB")
    }
    try file.check()
    #expect(truncate(url.path, 1 << 20) == 0)
    matrix.dequantizeRow(rows - 1, into: &row)
    #expect(throws: ComputeError.fileChanged(path: url.path)) { try file.check() }
  }

  /// The first products of a model are read both ways, and either gives the same bits; which was faster is not tested.
  @Test func productsReadFromTheFileOrMappedAreTheSame() throws {
    let (rows, columns) = (5000, 4096)
    let bytes = try storedWeights(rows: rows, columns: columns)
    let stored = UnsafeRawBufferPointer(bytes.buffer)
    let folder = try TemporaryFolder()
    let url = try folder.write("model", Data(stored))
    let context = ComputeContext(threadCount: 2)
    let input = RandomWeights.values(columns, seed: 5)
    var (expected, output) = ([Float](repeating: 0, count: rows), [Float](repeating: 0, count: rows))
    let weights = try QuantizedMatrix(type: .q8_0, rows: rows, columns: columns, bytes: stored, owner: bytes)
    try context.multiply(weights, input, into: &expected)
    var waysTaken: Set<Bool> = []
    for _ in 1...10 {
      let file = try MappedFile(path: url.path)
      let matrix = try QuantizedMatrix(type: .q8_0, rows: rows, columns: columns, bytes: file.bytes, owner: file)
      try context.multiply(matrix, input, into: &output)
      #expect(output == expected)
      waysTaken.insert(try residentKibibytes(of: url) > 0)
      try file.check()
    }
    #expect(waysTaken == [false, true])
  }

  @Test func oneTokensProductWithATruncatedFileIsAnError() throws {
    let (rows, columns) = (640, 1024)
    let folder = try TemporaryFolder()
    let url = try folder.write("model", Data(repeating: 1, count: rows * columns / 32 * 34))
    let file = try MappedFile(path: url.path)
    let matrix = try QuantizedMatrix(type: .q8_0, rows: rows, columns: columns, bytes: file.bytes, owner: file)
    #expect(truncate(url.path, 4096) == 0)
    var output = [Float](repeating: 0, count: rows)
    try ComputeContext(threadCount: 2)
      .multiply(matrix, [Float](repeating: 1, count: columns), into: &output)
    #expect(throws: ComputeError.fileChanged(path: url.path)) { try file.check() }
  }

  /// Kibibytes of a file's mappings that are in this process's memory.
  private func residentKibibytes(of url: URL) throws -> Int {
    let handle = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    let maps = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    var (total, isOfFile) = (0, false)
    for line in maps.split(separator: "\n") {
      // A mapping's first line ends with its file, or tells a device and no name.
      if line.first?.isHexDigit == true, line.first?.isUppercase == false { isOfFile = line.hasSuffix(url.path) }
      if isOfFile, line.hasPrefix("Rss:") { total += Int(line.split(separator: " ")[1]) ?? 0 }
    }
    return total
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
