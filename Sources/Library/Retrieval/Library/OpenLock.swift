import Foundation

/// Detects whether another process has the same library open: each holds a lock on a file next to it for its
/// lifetime.
final class OpenLock: Sendable {
  private let descriptor: Int32
  /// Indicates whether no other process had the library open when the lock was taken.
  let isAlone: Bool

  /// Takes the lock: exclusively where nobody else has it, so that a second process waits until ``share()``.
  ///
  /// Not an error: where the file cannot be created, ``isAlone`` is false and opening goes on.
  init(beside url: URL) {
    descriptor = open(url.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    isAlone = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isAlone, descriptor >= 0 { flock(descriptor, LOCK_SH) }
  }

  /// Downgrades to a shared lock, so that other processes can open the library.
  func share() {
    if isAlone { flock(descriptor, LOCK_SH) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
