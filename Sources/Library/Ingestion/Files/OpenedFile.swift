import CPlatform
import Documents
import Glibc
import Platform

/// A regular file, open for reading; opening anything else throws.
package struct OpenedFile: ~Copyable {
  /// Descriptor, closed with this value.
  package let descriptor: CInt
  /// State of the file when it was opened.
  package let state: FileState

  /// Opens a file.
  /// - Parameter followsLink: whether the path may be a symbolic link.
  /// - Throws: `.unreadable` where it does not exist, may not be read, or is a folder, pipe, device or kernel file.
  package init(path: String, followsLink: Bool = true) throws(ReadingFailure) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .unreadable(detail: SystemMessage.of(errno)) }
    do {
      state = try Self.examine(descriptor)
      self.descriptor = descriptor
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Indicates whether the file has not changed since it was opened.
  package var isUnchanged: Bool { (try? Self.examine(descriptor)) == state }

  private static func examine(_ descriptor: CInt) throws(ReadingFailure) -> FileState {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(detail: SystemMessage.of(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .unreadable(detail: "a folder")
    default: throw .unreadable(detail: "not a regular file")
    }
    guard cp_is_kernel_file(descriptor) == 0 else { throw .unreadable(detail: "a file of the kernel's own") }
    return FileState(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), byteCount: Int(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
  }
}

/// State of a file that tells its versions apart without reading it.
package struct FileState: Sendable, Hashable, Codable {
  /// Number of the device that holds it.
  package var device: UInt64
  /// Inode number on that device, which stays when the file is moved.
  package var inode: UInt64
  /// Size in bytes.
  package var byteCount: Int
  /// Time of the last modification, in nanoseconds since 1970.
  package var modified: Int64
}
