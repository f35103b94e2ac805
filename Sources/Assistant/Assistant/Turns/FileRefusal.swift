/// Reason for which a path that was named is not read at all.
package enum FileRefusal: Sendable, Equatable {
  /// It is a pipe, a socket or a device.
  case notRegular
  /// It lies in a folder whose files the kernel makes up, such as /proc.
  case kernelFiles
  /// There is no such file or folder.
  case missing
  /// It cannot be opened, for this reason of the system's.
  case unreadable(detail: String)

  /// Fixed name of the reason, for programs.
  package var name: String {
    switch self {
    case .notRegular: "not-regular"
    case .kernelFiles: "kernel-files"
    case .missing: "missing"
    case .unreadable: "unreadable"
    }
  }
}
