import Foundation
import ModelStore

/// A running `alcove-fetch` whose events are read as they come. It stops when this object is released.
final class FetchProcess: Sendable {
  private let input: FileHandle
  /// Events of the process, to its end.
  let events: AsyncStream<DownloadEvent>

  /// Starts the process for a download that is watched.
  init(_ launcher: FetchLauncher, _ arguments: [String]) throws {
    let (toChild, fromChild) = (Pipe(), Pipe())
    // Its error stream is this program's.
    _ = try launcher.start(
      arguments, input: toChild.fileHandleForReading.fileDescriptor,
      output: fromChild.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO)
    try toChild.fileHandleForReading.close()
    try fromChild.fileHandleForWriting.close()
    input = toChild.fileHandleForWriting
    let reading = fromChild.fileHandleForReading
    events = AsyncStream { continuation in
      Thread.detachNewThread {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(reading.fileDescriptor, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          if count <= 0 { break }
          rest += buffer[..<count]
          while let end = rest.firstIndex(of: 10) {
            if var event = DownloadEvent(line: String(decoding: rest[..<end], as: UTF8.self)) {
              event.reason = event.reason.map(ErrorSentence.describe(download:))
              continuation.yield(event)
            }
            rest.removeSubrange(...end)
          }
        }
        continuation.finish()
      }
    }
  }

  /// Asks the process to stop: it keeps the bytes that are here and ends.
  func stop() {
    // A process that is gone has stopped.
    try? input.close()
  }
}
