import Compute
import Threading

extension Benchmarks {
  /// Products of every weight type in the shapes of decoding (one token) and of prefill, as shares of the limits.
  static let kernels = Command(
    name: "kernels", parameters: "[--threads N] [--types Q4_K,F16] [--set avx2] [--tokens 512] [--json]"
  ) { options in
    let pool = WorkerPool(threadCount: try options.count("threads", default: ProcessorCount.usable))
    let set = try instructionSet(options)
    let types = try options.text("types").map(tensorTypes) ?? TensorType.allCases.filter(\.isMultipliable)
    let tokens = try options.count("tokens", default: 512)
    let limits = try Roofline.measure(pool: pool, instructionSet: set, bufferByteCount: 1 << 30)
    let context = ComputeContext(pool: pool, instructionSet: set)
    for type in types {
      // Decoding reads more weights than any cache holds.
      let decode = try product(context, type, rows: 65536, columns: 4096, tokens: 1)
      let prefill = try product(context, type, rows: 4096, columns: 2048, tokens: tokens)
      try report(
        [
          "type": type.name, "instructions": String(describing: set), "threads": pool.threadCount,
          "decodeGBps": decode.bytes / decode.seconds / 1e9,
          "decodeShare": decode.bytes / decode.seconds / limits.readBytesPerSecond,
          "prefillGOPS": prefill.operations / prefill.seconds / 1e9,
          "prefillShare": prefill.operations / prefill.seconds / limits.operationsPerSecond(with: type),
          "layOutGBps": decode.bytes / decode.layOutSeconds / 1e9,
        ], json: options.isJSON)
    }
  }

  private static func instructionSet(_ options: Options) throws -> InstructionSet {
    guard let name = options.text("set") else { return .best }
    guard let set = InstructionSet.available.first(where: { String(describing: $0) == name }) else {
      let names = InstructionSet.available.map { String(describing: $0) }.joined(separator: ", ")
      throw UsageError(message: "--set needs one of \(names)")
    }
    return set
  }

  private static func tensorTypes(_ names: String) throws -> [TensorType] {
    try names.split(separator: ",").map { name in
      guard let type = TensorType(name: String(name)), type.isMultipliable else {
        throw UsageError(message: "\(name) is not a type of weights")
      }
      return type
    }
  }

  private struct Measurement {
    var bytes: Double
    var operations: Double
    var seconds: Double
    var layOutSeconds: Double
  }

  /// The best of seven runs of one product.
  private static func product(
    _ context: ComputeContext, _ type: TensorType, rows: Int, columns: Int, tokens: Int
  ) throws -> Measurement {
    guard let count = type.byteCount(rows: rows, columns: columns) else {
      throw UsageError(message: "\(columns) columns are not a whole number of blocks of \(type.name)")
    }
    let bytes = try AlignedBuffer<UInt8>(count: count)
    // Such bytes keep every scale finite, and sums of F32 from being so small that a processor needs help with them.
    context.pool.run(count, grain: 1 << 20) { range in
      for i in range { bytes.base[i] = UInt8(truncatingIfNeeded: i &* 37 & 0x3b | 0x21) }
    }
    let matrix = try QuantizedMatrix(
      type: type, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(bytes.buffer), owner: bytes)
    let input = try AlignedBuffer<Float>(count: tokens * columns)
    for i in 0..<input.count { input[i] = Float(i % 17) - 8 }
    let output = try AlignedBuffer<Float>(count: tokens * rows)
    let clock = ContinuousClock()
    let layOut = try clock.measure { try matrix.prepare(for: context) }
    let runs = try (0..<7).map { _ in
      try clock.measure { try context.multiply(matrix, input.base, count: tokens, into: output.base) }
        / .seconds(1)
    }
    return Measurement(
      bytes: Double(matrix.byteCount), operations: 2 * Double(rows) * Double(columns) * Double(tokens),
      seconds: runs.min() ?? .infinity, layOutSeconds: layOut / .seconds(1))
  }
}
