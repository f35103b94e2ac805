import Foundation
import ModelStore
import TestSupport
import Testing

/// Downloads whose processes are killed, doubled, abandoned, or run out of room.
@Suite(.serialized) struct PullProcessTests {
  /// Bytes after which one of four connections has a whole block, and the file is far from done.
  private static let heldAt = 12 * BlockHashes.blockSize + BlockHashes.blockSize / 2

  private static let content: [UInt8] = {
    guard let folder = try? TemporaryFolder(),
      let file = try? SampleModel.write("model.gguf", in: folder, byteCount: 24_000_000),
      let data = try? Data(contentsOf: file)
    else { return [] }
    return Array(data)
  }()

  /// 50 with `ALCOVE_FULL_TESTS`.
  private static var killCount: Int { ProcessInfo.processInfo.environment["ALCOVE_FULL_TESTS"] == nil ? 8 : 50 }

  private func fetcher(_ home: FetchingHome, _ server: HostileServer, _ id: Int64) throws -> Process {
    let process = Process()
    process.executableURL = Programs.folder.appending(path: "alcove-fetch")
    process.arguments = [
      "--models", home.models.path, "--named", server.address(), "--first-wait", "0.01", "--connections", "4",
      "pull",
      "\(id)",
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Killed at random moments, from before it connects to after the last byte, until enough have hit a download under
  /// way.
  @Test func killedAtAnyMomentItGoesOn() async throws {
    let home = try FetchingHome()
    try FileManager.default.createDirectory(at: home.models, withIntermediateDirectories: true)
    let store = try ModelStore(at: home.models)
    var generator = SeededGenerator(seed: 9)
    var (kills, files) = (0, 0)
    while kills < Self.killCount {
      let server = try HostileServer(Self.content)
      server.setPace(0.02)
      files += 1
      let name = "model-\(files).gguf"
      let record = try await store.begin(DownloadRequest(url: server.address(name), file: name))
      var killsOfThis = 0
      while home.file(name) == nil, kills < Self.killCount {
        let process = try fetcher(home, server, record.id)
        usleep(UInt32.random(in: 5_000...450_000, using: &generator))
        if process.isRunning {
          kill(process.processIdentifier, SIGKILL)
          (kills, killsOfThis) = (kills + 1, killsOfThis + 1)
        }
        process.waitUntilExit()
        // Whatever the moment, no file is there that is not the right one, and nothing unfinished counts as complete.
        if let file = home.file(name) {
          #expect(file == Self.content)
        } else {
          #expect(try await store.download(record.id)?.status != .completed)
        }
      }
      server.setPace(0)
      if home.file(name) == nil { try fetcher(home, server, record.id).waitUntilExit() }
      #expect(home.file(name) == Self.content)
      // Each kill costs at most the block that each of four connections was in, and what the system had taken ahead of
      // us.
      let slack = killsOfThis * 4 * (BlockHashes.blockSize + (1 << 20))
      #expect(server.sentByteCount <= Self.content.count + slack)
      // Killed after the file had its name and before it was known: the next look finds it.
      try home.run("models", "verify")
      #expect(try await store.models().contains { $0.name == name })
      try await store.models().forEach { unlink($0.path) }
    }
    #expect(kills >= Self.killCount)
  }

  /// Killed between giving the file its name and recording it: nothing is fetched again, and the file is checked again.
  @Test func stoppedBetweenTheNameAndTheRecord() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    #expect(try home.run("models", "pull", server.address()).exitCode == 0)
    let sent = server.sentByteCount
    let store = try ModelStore(at: home.models)
    try await store.remove(try #require(await store.models().first))
    try Data(Self.content).write(to: home.models.appending(path: "model.gguf"))
    try await store.progress(1, bytes: 0, total: 0, status: .verifying)
    var blocks = try BlockList(
      at: store.blockList(1).path, Representation(total: Self.content.count, tag: "\"one\""))
    for block in 0..<blocks.count {
      let hash = Self.content.withUnsafeBytes { BlockHashes.of(.init(rebasing: $0[blocks.range(of: block)])) }
      try blocks.add(block, hash: hash)
    }
    try fetcher(home, server, 1).waitUntilExit()
    #expect(home.file() == Self.content)
    #expect(try await store.models().map(\.name) == ["model.gguf"])
    #expect(try await store.download(1)?.status == .completed)
    #expect(server.sentByteCount == sent)
  }

  @Test func twoPullsOfOneFileShareIt() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.setPace(0.02)
    async let first = Task.detached { try home.run("models", "pull", server.address()) }.value
    async let second = Task.detached { try home.run("models", "pull", server.address()) }.value
    let outcomes = try await [first, second]
    #expect(home.file() == Self.content)
    #expect(outcomes.contains { $0.exitCode == 0 })
    // The other followed it, or came when it was done; it fetched nothing of its own.
    for outcome in outcomes where outcome.exitCode != 0 {
      #expect(
        outcome.errors.contains("already") || outcome.errors.contains("another process"), "\(outcome.errors)")
    }
    #expect(server.sentByteCount < Self.content.count + BlockHashes.blockSize)
  }

