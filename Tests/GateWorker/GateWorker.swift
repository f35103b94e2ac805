import Assistant
import Entitlements
import Foundation

/// A process of its own for the tests that need several, or one to kill.
///
/// gate-worker tickets FOLDER SEED STEPS    random turns on one database that others use too; exits 1 where the sum
/// broke gate-worker turns FOLDER                 one turn after another by a scripted model, until it is killed
@main
struct GateWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(2) }
    let environment = ["ALCOVE_HOME": arguments[2]].merging(ProcessInfo.processInfo.environment) { own, _ in own }
    let installation = try Installation(environment: environment)
    let settings = try Settings(declarations: installation.defaults, userFile: nil, environment: [:])
    let workspace = try await Workspace(
      directories: Directories(environment: environment), installation: installation, settings: settings)
    switch arguments[1] {
    case "tickets" where arguments.count == 5:
      try await settleAtRandom(workspace.store, seed: UInt64(arguments[3]) ?? 0, steps: Int(arguments[4]) ?? 0)
    case "turns":
      let session = workspace.session(backend: SlowTalker())
      while true {
        for try await event in try await session.respond(to: "hello") {
          if case .text = event { print("said", terminator: " ") }
        }
      }
    default: exit(2)
    }
  }

  private static func settleAtRandom(_ store: StateStore, seed: UInt64, steps: Int) async throws {
    var random = LinearCongruential(state: seed)
    for _ in 0..<steps {
      let (_, turn) = try await store.beginTurn(session: nil, question: "?")
      let answer = Bool.random(using: &random) ? "yes" : ""
      let status: TurnStatus = [.complete, .stopped, .failed][Int.random(in: 0..<3, using: &random)]
      let ending = TurnEnding(
        turn: turn, answer: answer, status: status, author: "worker", sources: [], events: [])
      do {
        let ticket = try await store.reserve(backend: .gguf)
        try await check(store)
        try await store.end(ending, ticket: ticket)
      } catch TicketError.access {
        try await store.end(ending)
      }
      try await check(store)
      if Int.random(in: 0..<10, using: &random) == 0 {
        try await store.setPlan(Plan.allCases.randomElement(using: &random) ?? .free)
      }
    }
  }

  private static func check(_ store: StateStore) async throws {
    let counts = try await store.previewCounts()
    if let allowance = counts.allowance, counts.remaining + counts.reserved + counts.consumed != allowance {
      print("the sum broke: \(counts)")
      exit(1)
    }
  }
}

/// Says a word every millisecond, five times.
private struct SlowTalker: LocalBackend {
  let kind = LocalModelBackend.gguf
  let name = "talker"

  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
    let (stream, continuation) = AsyncThrowingStream<LocalOutput, any Error>.makeStream()
    Task {
      for word in ["once", " upon", " a", " time", "."] {
        // The pause is what a kill is to hit; being woken early does no harm.
        try? await Task.sleep(for: .milliseconds(1))
        continuation.yield(.text(word))
      }
      continuation.finish()
    }
    return stream
  }
}

/// Knuth's MMIX generator; good enough to vary a test, and repeatable.
private struct LinearCongruential: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
