import Compute

typealias Floats = UnsafePointer<Float>
typealias MutableFloats = UnsafeMutablePointer<Float>
/// Single-precision numbers at a fixed place, zero at first; pages that are never written cost no memory.
typealias FloatBuffer = AlignedBuffer<Float>

extension AlignedBuffer<Float> {
  func fill(_ value: Float) { base.update(repeating: value, count: count) }
}

/// Runs computation that may fail and rethrows its error as this module's.
func computed<Value: ~Copyable>(
  _ body: () throws(ComputeError) -> Value
) throws(TextGenerationError) -> Value {
  do {
    return try body()
  } catch {
    throw .compute(error)
  }
}

func makeBuffer(_ count: Int) throws(TextGenerationError) -> FloatBuffer {
  try computed { () throws(ComputeError) in try FloatBuffer(count: count) }
}
