import Foundation

/// The programs built next to the running tests.
public enum Programs {
  /// The folder that holds the test bundle and the programs of the same build.
  public static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// Output and exit code of a finished program.
  public struct Outcome: Sendable {
    /// The exit status, or the number of the signal that ended it.
    public let exitCode: Int32
    /// All of standard output.
    public let output: String
    /// All of standard error.
    public let errors: String
  }

  /// Runs a program of this build to its end.
  /// - Parameters:
  ///   - name: for example `alcove`.
  ///   - environment: added to (and overriding) the tests' own.
  ///   - input: all of its standard input.
  public static func run(
    _ name: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = folder.appending(path: name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    let collected = DispatchQueue(label: "errors")
    nonisolated(unsafe) var errors = Data()
    collected.async { errors = stderr.fileHandleForReading.readDataToEndOfFile() }
    let feed = stdin.fileHandleForWriting
    Thread.detachNewThread {
      // A program that exits without reading all of its input breaks the pipe; its exit code tells, and the signal,
      // which would end the tests, ends with this thread.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      try? feed.write(contentsOf: Data(input.utf8))
      try? feed.close()
    }
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    collected.sync {}
    return Outcome(
      exitCode: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }
}
