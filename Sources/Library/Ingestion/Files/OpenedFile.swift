import CPlatform
import Documents
import Glibc
import Platform

/// A regular file, open for reading; nothing else on a disk is ever opened by it.
package struct OpenedFile: ~Copyable {
  /// The descriptor, which this owns.
  package let descriptor: CInt
  /// What the file was when it was opened.
  package let state: FileState

  /// Opens a file.
  /// - Parameter followsLink: whether the path may be a symbolic link.
  /// - Throws: `.unreadable` where there is none, it may not be read, or it is a folder, pipe, device or a kernel's file.
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

  /// Whether the file is still what it was when it was opened.
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

/// What tells one version of a file from another without reading it.
package struct FileState: Sendable, Hashable, Codable {
  /// The device it lies on.
  package var device: UInt64
  /// Its number on that device; it stays when the file is moved.
  package var inode: UInt64
  /// Its size.
  package var byteCount: Int
  /// When it was last changed, in nanoseconds since 1970.
  package var modified: Int64
}
