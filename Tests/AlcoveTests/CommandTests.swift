import Foundation
import TestSupport
import Testing

/// The program's commands, driven as a shell does.
@Suite struct CommandTests {
  let folder: TemporaryFolder
  static let minutes = """
    Minutes of the garden club.

    The report is due on 12 May 2026. Anna Berg writes it.

    The fence costs 340 euros and is paid by the town.
    """

  init() throws { folder = try TemporaryFolder() }

  func run(_ arguments: String..., input: String = "") throws -> Programs.Outcome {
    try Programs.run("alcove", arguments, environment: ["ALCOVE_HOME": folder.url.path], input: input)
  }

  func json(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func answersAboutStandardInput() throws {
    let outcome = try run("ask", "When is the report due?", "-", input: Self.minutes)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("12 May 2026"))
    #expect(outcome.output.contains("[1] standard input, line 3"))
    // stderr is for people, and nobody looks.
    #expect(outcome.errors.isEmpty)
  }

  @Test func optionsMayComeBehindTheTextOfACommand() throws {
    let lines = [
      "/image --sketch a red -- house --size 128x192 --seed=5 --json", "/image --json the flag --force is red",
    ]
    let outcome = try run(input: lines.joined(separator: "\n") + "\n")
    let shown = outcome.output.split(separator: "\n").filter { $0.hasPrefix("{") }
    let pictures = try shown.map { try json(String($0)) }
    try #require(pictures.count == 2, "\(outcome.output) \(outcome.errors)")
    #expect(pictures[0]["prompt"] as? String == "a red -- house")
    #expect(pictures[0]["height"] as? Int == 192 && pictures[0]["seed"] as? Int == 5)
    #expect(pictures[1]["prompt"] as? String == "the flag --force is red")
  }

  @Test func answersInJSONHoldTheirCitations() throws {
    let answer = try json(run("ask", "--json", "How much is the fence?", "-", input: Self.minutes).output)
    #expect(answer["schema"] as? String == "alcove.answer/1")
    #expect(answer["hasEvidence"] as? Bool == true)
    let citation = try #require((answer["citations"] as? [[String: Any]])?.first)
    #expect(citation["firstLine"] as? Int == 5)
    let quote = try #require(citation["quote"] as? String)
    #expect(Self.minutes.contains(quote) && quote.contains("340 euros"))
    #expect((citation["document"] as? String)?.count == 64)
  }

  @Test func saysWhenThereIsNoEvidence() throws {
    let outcome = try run("ask", "Who founded the railway museum of Utrecht?", "-", input: Self.minutes)
    #expect(outcome.exitCode == 6)
    #expect(!outcome.output.isEmpty)
    #expect(try run("ask", "what is it?", "-", input: "").exitCode == 3)
  }

  @Test func questionIsTheDefaultVerb() throws {
    #expect(try run("hello there, how are you?").exitCode != 2)
  }

  @Test func escapesInTheInputAreNotObeyed() throws {
    let text = "The secret is due \u{1B}[31mon 12 May\u{1B}[0m \u{202E}2026\u{9B}2J."
    for arguments in [
      ["ask", "When is the secret due?", "-"], ["ask", "--json", "When is the secret due?", "-"],
    ] {
      let outcome = try Programs.run(
        "alcove", arguments, environment: ["ALCOVE_HOME": folder.url.path, "CLICOLOR_FORCE": ""], input: text)
      for scalar in outcome.output.unicodeScalars {
        #expect(scalar == "\n" || scalar.properties.generalCategory != .control && scalar.value != 0x202E)
      }
    }
  }

