import Synchronization

/// Allocation for laid-out weights, matrix beside matrix in blocks of memory that lie in huge pages.
///
/// A matrix in memory of its own lies in small pages at both ends, and altogether where it has less than a few MiB; a
/// processor does not foresee reading past the end of a page, so that reading such a matrix took a third longer.
package final class WeightArena: Sendable {
  /// The part of a block that one matrix has; the block is given back with the last of its parts.
  package struct Allocation {
    package let base: UnsafeMutablePointer<UInt8>
    private let block: AlignedBuffer<UInt8>

    fileprivate init(_ block: AlignedBuffer<UInt8>, at start: Int) {
      self.block = block
      base = block.base + start
    }
  }

  /// What is not yet written of a block takes no memory.
  package static let blockByteCount = 128 << 20
  /// Of a cache's lines.
  private static let alignment = 64

  /// The block that is being filled, and how far.
  private let filling = Mutex<(block: AlignedBuffer<UInt8>, end: Int)?>(nil)

  package init() {}

  /// Allocation for one matrix, on a boundary of 64 bytes.
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
      // A matrix that has a block for itself leaves the other one to be filled up.
      if byteCount < Self.blockByteCount { filling = (block, byteCount) }
      return Allocation(block, at: 0)
    }
  }
}
