import Assistant
import Entitlements
import Foundation
import Telemetry
import TestSupport
import Testing

@Suite(.serialized) struct GateProcessTests {
  private static let killCount = Int(ProcessInfo.processInfo.environment["ALCOVE_TEST_KILLS"] ?? "") ?? 15
  private static let stepCount = Int(ProcessInfo.processInfo.environment["ALCOVE_TEST_STEPS"] ?? "") ?? 12

  @Test func eightProcessesOnOneDatabaseKeepTheSum() async throws {
    let fixture = try await Fixture()
    let workers = try (0..<8).map { seed in
      try start(["tickets", fixture.folder.url.path, "\(seed)", "\(Self.stepCount)"], fixture)
    }
    for worker in workers {
      worker.waitUntilExit()
      #expect(worker.terminationStatus == 0)
    }
    let store = fixture.workspace.store
    try await store.setPlan(.free)
    let counts = try await store.previewCounts()
    #expect(counts.reserved == 0)
    #expect(counts.remaining + counts.consumed == 3)
    #expect(try await store.telemetry(.init(pattern: "preview_model_used", limit: 100)).count == counts.consumed)
  }

  /// Kills a program at random moments of its turns: at the next start nothing is reserved, and what was charged is
  /// exactly the turns that ended with something said.
  @Test func killedAtAnyMomentNobodyIsChargedForNothing() async throws {
    for _ in 0..<Self.killCount {
      let fixture = try await Fixture()
      let worker = try start(["turns", fixture.folder.url.path], fixture)
      try await Task.sleep(for: .microseconds(Int.random(in: 1_000...120_000)))
      kill(worker.processIdentifier, SIGKILL)
      worker.waitUntilExit()
      let store = try StateStore(
        at: fixture.workspace.directories.stateDatabase, allowances: PlanAllowances([.free: 3, .starter: 3]))
      #expect(try await store.integrityProblems() == [])
      let counts = try await store.previewCounts()
      #expect(counts.reserved == 0)
      #expect(counts.remaining + counts.consumed == 3)
      var charged = 0
      for session in try await store.sessions() {
        for turn in try await store.turns(session: session.id) where turn.author == "talker" {
          #expect(turn.status != .complete || turn.answer == "once upon a time.")
          if turn.status == .complete { charged += 1 }
        }
      }
      #expect(charged == counts.consumed)
      #expect(try await store.telemetry(.init(pattern: "preview_model_used", limit: 100)).count == counts.consumed)
    }
  }

  private func start(_ arguments: [String], _ fixture: Fixture) throws -> Process {
    let process = Process()
    process.executableURL = Programs.folder.appending(path: "gate-worker")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(fixture.environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
