import CKernels

/// The keys and values of one layer for up to `capacity` positions, laid out for streaming.
///
/// Forgetting later positions needs no call: store over them. Positions are taken as the caller counts them from 0.
package final class AttentionCache: @unchecked Sendable {
  /// Heads of keys and values.
  package let headCount: Int
  /// Dimensions of a key (and of a query).
  package let keyDim: Int
  /// Dimensions of a value (and of a result).
  package let valueDim: Int
  /// Positions there is room for, a multiple of 16.
  package let capacity: Int
  /// F32, F16 or Q8_0.
  package let type: TensorType

  private let keys: AlignedBuffer<UInt8>
  private let values: AlignedBuffer<UInt8>
  private let keyBytes: Int
  private let valueBytes: Int

  /// The largest key or value dimension.
  package static let dimensionLimit = Int(ck_attention_dim_limit)

  /// Makes room for positions; memory counts as used only once they are stored.
  /// - Parameters:
  ///   - keyDim: at most ``dimensionLimit``, as `valueDim`; multiples of 32 for Q8_0.
  ///   - capacity: rounded up to a multiple of 64.
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

  /// Bytes of all positions.
  package var byteCount: Int { keys.count + values.count }

  /// Writes the keys `(positions, headCount, keyDim)` and values `(positions, headCount, valueDim)` of some positions.
  package func store(_ positions: ArraySlice<Int>, keys: UnsafePointer<Float>, values: UnsafePointer<Float>) {
    precondition(positions.allSatisfy { $0 >= 0 && $0 < capacity }, "positions of the cache")
    let (keyStride, valueStride) = (headCount * keyDim, headCount * valueDim)
    // Head after head: the same places of all heads, which lie far apart in even steps, would push each other out of a cache.
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

  /// Reads back the keys `(headCount, keyDim)` and values `(headCount, valueDim)` of one position.
  package func load(
    _ position: Int, keys: UnsafeMutablePointer<Float>, values: UnsafeMutablePointer<Float>
  ) {
    precondition(position >= 0 && position < capacity, "a position of the cache")
    for head in 0..<headCount {
      var cache = self.head(head)
      ck_cache_load(&cache, Int64(position), keys + head * keyDim, values + head * valueDim)
    }
  }

  /// The bytes that positions `0..<count` occupy, head by head (keys, then values), for saving and restoring.
  /// Positions are kept in groups of 16, so bytes of up to 15 later positions are included.
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
