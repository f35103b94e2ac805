import Foundation
import TestSupport
import Testing

/// The program at a pseudo-terminal.
@Suite(.serialized) struct PromptTests {
  let folder: TemporaryFolder
  let terminal: PseudoTerminal

  init() throws {
    folder = try TemporaryFolder()
    terminal = try PseudoTerminal()
    try terminal.start("alcove", environment: ["ALCOVE_HOME": folder.url.path, "SWIFT_BACKTRACE": "enable=no"])
    #expect(terminal.wait(for: "> "))
  }

  @Test func leavesByCommandAndRestoresTheTerminal() {
    #expect(!terminal.isOrdinary)
    terminal.type("/quit\r")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.isOrdinary)
    #expect(terminal.wait(for: "\u{1B}[?2004l"))
  }

  @Test func leavesByEndOfInput() {
    terminal.type("\u{04}")
    #expect(terminal.exitCode() == 0)
    #expect(terminal.isOrdinary)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGABRT, SIGSEGV])
  func signalsLeaveNoRawMode(number: Int32) {
    terminal.signal(number)
    #expect(terminal.exitCode() == 128 + number)
    #expect(terminal.isOrdinary)
  }

  @Test func stopsAndGoesOnUnderAShell() throws {
    let terminal = try PseudoTerminal()
    let environment = ["ALCOVE_HOME": folder.url.path, "PS1": "shell$ "]
    try terminal.start("/bin/bash", ["--norc", "--noprofile", "-i"], environment: environment)
    #expect(terminal.wait(for: "shell$ "))
    terminal.type("\(Programs.folder.path)/alcove\r")
    #expect(terminal.wait(for: "> "))
    terminal.type("draft")
    #expect(terminal.wait(for: "draft"))
    for round in 2...3 {
      terminal.type("\u{1A}")
      #expect(terminal.wait { $0.components(separatedBy: "shell$ ").count > round })
      terminal.type("echo $((6 * 7)) && fg\r")
      #expect(terminal.wait { $0.components(separatedBy: "draft").count > round })
    }
    #expect(terminal.output.contains("42"))
    // What is typed while the terminal changes hands may go to either or to nobody, so it is typed until it is heeded.
    var status: Int32?
    for _ in 0..<20 where status == nil {
      terminal.type("\u{15}/quit\r")
      usleep(300_000)
      terminal.type("\u{15}exit 3\r")
      status = terminal.exitCode(seconds: 1)
    }
    #expect(status == 3)
  }

  @Test func interruptTwiceLeaves() {
    terminal.type("\u{03}")
    #expect(terminal.wait(for: "Ctrl-C again"))
    terminal.type("\u{03}")
    #expect(terminal.exitCode() == 130)
    #expect(terminal.isOrdinary)
  }

  @Test func completesCommandsAndKeepsHistory() throws {
    terminal.type("/qu\t\r")
    #expect(terminal.exitCode() == 0)
    let history = try String(contentsOf: folder.url.appending(path: "state/history"), encoding: .utf8)
    #expect(history == "/quit \n")
  }

  @Test func redrawsWhenTheWindowChanges() {
    terminal.type("some text")
    #expect(terminal.wait(for: "some text"))
    terminal.resize(columns: 8, rows: 24)
    #expect(terminal.wait { $0.filter { $0 != "\r" && $0 != "\r\n" }.contains("> some text") })
    terminal.type("\u{04}\u{15}/quit\r")
    #expect(terminal.exitCode() == 0)
  }
}
