import CKernels
import Threading

/// Attention without a KV cache: every query of a sequence attends to all keys of its sequence, or to earlier ones.
package struct PictureAttention: Sendable {
  /// Number of sequences (texts or pictures), one after another in memory.
  package var texts: Int
  /// Number of queries of one sequence.
  package var queries: Int
  /// Number of keys and values of one sequence.
  package var keys: Int
  /// Number of heads, side by side in a token.
  package var heads: Int
  /// Dimension of one head, at most 512.
  package var headSize: Int
  /// Factor of the scores; above 0.
  package var scale: Float
  /// Indicates whether query t sees only keys up to t.
  package var isCausal: Bool
  /// Precision of the products.
  package var precision: PicturePrecision
  /// Floats from one query to the next.
  package var queryStride: Int
  /// Floats from one key to the next.
  package var keyStride: Int
  /// Floats from one value to the next.
  package var valueStride: Int
  /// Floats from one result to the next.
  package var outputStride: Int

  /// Describes attention; strides are `heads · headSize` and the scale `1 / sqrt(headSize)` unless given.
  package init(
    texts: Int = 1, queries: Int, keys: Int, heads: Int, headSize: Int, scale: Float? = nil,
    isCausal: Bool = false, precision: PicturePrecision, queryStride: Int? = nil, keyStride: Int? = nil,
    valueStride: Int? = nil, outputStride: Int? = nil
  ) {
    self.texts = texts
    self.queries = queries
    self.keys = keys
    self.heads = heads
    self.headSize = headSize
    self.scale = scale ?? 1 / Float(max(1, headSize)).squareRoot()
    self.isCausal = isCausal
    self.precision = precision
    let width = max(1, heads).multipliedReportingOverflow(by: max(1, headSize)).partialValue
    self.queryStride = queryStride ?? width
    self.keyStride = keyStride ?? width
    self.valueStride = valueStride ?? width
    self.outputStride = outputStride ?? width
  }
}

extension ComputeContext {
  /// Computes output = softmax(scale · q · k) · v for each head, in blocks: the matrix of scores is never stored
  /// whole.
  ///
  /// The result does not depend on the thread count.
  /// - Parameters:
  ///   - queries: `(texts, queries, heads, headSize)` with the strides of `attention`; likewise `keys` and `values`.
  ///   - output: `(texts, queries, heads, headSize)`, overwritten; may not overlap the inputs.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)`` or ``ComputeError/outOfMemory(byteCount:)``.
  package func attend(
    _ attention: PictureAttention, queries: UnsafePointer<Float>, keys: UnsafePointer<Float>,
    values: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    let (texts, heads, headSize) = (attention.texts, attention.heads, attention.headSize)
    try checkSizes([texts, max(attention.queries, attention.keys)], [1])
    try checkSizes([texts, attention.queries, attention.queryStride], [1])
    try checkSizes([texts, attention.keys, heads, 2], [headSize])
    let strides = [attention.queryStride, attention.keyStride, attention.valueStride, attention.outputStride]
    guard attention.queries > 0, headSize <= Int(ck_picture_head_limit), attention.scale > 0,
      attention.scale < .infinity, strides.allSatisfy({ $0 >= heads * headSize && $0 < 1 << 32 })
    else { throw .badShape(type: .f32, rows: attention.queries, columns: headSize) }
    let (form, set) = (attention.precision.form, instructionSet.rawValue)
    let keyBytes = Int(ck_picture_key_bytes(form, Int64(attention.keys), Int64(headSize)))
    let valueBytes = Int(ck_picture_value_bytes(form, Int64(attention.keys), Int64(headSize)))
    let packed = try scratch(byteCount: texts * heads * (keyBytes + valueBytes))
    func head(_ index: Int) -> ck_picture_attention {
      let (text, head) = (index / heads, index % heads)
      var part = ck_picture_attention()
      part.queries = queries + text * attention.queries * attention.queryStride + head * headSize
      part.keys = keys + text * attention.keys * attention.keyStride + head * headSize
      part.values = values + text * attention.keys * attention.valueStride + head * headSize
      part.out = output + text * attention.queries * attention.outputStride + head * headSize
      part.query_stride = Int64(attention.queryStride)
      part.key_stride = Int64(attention.keyStride)
      part.value_stride = Int64(attention.valueStride)
      part.out_stride = Int64(attention.outputStride)
      part.key_count = Int64(attention.keys)
      part.head_size = Int64(headSize)
      part.scale = attention.scale
      part.is_causal = attention.isCausal ? 1 : 0
      part.form = form
      part.packed_keys = packed + index * (keyBytes + valueBytes)
      part.packed_values = packed + index * (keyBytes + valueBytes) + keyBytes
      return part
    }
    let keyGroups = (attention.keys + 15) / 16
    let packPieces = (keyGroups + 15) / 16
    pool.run(texts * heads * packPieces) { part in
      var own = head(part / packPieces)
      let first = part % packPieces * 16
      ck_picture_pack_keys(set, &own, Int64(first), Int64(min(16, keyGroups - first)))
    }
    let pairs = (0..<attention.queries).reduce(0) {
      $0 &+ (attention.isCausal ? min($1 + 1, attention.keys) : attention.keys)
    }
    multiplyAddCount &+= texts &* heads &* 2 &* headSize &* pairs
    let grain = Int(ck_picture_queries)
    let pieces = (attention.queries + grain - 1) / grain
    pool.run(texts * heads * pieces) { part in
      var own = head(part / pieces)
      // The last causal queries, which see most keys, come first.
      let first = (pieces - 1 - part % pieces) * grain
      ck_picture_attend(set, &own, Int64(first), Int64(min(grain, attention.queries - first)))
    }
  }
}
