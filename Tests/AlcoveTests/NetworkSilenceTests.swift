import Foundation
import TestSupport
import Testing

/// No command but those that fetch touches the network, as the kernel sees it.
@Suite struct NetworkSilenceTests {
  /// One call that strace saw.
  private struct Call {
    let text: String
    /// A socket, a connection or a message beyond this machine's own, whether refused or not.
    var isInternet: Bool {
      text.contains("AF_INET") || text.contains("AF_PACKET") || text.contains("sin_addr")
        || text.contains("sin6_addr")
    }
    var isRefused: Bool { text.contains("= -1 ") }
  }

  private static let strace = ["/usr/bin/strace", "/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Indicates whether this user may watch a program here.
  static let canWatch: Bool = {
    guard let strace else { return false }
    let process = Process()
    process.executableURL = URL(filePath: strace)
    process.arguments = ["-f", "-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private let home: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    home = try TemporaryFolder()
    try home.write("papers/notes.txt", "The spare key is under the third flowerpot.\n")
    try home.write("papers/page.html", "<p>The fence costs 340 euros. <img src='http://example.com/x.png'></p>")
    environment = [
      "ALCOVE_HOME": home.url.path, "ALCOVE_FETCH_ATTEMPTS": "1", "ALCOVE_FETCH_PATIENCE": "0",
      "ALCOVE_FETCH_FIRST_WAIT": "0.01",
    ]
  }

  /// Runs a command, with all it starts, and gives the calls about sockets it made.
  private func watch(_ arguments: [String], input: String = "", trace: String = "%network") throws -> [Call] {
    let log = home.url.appending(path: "calls-\(UUID().uuidString)")
    let process = Process()
    process.executableURL = URL(filePath: Self.strace ?? "")
    process.arguments =
      ["-f", "-q", "-e", "trace=\(trace)", "-o", log.path, Programs.folder.appending(path: "alcove").path]
      + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let stdin = Pipe()
    process.standardInput = stdin
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    process.waitUntilExit()
    return Self.calls(in: try String(contentsOf: log, encoding: .utf8))
  }

  /// The calls of a log, one a line; those during which another thread called are put together again.
  private static func calls(in log: String) -> [Call] {
    var begun: [Substring: String] = [:]
    var calls: [Call] = []
    for line in log.split(separator: "\n") {
      let process = line.prefix { $0.isNumber }
      if let mark = line.range(of: " <unfinished ...>") {
        begun[process] = String(line[..<mark.lowerBound])
      } else if let mark = line.range(of: " resumed>"), let beginning = begun.removeValue(forKey: process) {
        calls.append(Call(text: beginning + line[mark.upperBound...]))
      } else {
        calls.append(Call(text: String(line)))
      }
    }
    return calls
  }

  @Test(.enabled(if: canWatch, "needs strace"))
  func noOtherCommandTouchesTheNetwork() throws {
    let papers = home.url.appending(path: "papers").path
    let commands: [[String]] = [
      ["add", papers], ["search", "key"], ["ask", "Where is the spare key?"], ["library", "list"],
      ["library", "rescan"], ["open", "notes.txt"], ["summarize", "notes.txt"], ["sources"], ["sessions", "list"],
      ["image", "a red house", "-o", home.url.path + "/house.png"], ["gallery"], ["set"], ["stats"],
      ["models", "list"], ["models", "catalog"], ["models", "verify"], ["models", "off"],
      ["models", "import", papers + "/notes.txt"], ["models", "fit", "nothing"], ["plan", "show"],
      ["telemetry", "show"], ["telemetry", "stats"], ["inspect", "text", papers + "/notes.txt"],
      ["inspect", "route", "draw a cat"], ["backup", home.url.path + "/all.backup"],
      ["restore", home.url.path + "/all.backup"], ["completions", "bash"], ["man"], ["help"], ["--version"],
      ["library", "remove", "notes.txt"],
    ]
    for command in commands {
      let internet = try watch(command).filter(\.isInternet)
      #expect(internet.isEmpty, "\(command.joined(separator: " ")): \(internet.map(\.text))")
    }
  }

  @Test(.enabled(if: canWatch, "needs strace"))
  func thePromptTouchesItForNothingButAPull() throws {
    let papers = home.url.appending(path: "papers").path
    let calls = try watch([], input: "/add \(papers)\nWhere is the spare key?\n/models\ndraw a red house\n/quit\n")
    let internet = calls.filter(\.isInternet).map(\.text)
    #expect(internet.isEmpty, "\(internet)")
  }

  /// The download process locks itself into the folder of models before it opens the first socket.
  @Test(.enabled(if: canWatch, "needs strace"))
  func aPullIsConfinedBeforeItConnects() throws {
    // Nobody listens there: what matters happens before.
    let calls = try watch(
      ["models", "pull", "http://127.0.0.1:9/model.gguf"], trace: "%network,landlock_restrict_self,seccomp")
    let first = try #require(calls.firstIndex { $0.isInternet && $0.text.contains("socket(") })
    let before = calls[..<first].map(\.text)
    #expect(before.contains { $0.contains("seccomp(SECCOMP_SET_MODE_FILTER") && $0.hasSuffix("= 0") })
    // Where the kernel has Landlock, which the doctor tells.
    if calls.contains(where: { $0.text.contains("landlock_restrict_self") }) {
      #expect(before.contains { $0.contains("landlock_restrict_self") && $0.hasSuffix("= 0") })
    }
  }

  @Test(.enabled(if: canWatch, "needs strace"), arguments: ["privacy", "doctor"])
  func whoTriesTheLockIsRefused(command: String) throws {
    let internet = try watch([command]).filter(\.isInternet)
    #expect(!internet.isEmpty, "\(command) should try the lock")
    let allowed = internet.filter { !$0.isRefused }.map(\.text)
    #expect(allowed.isEmpty, "\(allowed)")
  }
}
