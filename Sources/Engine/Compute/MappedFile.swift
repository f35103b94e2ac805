import CPlatform
import Glibc

/// A read-only memory mapping of a whole file.
///
/// If the file shrinks or its disk fails while mapped, unreadable pages read as zeros and ``check()`` throws: callers
/// check after loading and after each forward pass.
package final class MappedFile: @unchecked Sendable {
  /// Path under which the file was opened.
  package let path: String
  /// Contents of the file; empty for an empty file.
  package let bytes: UnsafeRawBufferPointer

  private let slot: Int32
  /// Descriptor of the open file; -1 where it is empty.
  let descriptor: Int32

  /// Maps the file.
  /// - Throws: ``ComputeError/system(path:call:code:)`` where it cannot be opened, is no regular file, or cannot be
  ///   mapped.
  package init(path: String) throws(ComputeError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path: path, call: "open", code: errno) }
    var isOpen = false
    defer { if !isOpen { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(path: path, call: "fstat", code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .system(path: path, call: "open", code: EINVAL) }
    let count = Int(status.st_size)
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      (slot, self.descriptor) = (-1, -1)
      return
    }
    guard let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      throw .system(path: path, call: "mmap", code: errno)
    }
    slot = cp_guard_mapping(start, count)
    guard slot >= 0 else {
      munmap(start, count)
      throw .system(path: path, call: "guard", code: EMFILE)
    }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
    self.descriptor = descriptor
    isOpen = true
  }

  deinit {
    cp_release_mapping(slot)
    if descriptor >= 0 { close(descriptor) }
    if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
  }

  /// Checks that every page read so far could be read.
  /// - Throws: ``ComputeError/fileChanged(path:)``.
  package func check() throws(ComputeError) {
    if cp_mapping_is_damaged(slot) != 0 { throw .fileChanged(path: path) }
  }

  /// Copies bytes with `pread`, without page faults, each of which would map many neighbouring pages too.
  /// - Returns: false where they could not be read.
  func copy(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Bool {
    guard let start = target.baseAddress, descriptor >= 0 else { return false }
    return pread(descriptor, start, target.count, off_t(offset)) == target.count
  }

  /// Unmaps the pages of a range that has been copied elsewhere; reading it again is slow but correct.
  package func release(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range of the file")
    // Where the system maps files in huge pages, reading a range maps its neighbours too: they are released with it.
    let page = 2 << 20
    let first = range.lowerBound / page * page
    let end = min((range.upperBound + page - 1) / page * page, bytes.count)
    guard first < end, let start = bytes.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: start + first), end - first, MADV_DONTNEED)
  }
}
