import Synchronization

/// Arena for packed weights: matrices are allocated next to each other, in blocks of memory in huge pages.
///
/// A matrix in memory of its own has small pages at both ends, and throughout where it is smaller than a few MiB;
/// hardware prefetchers stop at the end of a page, so that reading such a matrix took a third longer.
package final class WeightArena: Sendable {
  /// Part of a block that holds one matrix; a block is unmapped with the last of its parts.
  package struct Allocation {
    /// First byte, on a boundary of 64 bytes.
    package let base: UnsafeMutablePointer<UInt8>
    private let block: AlignedBuffer<UInt8>

    fileprivate init(_ block: AlignedBuffer<UInt8>, at start: Int) {
      self.block = block
      base = block.base + start
    }
  }

  /// Size of a block, in bytes; pages not yet written take no memory.
  package static let blockByteCount = 128 << 20
  /// Size of a cache line.
  private static let alignment = 64

  /// Block being filled, and the end of its used part.
  private let filling = Mutex<(block: AlignedBuffer<UInt8>, end: Int)?>(nil)

  /// Makes an empty arena.
  package init() {}

  /// Allocates memory for one matrix, on a boundary of 64 bytes.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  package func allocate(byteCount: Int) throws(ComputeError) -> Allocation {
    try filling.withLock { (filling: inout (block: AlignedBuffer<UInt8>, end: Int)?) throws(ComputeError) in
      if let (block, end) = filling {
        let start = (end + Self.alignment - 1) / Self.alignment * Self.alignment
        if start <= block.count, byteCount <= block.count - start {
          filling = (block, start + byteCount)
          return Allocation(block, at: start)
        }
      }
      let block = try AlignedBuffer<UInt8>(count: max(Self.blockByteCount, byteCount))
      // A matrix with a block of its own leaves the current block to be filled further.
      if byteCount < Self.blockByteCount { filling = (block, byteCount) }
      return Allocation(block, at: 0)
    }
  }
}