  @Test func aBackgroundPullOutlivesThePrompt() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.hold(after: Self.heldAt)
    let outcome = try home.run(input: "/models pull \(server.address()) --background\n/models\n/quit\n")
    #expect(outcome.output.contains("in the background"), "\(outcome.errors)")
    #expect(home.file() == nil)
    server.release()
    for _ in 0..<1200 where home.file() == nil { try await Task.sleep(for: .milliseconds(100)) }
    #expect(home.file() == Self.content)
    let list = try home.run("models", "list", "--json")
    #expect(list.output.contains("\"sha256\""))
  }

  /// A crash or a restart of the machine ends the process; the next prompt goes on, unless a setting forbids it.
  @Test func whatWasInterruptedInTheBackgroundGoesOnAtTheNextPrompt() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.hold(after: Self.heldAt)
    try home.run("models", "pull", server.address(), "--background")
    let store = try ModelStore(at: home.models)
    try await waitForBytes(in: store)
    try #require(killFetcher(of: home.models.path))
    for _ in 0..<1200 where store.isAttended(1) { try await Task.sleep(for: .milliseconds(20)) }
    #expect(try await store.interrupted().map(\.id) == [1])
    #expect(try home.run("models", "list").output.contains("interrupted"))
    let requests = server.requests.count
    try Programs.run(
      "alcove", [], environment: home.environment.merging(["ALCOVE_MODELS_RESUME": "off"]) { $1 }, input: "/quit\n"
    )
    try home.run("models", "list")
    #expect(server.requests.count == requests, "nobody asked for it to go on")
    server.release()
    try home.run(input: "/quit\n")
    for _ in 0..<1200 where home.file() == nil { try await Task.sleep(for: .milliseconds(50)) }
    #expect(home.file() == Self.content)
    #expect(server.sentByteCount < 2 * Self.content.count)
  }

  @Test func whatSomebodyWaitedForIsOfferedOnly() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.hold(after: Self.heldAt)
    let pull = Process()
    pull.executableURL = Programs.folder.appending(path: "alcove")
    pull.arguments = ["models", "pull", server.address()]
    pull.environment = ProcessInfo.processInfo.environment.merging(home.environment) { $1 }
    (pull.standardOutput, pull.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try pull.run()
    for _ in 0..<1200 where server.requests.count < 3 { try await Task.sleep(for: .milliseconds(50)) }
    try #require(killFetcher(of: home.models.path))
    pull.waitUntilExit()
    let requests = server.requests.count
    let terminal = try PseudoTerminal()
    try terminal.start("alcove", [], environment: home.environment)
    #expect(terminal.wait(for: "/models resume 1", seconds: 20), "\(terminal.output)")
    terminal.type("/quit\r")
    #expect(terminal.exitCode() == 0)
    #expect(server.requests.count == requests)
    server.release()
    #expect(try home.run("models", "resume").exitCode == 0)
    #expect(home.file() == Self.content)
  }

  /// Waits until the first download has something; its processes take their time to start next to other work.
  private func waitForBytes(in store: ModelStore) async throws {
    for _ in 0..<1200 where try await store.download(1)?.bytes ?? 0 == 0 {
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Kills the download process at work below a folder; false where there is none.
  private func killFetcher(of folder: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let found = processes.compactMap { Int32($0) }.filter { process in
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.first?.hasSuffix("alcove-fetch") == true && words.contains(folder)
    }
    found.forEach { kill($0, SIGKILL) }
    return !found.isEmpty
  }

  @Test func pausedAndCancelledFromOutside() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.hold(after: Self.heldAt)
    try home.run("models", "pull", server.address(), "--background")
    let store = try ModelStore(at: home.models)
    try await waitForBytes(in: store)
    #expect(try home.run("models", "pause", "1").exitCode == 0)
    for _ in 0..<1200 where store.isAttended(1) { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try await store.download(1)?.status == .paused)
    server.release()
    #expect(try home.run("models", "resume").exitCode == 0)
    #expect(home.file() == Self.content)
  }

  /// A small disk of its own; nil where this user may not make one.
  private func mountDisk(_ folder: URL, size: String, flags: UInt = 0) -> Bool {
    mount("tmpfs", folder.path, "tmpfs", flags, "size=\(size),mode=700") == 0
  }

  @Test func aFullDiskPausesAndKeepsWhatIsHere() throws {
    let home = try FetchingHome()
    try FileManager.default.createDirectory(at: home.models, withIntermediateDirectories: true)
    guard mountDisk(home.models, size: "12m") else {
      withKnownIssue("only root can make a small disk", isIntermittent: true) { Issue.record("not tried") }
      return
    }
    defer { umount2(home.models.path, 2) }
    let server = try HostileServer(Self.content)
    let outcome = try home.run("models", "pull", server.address())
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errors.contains("paused") && outcome.errors.contains("disk is full")
        && outcome.errors.contains("missing"), "\(outcome.errors)")
    #expect(home.file() == nil)
    #expect(mount("tmpfs", home.models.path, "tmpfs", UInt(MS_REMOUNT), "size=40m") == 0)
    let resumed = try home.run("models", "resume")
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    #expect(home.file() == Self.content)
  }

  @Test func aReadOnlyFolderIsAClearFailure() throws {
    let home = try FetchingHome()
    try FileManager.default.createDirectory(at: home.models, withIntermediateDirectories: true)
    guard mountDisk(home.models, size: "40m") else {
      withKnownIssue("only root can make a small disk", isIntermittent: true) { Issue.record("not tried") }
      return
    }
    defer { umount2(home.models.path, 2) }
    #expect(mount("tmpfs", home.models.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    let server = try HostileServer(Self.content)
    let outcome = try home.run("models", "pull", server.address())
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("Read-only") || outcome.errors.contains("readonly"), "\(outcome.errors)")
    #expect(server.sentByteCount == 0)
  }
}
