import Compute
import Threading

extension Benchmarks {
  /// Limits of the machine: read bandwidth, and multiply-adds per instruction set.
  static let roofline = Command(name: "roofline", parameters: "[--threads N] [--json]") { options in
    let pool = WorkerPool(threadCount: try options.count("threads", default: ProcessorCount.usable))
    for set in InstructionSet.available {
      let limits = try Roofline.measure(pool: pool, instructionSet: set)
      try report(
        [
          "instructions": String(describing: set), "threads": pool.threadCount,
          "readGBps": limits.readBytesPerSecond / 1e9, "int8TOPS": limits.int8OperationsPerSecond / 1e12,
          "f32TFLOPS": limits.f32OperationsPerSecond / 1e12,
          "bf16TFLOPS": limits.bf16OperationsPerSecond / 1e12,
        ], json: options.isJSON)
    }
  }
}
