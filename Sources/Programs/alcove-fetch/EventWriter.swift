import Foundation
import ModelStore
import Synchronization

/// Tells the one who asked, line by line; where nobody listens any more, it tells nobody.
final class EventWriter: Sendable {
  private let most = Mutex<[Int64: Int]>([:])

  /// Writes an event; bytes never go back.
  func write(_ event: DownloadEvent) {
    var event = event
    most.withLock { most in
      event.bytes = max(event.bytes, most[event.id] ?? 0)
      most[event.id] = event.bytes
    }
    let line = Array(event.line.utf8)
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes {
        Foundation.write(STDOUT_FILENO, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      done += count
    }
  }

  /// Tells of a failure without further facts.
  func write(error reason: DownloadReason, of record: DownloadRecord?, status: DownloadStatus = .failed) {
    var event = DownloadEvent(.error)
    if let record { (event.id, event.file, event.model) = (record.id, record.file, record.model) }
    (event.status, event.reason) = (status, reason.coded)
    write(event)
  }
}
