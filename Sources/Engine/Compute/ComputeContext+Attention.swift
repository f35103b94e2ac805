import CKernels
import Threading

/// Parameters of attention that differ among models.
package struct AttentionOptions: Sendable {
  /// Factor of the scores, usually `1 / sqrt(keyDim)`.
  package var scale: Float
  /// Soft cap: scores become `cap · tanh(score / cap)`; 0 means no cap.
  package var softCap: Float = 0

  /// Makes options.
  package init(scale: Float, softCap: Float = 0) {
    self.scale = scale
    self.softCap = softCap
  }
}

extension ComputeContext {
  /// Softmax attention of `count` queries of `queryHeadCount` heads over a KV cache.
  ///
  /// Equal groups of query heads share a head of the cache (grouped-query attention). A result depends neither on the
  /// other queries of the call nor on the thread count.
  /// - Parameters:
  ///   - queries: `(count, queryHeadCount, keyDim)`
  ///   - visible: `(count,)`, positions that each query attends to: for causal attention `0..<position + 1`, with a
  ///     sliding window of w `max(0, position + 1 - w)..<position + 1`. An empty range gives zeros.
  ///   - texts: ranges of queries of the same sequence, which attend to the same part of the cache; nil: one sequence.
  ///   - sinks: attention sinks `(queryHeadCount,)`, scores that take part in the softmax without a value; or nil.
  ///   - output: `(count, queryHeadCount, valueDim)`, overwritten.
  package func attend(
    _ cache: AttentionCache, queries: UnsafePointer<Float>, queryHeadCount: Int, visible: [Range<Int>],
    texts: [Range<Int>]? = nil, options: AttentionOptions, sinks: UnsafePointer<Float>? = nil,
    into output: UnsafeMutablePointer<Float>
  ) {
    let count = visible.count
    precondition(queryHeadCount > 0 && queryHeadCount % cache.headCount == 0, "equal groups of heads")
    precondition(
      visible.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= cache.capacity }, "positions of the cache")
    let group = queryHeadCount / cache.headCount
    let first = visible.map { Int32($0.lowerBound) }
    let end = visible.map { Int32($0.upperBound) }
    // Each piece fills the rows of the kernel; the last queries, which see most, come first.
    let grain = max(1, Int(ck_attention_rows) / group)
    let pieces = (texts ?? [0..<count]).flatMap { text in
      stride(from: text.lowerBound, to: text.upperBound, by: grain).map { $0..<min($0 + grain, text.upperBound) }
    }
    first.withUnsafeBufferPointer { first in
      end.withUnsafeBufferPointer { end in
        // Pieces of one head are adjacent, so that a thread's share reads few heads.
        pool.run(pieces.count * cache.headCount) { part in
          let (head, piece) = (part / pieces.count, pieces[pieces.count - 1 - part % pieces.count])
          var attention = ck_attention()
          attention.cache = cache.head(head)
          attention.head_count = Int64(group)
          attention.queries = queries + head * group * cache.keyDim
          attention.query_stride = Int64(queryHeadCount * cache.keyDim)
          attention.out = output + head * group * cache.valueDim
          attention.out_stride = Int64(queryHeadCount * cache.valueDim)
          attention.first = first.baseAddress
          attention.end = end.baseAddress
          attention.scale = options.scale
          attention.soft_cap = options.softCap
          attention.sinks = sinks.map { $0 + head * group }
          ck_attend(
            instructionSet.rawValue, &attention, Int64(piece.lowerBound), Int64(piece.count))
        }
      }
    }
  }
}
