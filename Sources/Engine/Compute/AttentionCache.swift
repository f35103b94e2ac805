import CKernels

/// KV cache of one layer for up to `capacity` positions, in a layout that attention reads as a stream.
///
/// Positions are counted from 0. Truncating the cache needs no call: store over later positions.
package final class AttentionCache: @unchecked Sendable {
  /// Number of heads of keys and values.
  package let headCount: Int
  /// Dimension of a key (and of a query).
  package let keyDim: Int
  /// Dimension of a value (and of a result).
  package let valueDim: Int
  /// Largest number of positions, a multiple of 64.
  package let capacity: Int
  /// Element type: F32, F16 or Q8_0.
  package let type: TensorType

  private let keys: AlignedBuffer<UInt8>
  private let values: AlignedBuffer<UInt8>
  private let keyBytes: Int
  private let valueBytes: Int

  /// Largest key or value dimension.
  package static let dimensionLimit = Int(ck_attention_dim_limit)

  /// Allocates a cache; its memory is committed as positions are stored.
  /// - Parameters:
  ///   - keyDim: at most ``dimensionLimit``, as `valueDim`; multiples of 32 for Q8_0.
  ///   - capacity: rounded up to a multiple of 64.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)`` or ``ComputeError/outOfMemory(byteCount:)``.
  package init(
    headCount: Int, keyDim: Int, valueDim: Int, capacity: Int, type: TensorType
  ) throws(ComputeError) {
    let isStorable = type == .f32 || type == .f16 || (type == .q8_0 && keyDim % 32 == 0 && valueDim % 32 == 0)
    let limit = AttentionCache.dimensionLimit
    guard isStorable, headCount > 0, (1...limit).contains(keyDim), (1...limit).contains(valueDim),
      (1...(1 << 30)).contains(capacity), headCount < 1 << 16
    else { throw .badShape(type: type, rows: capacity, columns: keyDim) }
    let rounded = (capacity + 63) / 64 * 64
    self.headCount = headCount
    self.keyDim = keyDim
    self.valueDim = valueDim
    self.capacity = rounded
    self.type = type
    keyBytes = Int(ck_cache_key_bytes(Int32(type.rawValue), Int64(keyDim), Int64(rounded)))
    valueBytes = Int(ck_cache_value_bytes(Int32(type.rawValue), Int64(valueDim), Int64(rounded)))
    keys = try AlignedBuffer(count: keyBytes * headCount)
    values = try AlignedBuffer(count: valueBytes * headCount)
  }

  /// Size of all positions, in bytes.
  package var byteCount: Int { keys.count + values.count }

  /// Stores the keys `(positions, headCount, keyDim)` and values `(positions, headCount, valueDim)` of positions.
  package func store(_ positions: ArraySlice<Int>, keys: UnsafePointer<Float>, values: UnsafePointer<Float>) {
    precondition(positions.allSatisfy { $0 >= 0 && $0 < capacity }, "positions of the cache")
    let (keyStride, valueStride) = (headCount * keyDim, headCount * valueDim)
    // Head by head: the same position of all heads lies at a power-of-two stride, whose lines evict each other.
    for head in 0..<headCount {
      var cache = self.head(head)
      var start = positions.startIndex
      while start < positions.endIndex {
        var end = start + 1
        while end < positions.endIndex, positions[end] == positions[end - 1] + 1 { end += 1 }
        let row = start - positions.startIndex
        ck_cache_store(
          InstructionSet.best.rawValue, &cache, Int64(positions[start]), Int64(end - start),
          keys + row * keyStride + head * keyDim, Int64(keyStride), values + row * valueStride + head * valueDim,
          Int64(valueStride))
        start = end
      }
    }
  }

  /// Loads the keys `(headCount, keyDim)` and values `(headCount, valueDim)` of one position as F32.
  package func load(
    _ position: Int, keys: UnsafeMutablePointer<Float>, values: UnsafeMutablePointer<Float>
  ) {
    precondition(position >= 0 && position < capacity, "a position of the cache")
    for head in 0..<headCount {
      var cache = self.head(head)
      ck_cache_load(&cache, Int64(position), keys + head * keyDim, values + head * valueDim)
    }
  }

  /// Returns the bytes of positions `0..<count`, head by head (keys, then values), for saving and restoring.
  ///
  /// Positions are stored in groups of 16, so bytes of up to 15 later positions are included.
  package func storage(ofFirst count: Int) -> [UnsafeMutableRawBufferPointer] {
    precondition(count >= 0 && count <= capacity, "positions of the cache")
    let rounded = Int64((count + 15) / 16 * 16)
    let keyPart = Int(ck_cache_key_bytes(Int32(type.rawValue), Int64(keyDim), rounded))
    let valuePart = Int(ck_cache_value_bytes(Int32(type.rawValue), Int64(valueDim), rounded))
    return (0..<headCount).flatMap { head in
      [
        UnsafeMutableRawBufferPointer(start: keys.base + head * keyBytes, count: keyPart),
        UnsafeMutableRawBufferPointer(start: values.base + head * valueBytes, count: valuePart),
      ]
    }
  }

  /// Returns one head as the kernels see it.
  func head(_ head: Int) -> ck_cache {
    var cache = ck_cache()
    cache.keys = keys.base + head * keyBytes
    cache.values = values.base + head * valueBytes
    cache.key_dim = Int64(keyDim)
    cache.value_dim = Int64(valueDim)
    cache.type = Int32(type.rawValue)
    return cache
  }
}
