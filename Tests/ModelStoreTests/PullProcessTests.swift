import Foundation
import ModelStore
import TestSupport
import Testing

/// Downloads whose processes are killed, doubled, abandoned, or run out of room.
@Suite(.serialized) struct PullProcessTests {
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
      "--models", home.models.path, "--named", server.address(), "--first-wait", "0.01", "--lanes", "4", "pull",
      "\(id)",
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test func killedAtAnyMomentItGoesOn() async throws {
    let home = try FetchingHome()
    try FileManager.default.createDirectory(at: home.models, withIntermediateDirectories: true)
    let server = try HostileServer(Self.content)
    server.setPace(0.02)
    let store = try ModelStore(at: home.models)
    let record = try await store.begin(DownloadRequest(url: server.address(), file: "model.gguf"))
    var generator = SeededGenerator(seed: 9)
    var kills = 0
    for _ in 0..<Self.killCount {
      let process = try fetcher(home, server, record.id)
      usleep(UInt32.random(in: 10_000...400_000, using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      kills += 1
      // Whatever the moment, no file is there that is not the right one.
      if let file = home.file() {
        #expect(file == Self.content)
        break
      }
      #expect(try await store.download(record.id)?.status != .completed)
    }
    server.setPace(0)
    let last = try fetcher(home, server, record.id)
    last.waitUntilExit()
    #expect(home.file() == Self.content)
    // Each kill costs at most the block that each of four lanes was in, and what the system had taken ahead of us.
    let slack = kills * 4 * (BlockHashes.blockSize + (1 << 20))
    #expect(server.sentByteCount <= Self.content.count + slack)
    let records = try await store.models()
    #expect(records.map(\.name) == ["model.gguf"])
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
    server.setPace(0.02)
    let outcome = try home.run(input: "/models pull \(server.address()) --background\n/models\n/quit\n")
    #expect(outcome.output.contains("in the background"), "\(outcome.errors)")
    #expect(home.file() == nil)
    for _ in 0..<200 where home.file() == nil { try await Task.sleep(for: .milliseconds(100)) }
    #expect(home.file() == Self.content)
    let list = try home.run("models", "list", "--json")
    #expect(list.output.contains("\"sha256\""))
  }

  @Test func pausedAndCancelledFromOutside() async throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    server.setPace(0.2)
    try home.run("models", "pull", server.address(), "--background")
    let store = try ModelStore(at: home.models)
    for _ in 0..<100 where try await store.download(1)?.bytes == 0 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try home.run("models", "pause", "1").exitCode == 0)
    for _ in 0..<100 where store.isAttended(1) { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try await store.download(1)?.status == .paused)
    server.setPace(0)
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
