import Foundation

/// Tells whether another process has the same library open: each holds a lock on a file beside it for as long as it lives.
final class OpenLock: Sendable {
  private let descriptor: Int32
  /// Whether nobody else had the library open when it was taken.
  let isAlone: Bool

  /// Takes the lock; without others alone, so that a second process waits until ``share()``.
  ///
  /// Not an error: where there can be no such file, nobody counts as alone, and opening goes on.
  init(beside url: URL) {
    descriptor = open(url.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    isAlone = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isAlone, descriptor >= 0 { flock(descriptor, LOCK_SH) }
  }

  /// Lets others in.
  func share() {
    if isAlone { flock(descriptor, LOCK_SH) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
