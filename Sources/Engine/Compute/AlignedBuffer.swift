import Glibc

/// Zeroed memory on a page boundary, in huge pages where the system has them, given back when the last reference goes.
package final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
  /// The first element.
  package let base: UnsafeMutablePointer<Element>
  /// How many elements there are.
  package let count: Int
  private let byteCount: Int

  /// Asks the system for memory; pages count as used only once written.
  package init(count: Int) throws(ComputeError) {
    let (bytes, overflow) = max(count, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { throw .outOfMemory(byteCount: overflow ? .max : bytes) }
    // Huge pages are a matter of speed alone; refusing them is no error.
    if bytes >= 4 << 20 { madvise(start, bytes, MADV_HUGEPAGE) }
    base = start.bindMemory(to: Element.self, capacity: max(count, 1))
    self.count = count
    byteCount = bytes
  }

  deinit { munmap(base, byteCount) }

  /// The elements as a buffer.
  package var buffer: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

  /// One element.
  package subscript(index: Int) -> Element {
    get { buffer[index] }
    set { buffer[index] = newValue }
  }
}
