import CKernels
import Threading

/// Measures the rate at which a pool reads memory that no cache holds.
package final class ReadRate {
  private let pool: WorkerPool
  private let instructionSet: InstructionSet
  private let buffer: AlignedBuffer<UInt8>

  /// Allocates the buffer, which must be far larger than the caches.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  package init(
    pool: WorkerPool, instructionSet: InstructionSet, bufferByteCount: Int = 512 << 20
  ) throws(ComputeError) {
    self.pool = pool
    self.instructionSet = instructionSet
    buffer = try AlignedBuffer<UInt8>(count: bufferByteCount)
    // Pages never written are all the same page of zeros.
    pool.run(buffer.count, grain: 1 << 20) { [buffer] range in
      for byte in stride(from: range.lowerBound, to: range.upperBound, by: 4096) { buffer.base[byte] = 1 }
    }
  }

  /// Returns bytes per second in one pass over the buffer.
  package func measure() -> Double {
    let time = ContinuousClock().measure {
      pool.run(buffer.count, grain: 1 << 20) {
        _ = ck_peak_read(instructionSet.rawValue, buffer.base + $0.lowerBound, Int64($0.count))
      }
    }
    return Double(buffer.count) / (time / .seconds(1))
  }
}

/// Peak rates of a machine, as the reference for measurements (roofline model).
package struct Roofline: Sendable {
  /// Bytes per second read from memory by all threads.
  package var readBytesPerSecond: Double
  /// 8-bit operations per second by all threads; a multiply-add counts as two.
  package var int8OperationsPerSecond: Double
  /// F32 operations per second by all threads; a multiply-add counts as two.
  package var f32OperationsPerSecond: Double
  /// BF16 operations with F32 accumulators per second by all threads; a multiply-add counts as two.
  package var bf16OperationsPerSecond: Double

  /// Measures a pool and an instruction set in about a second; each rate is the best of five runs.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  package static func measure(
    pool: WorkerPool, instructionSet: InstructionSet, bufferByteCount: Int = 2 << 30
  ) throws(ComputeError) -> Roofline {
    let set = instructionSet.rawValue
    let reading = try ReadRate(pool: pool, instructionSet: instructionSet, bufferByteCount: bufferByteCount)
    let read = (0..<5).map { _ in reading.measure() }.max() ?? 0
    let rounds: Int64 = instructionSet == .scalar ? 500 : 20_000
    let parts = pool.threadCount * 8
    let perPart = (
      int8: multiplyInt8(set, rounds), f32: multiplyF32(set, rounds), bf16: multiplyBF16(set, rounds)
    )
    let int8 = best { pool.run(parts) { _ in _ = multiplyInt8(set, rounds) } }
    let f32 = best { pool.run(parts) { _ in _ = multiplyF32(set, rounds) } }
    let bf16 = best { pool.run(parts) { _ in _ = multiplyBF16(set, rounds) } }
    return Roofline(
      readBytesPerSecond: read,
      int8OperationsPerSecond: 2 * Double(perPart.int8) * Double(parts) / int8,
      f32OperationsPerSecond: 2 * Double(perPart.f32) * Double(parts) / f32,
      bf16OperationsPerSecond: 2 * Double(perPart.bf16) * Double(parts) / bf16)
  }

  /// Returns the operations per second of all threads in the form of numbers in which weights of a type are multiplied.
  package func operationsPerSecond(with type: TensorType) -> Double {
    switch InputForm(type, .usual) {
    case .int8, .int16: int8OperationsPerSecond
    case .bf16: bf16OperationsPerSecond
    case .f32: f32OperationsPerSecond
    }
  }

  private static func multiplyInt8(_ set: Int32, _ rounds: Int64) -> Int64 {
    var result: Int32 = 0
    return ck_peak_int8(set, rounds, &result)
  }

  private static func multiplyF32(_ set: Int32, _ rounds: Int64) -> Int64 {
    var result: Float = 0
    return ck_peak_f32(set, rounds, &result)
  }

  private static func multiplyBF16(_ set: Int32, _ rounds: Int64) -> Int64 {
    var result: Float = 0
    return ck_peak_bf16(set, rounds, &result)
  }

  /// Returns the seconds of the fastest of five runs.
  private static func best(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    return (0..<5).map { _ in clock.measure(body) / .seconds(1) }.min() ?? .infinity
  }
}
