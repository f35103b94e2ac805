import Foundation
import Terminal
import TestSupport
import Testing

@Suite struct HistoryTests {
  @Test func survivesTheProgramAndKeepsItToTheUser() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "history").path
    var history = History(path: path)
    for line in ["one", "two\nlines", "back\\slash\\n", " secret", "one", "one"] { history.add(line) }
    #expect(History(path: path).entries == ["one", "two\nlines", "back\\slash\\n", "one"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func forgetsForGood() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "history").path
    var history = History(path: path)
    for line in ["keep", "canary", "keep too"] { history.add(line) }
    history.remove { $0.contains("canary") }
    #expect(History(path: path).entries == ["keep", "keep too"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names == ["history"])
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("canary"))
  }

  @Test func damagedFileIsReadAsFarAsItGoes() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("history", Data([0x61, 0x0A, 0xFF, 0xFE, 0x0A, 0x62, 0x5C]))
    #expect(History(path: file.path).entries == ["a", "\u{FFFD}\u{FFFD}", "b"])
  }
}
