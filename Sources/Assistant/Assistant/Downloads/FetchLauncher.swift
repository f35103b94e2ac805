import CPlatform
import Foundation

/// Connection to the process that starts `alcove-fetch` and nothing else, made before the network lock closes.
package struct FetchLauncher: Sendable {
  private let line: Int32

  /// Starts the launcher; nil where it cannot be started. A command that needs it then says so.
  ///
  /// It must come before everything else, while the process has one thread.
  package init?() {
    let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    line = cp_launcher_make(programs.appending(path: "alcove-fetch").path)
    if line < 0 { return nil }
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