  @Test func sessionsAreKeptShownAndRemovedForGood() throws {
    _ = try run("ask", "When is the report due, canaryword?", "-", input: Self.minutes)
    _ = try run(input: "hello canaryword\n/sessions list\n/quit\n")
    let sessions = try #require(json(run("sessions", "--json").output)["sessions"] as? [[String: Any]])
    #expect(sessions.count == 2)
    #expect(try run("sessions", "show", "1").output.contains("12 May 2026"))
    let exported = try json(run("sessions", "export", "1", "--format", "json").output)
    #expect((exported["turns"] as? [Any])?.count == 1)
    #expect(try run("sessions", "show", "77").exitCode == 3)
    #expect(try run("sessions", "remove", "77").exitCode == 3)
    #expect(try run("sessions", "remove").exitCode == 2)
    #expect(try run("sessions", "remove", "1", "2").exitCode == 0)
    #expect(try folder.filesHolding("canaryword").isEmpty)
  }

  @Test func undoAndRegenerateAtThePrompt() throws {
    let outcome = try run(input: "hello\nthank you\n/undo\n/regenerate\n/context\n/quit\n")
    #expect(outcome.output.contains("session: 1, 1 turns"))
    #expect(try run("--continue", input: "/context\n").output.contains("session: 1, 1 turns"))
    #expect(try run("--session", "9", input: "/context\n").exitCode == 3)
  }

  @Test func privacyProvesItself() throws {
    let outcome = try run("privacy", "--json")
    #expect(outcome.exitCode == 0)
    let network = try #require(json(outcome.output)["network"] as? [[String: Any]])
    #expect(network.count >= 5)
    #expect(network.allSatisfy { $0["refused"] as? Bool == true })
  }

  @Test func privacyTellsWhetherTheDiskIsEncrypted() throws {
    let machine = try TemporaryFolder()
    try machine.write("proc/self/mountinfo", "20 1 253:0 / / rw - ext4 /dev/mapper/home rw\n")
    try machine.write("sys/dev/block/253:0/dm/uuid", "CRYPT-LUKS2-0123456789abcdef-home\n")
    let environment = ["ALCOVE_HOME": folder.url.path, "ALCOVE_SYSTEM_ROOT": machine.url.path]
    func disk() throws -> [String: Any]? {
      try json(Programs.run("alcove", ["privacy", "--json"], environment: environment).output)["disk"]
        as? [String: Any]
    }
    #expect(try disk()?["encrypted"] as? Bool == true)
    #expect(try disk()?["how"] as? String == "dm-crypt")
    let text = try Programs.run("alcove", ["privacy"], environment: environment).output
    #expect(text.contains("is encrypted (dm-crypt)"))
    try machine.write("sys/dev/block/253:0/dm/uuid", "LVM-abc\n")
    #expect(try disk()?["encrypted"] as? Bool == false)
  }

  @Test func settingsAreCheckedAndSaved() throws {
    #expect(try run("set", "search.top", "5").exitCode == 0)
    #expect(try run("set", "search.top").output.contains("5      file"))
    #expect(try run("--set", "search.top=7", "set", "search.top").output.contains("7      flag"))
    let wrong = try run("set", "search.top", "many")
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("search.top"))
    #expect(try run("set", "serch.top").errors.contains("search.top"))
    let mode =
      try FileManager.default
      .attributesOfItem(atPath: folder.url.appending(path: "config/config.json").path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aFullPipeEndsQuietly() throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "for i in 1 2 3; do '\(Programs.folder.path)/alcove' man; done | head -n 1"]
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(complaints.isEmpty)
  }

  @Test func refusesAForeignDataFolder() throws {
    guard getuid() == 0 else { return }
    let foreign = folder.url.appending(path: "foreign/data")
    try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: true)
    chown(foreign.path, 65534, 65534)
    let outcome = try Programs.run(
      "alcove", ["sessions"], environment: ["ALCOVE_HOME": folder.url.appending(path: "foreign").path])
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("65534"))
  }
}

extension TemporaryFolder {
  /// The files below the folder that hold a text, as bytes.
  func filesHolding(_ text: String) throws -> [String] {
    let files =
      FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    return try files.filter { file in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      return try exists && !isFolder.boolValue && Data(contentsOf: file).range(of: Data(text.utf8)) != nil
    }.map(\.path)
  }
}
