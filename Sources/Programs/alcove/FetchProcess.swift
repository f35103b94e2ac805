import Assistant
import CPlatform
import Foundation
import ModelStore

/// The line to the process that starts `alcove-fetch`, made before the network lock closes; nil where the command at hand
/// has no use for the network.
struct FetchLauncher: Sendable {
  private let line: Int32

  /// Makes the launcher where these words may ask for the network: at the prompt, and for `models pull` and its like.
  ///
  /// It must come before everything else, while the process has one thread. Where it cannot be made, the command that
  /// needs it says so.
  init?(words: [String], environment: [String: String]) {
    guard Self.mayNeedNetwork(words) else { return nil }
    let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    line = cp_launcher_make(programs.appending(path: "alcove-fetch").path)
    if line < 0 { return nil }
  }

  /// The commands that reach the network, and the prompt, where they can be given.
  private static func mayNeedNetwork(_ words: [String]) -> Bool {
    guard case .success(let request) = Result(catching: { try ArgumentParser.parse(shell: words) }) else {
      return false
    }
    switch request {
    case .prompt: return true
    case .run(let invocation):
      guard let command = invocation.path.last, invocation.path.first?.name == "models" else { return false }
      return command.reachesNetwork && (command.name != "verify" || invocation.has("repair"))
    case .help, .version: return false
    }
  }

  /// Starts `alcove-fetch` in a session of its own.
  /// - Returns: the process's number.
  /// - Throws: the system's error.
  func start(_ arguments: [String], input: Int32, output: Int32, errors: Int32) throws -> Int32 {
    let packed = arguments.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0] }
    let process = packed.withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
      return cp_launcher_start(line, start, UInt(bytes.count), input, output, errors)
    }
    if process < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return process
  }
}

/// A running `alcove-fetch` whose news are read as they come. It stops when this is given up.
final class FetchProcess: Sendable {
  private let input: FileHandle
  /// What it tells, to its end.
  let events: AsyncStream<DownloadEvent>

  /// Starts it for a work that is watched.
  init(_ launcher: FetchLauncher, _ arguments: [String]) throws {
    let (toChild, fromChild) = (Pipe(), Pipe())
    // What it says in words goes where ours goes.
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
              event.reason = event.reason.map(Failure.sentence(ofDownload:))
              continuation.yield(event)
            }
            rest.removeSubrange(...end)
          }
        }
        continuation.finish()
      }
    }
  }

  /// Asks it to stop: it keeps what is here and ends.
  func stop() {
    // A process that is gone has stopped.
    try? input.close()
  }
}
