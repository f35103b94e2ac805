import Documents
import Glibc
import Platform

/// Memory-mapped bytes of a file.
struct MappedBytes: ~Copyable {
  let buffer: UnsafeRawBufferPointer

  /// - Throws: `.unreadable` where the file cannot be mapped.
  init(descriptor: CInt) throws(ReadingFailure) {
    let count = lseek(descriptor, 0, SEEK_END)
    guard count > 0 else {
      buffer = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
      throw .unreadable(detail: SystemMessage.of(errno))
    }
    buffer = UnsafeRawBufferPointer(start: address, count: count)
  }

  deinit {
    if let address = buffer.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), buffer.count) }
  }
}

/// Size and first bytes of a file, before its form is known.
struct FileHead {
  let fileByteCount: Int
  /// First 4096 bytes.
  let bytes: [UInt8]

  /// - Throws: `.unreadable` where the descriptor is not a regular file, `.limit(.fileBytes, …)` where it is too
  ///   large.
  init(descriptor: CInt, limit: Int) throws(ReadingFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(detail: "not a regular file")
    }
    fileByteCount = Int(status.st_size)
    if fileByteCount > limit { throw .limit(.fileBytes, limit) }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &head, head.count, 0)
    guard count >= 0 else { throw .unreadable(detail: SystemMessage.of(errno)) }
    bytes = Array(head.prefix(count))
  }
}
