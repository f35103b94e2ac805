import CKernels

/// Activation function; the raw values are those of `enum ck_activation`.
package enum Activation: Int32, CaseIterable, Sendable {
  /// x · sigmoid(x)
  case silu = 0
  /// x · Φ(x) by the error function
  case gelu = 1
  /// GELU by its tanh approximation
  case geluTanh = 2
  /// x · sigmoid(1.702 x)
  case geluQuick = 3
  case relu = 4
  /// relu(x)²
  case reluSquared = 5
  case sigmoid = 6
  case tanh = 7
  case exp = 8
}

/// Operations on vectors of `count` floats; the output may be one of the inputs.
extension InstructionSet {
  /// Returns the dot product, accumulated in 16 partial sums.
  package func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int) -> Float {
    ck_dot(rawValue, x, y, Int64(count))
  }

  /// output = x + y
  package func add(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_add(rawValue, x, y, Int64(count), output) }

  /// output = x · y, value by value
  package func multiply(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_mul(rawValue, x, y, Int64(count), output) }

  /// output = x · factor
  package func scale(
    _ x: UnsafePointer<Float>, by factor: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_scale(rawValue, x, factor, Int64(count), output) }

  /// output = output + x · factor
  package func addScaled(
    _ x: UnsafePointer<Float>, by factor: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_add_scaled(rawValue, x, factor, Int64(count), output) }

  /// output = x / sqrt(mean(x²) + epsilon) · weight; a nil weight counts as ones.
  package func rmsNorm(
    _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>?, epsilon: Float, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) { ck_rms_norm(rawValue, x, weight, epsilon, Int64(count), output) }

  /// output = (x - mean) / sqrt(variance + epsilon) · weight + bias; a nil weight counts as ones, a nil bias as zeros.
  package func layerNorm(
    _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>?, bias: UnsafePointer<Float>?, epsilon: Float,
    count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_layer_norm(rawValue, x, weight, bias, epsilon, Int64(count), output) }

  /// x = exp(x - max) / sum, in place; -infinity becomes 0.
  package func softmax(_ x: UnsafeMutablePointer<Float>, count: Int) { ck_softmax(rawValue, x, Int64(count)) }

  /// output = activation(x)
  package func activate(
    _ activation: Activation, _ x: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) { ck_activate(rawValue, activation.rawValue, x, Int64(count), output) }

  /// output = activation(gate) · up
  package func gate(
    _ activation: Activation, _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) { ck_gate(rawValue, activation.rawValue, gate, up, Int64(count), output) }

  /// Clamped SwiGLU of gpt-oss: output = g · sigmoid(alpha · g) · (clamp(up, ±limit) + 1) with g = min(gate,
  /// limit).
  package func limitedSwiGLU(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, alpha: Float, limit: Float, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) { ck_swiglu_limited(rawValue, gate, up, alpha, limit, Int64(count), output) }

  /// Rotary position embedding (RoPE): rotates pair i of one head in place by the angle of cosine and sine i.
  ///
  /// Pair i is `(x[2i], x[2i + 1])`, or `(x[i], x[i + pairCount])` for NeoX.
  package func rope(
    _ x: UnsafeMutablePointer<Float>, cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, pairCount: Int,
    isNeoX: Bool
  ) { ck_rope(rawValue, x, cosines, sines, Int64(pairCount), isNeoX ? 1 : 0) }

  /// Converts F16 (IEEE binary16 bit patterns) to F32.
  package func widen(_ x: UnsafePointer<UInt16>, count: Int, into output: UnsafeMutablePointer<Float>) {
    ck_f16_to_f32_array(rawValue, x, Int64(count), output)
  }

  /// Converts F32 to F16 (IEEE binary16 bit patterns), rounding to nearest even.
  package func narrow(_ x: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<UInt16>) {
    ck_f32_to_f16_array(rawValue, x, Int64(count), output)
  }
}
