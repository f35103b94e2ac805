import Glibc

/// Zeroed, page-aligned memory, in huge pages where the system has them; unmapped with the last reference.
package final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
  /// Address of the first element.
  package let base: UnsafeMutablePointer<Element>
  /// Number of elements.
  package let count: Int
  private let byteCount: Int

  /// Maps memory; pages are committed once written.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  package init(count: Int) throws(ComputeError) {
    let (bytes, overflow) = max(count, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { throw .outOfMemory(byteCount: overflow ? .max : bytes) }
    // Huge pages only gain speed: refusing them is no error.
    if bytes >= 4 << 20 { madvise(start, bytes, MADV_HUGEPAGE) }
    base = start.bindMemory(to: Element.self, capacity: max(count, 1))
    self.count = count
    byteCount = bytes
  }

  deinit { munmap(base, byteCount) }

  /// The elements as a buffer.
  package var buffer: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

  /// Element at an index; bounds are not checked in release builds.
  package subscript(index: Int) -> Element {
    get { buffer[index] }
    set { buffer[index] = newValue }
  }
}
