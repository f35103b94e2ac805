import Foundation
import Persistence
import Telemetry
import TestSupport
import Testing

@Suite struct TelemetryLogTests {
  let folder: TemporaryFolder
  let database: Database
  init() throws {
    folder = try TemporaryFolder()
    database = try Database(
      at: folder.url.appending(path: "s.db"), durability: .full, migrations: [TelemetryLog.schema])
  }

  private func count(_ name: String) throws -> Int {
    try database.scalar("SELECT count(*) FROM events WHERE name = ?", name)
  }

  @Test func chatterNeverPushesTheFunnelOut() throws {
    let log = TelemetryLog(database, bounds: .init(ordinary: 10, funnel: 5), environment: [:])
    try log.record(.previewModelUsed(backend: .gguf, remaining: 2))
    try database.transaction { () throws(DatabaseError) in
      for _ in 0..<600 { try log.record(.networkRefused) }
    }
    try log.trim()
    #expect(try count("network_refused") == 10)
    #expect(try count("preview_model_used") == 1)
  }

  @Test func offWritesNothingAndDoNotTrackForbids() throws {
    let log = TelemetryLog(database, environment: [:])
    try log.setOn(false)
    try log.record(.networkRefused)
    #expect(try count("network_refused") == 0)
    try log.setOn(true)
    try TelemetryLog(database, environment: ["DO_NOT_TRACK": "1"]).record(.networkRefused)
    #expect(try count("network_refused") == 0)
    try log.record(.networkRefused)
    #expect(try count("network_refused") == 1)
  }

  @Test func theSequenceGoesOnAfterAWipe() throws {
    let log = TelemetryLog(database, environment: [:])
    try log.record(.networkRefused)
    try log.record(.networkRefused)
    #expect(try log.wipe() == 2)
    try log.record(.failed(code: .disk))
    #expect(try database.scalar("SELECT max(sequence) FROM events") == 3)
  }

  @Test func anEventIsStoredWithWhatItTellsAboutOrNotAtAll() throws {
    let log = TelemetryLog(database, environment: [:])
    #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try log.record(.previewExhausted(backend: .gguf))
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try count("preview_exhausted") == 0)
  }
}

@Suite struct TelemetryQueryTests {
  let folder: TemporaryFolder
  let database: Database
  init() throws {
    folder = try TemporaryFolder()
    database = try Database(
      at: folder.url.appending(path: "s.db"), durability: .full, migrations: [TelemetryLog.schema])
  }

  @Test func aQueryByNameAndTimeUsesTheIndex() throws {
    let plan = try database.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM events WHERE severity >= 0 AND name IN ('a','b') AND at >= 5"
    ) { row throws(DatabaseError) in row.text(3) }
    #expect(plan.allSatisfy { $0.contains("events_by_name") && !$0.contains("SCAN") })
  }

  @Test func patternsSinceAndSeverityChooseEvents() throws {
    let log = TelemetryLog(database, environment: [:])
    let start = Date(timeIntervalSince1970: 1_000_000)
    try log.record(.previewModelUsed(backend: .gguf, remaining: 0), now: start)
    try log.record(.previewExhausted(backend: .gguf), now: start + 1)
    try log.record(.failed(code: .disk), now: start + 2)
    #expect(
      try log.events(.init(pattern: "preview_*")).map(\.name) == ["preview_model_used", "preview_exhausted"])
    #expect(try log.events(.init(pattern: "*exh*")).map(\.name) == ["preview_exhausted"])
    #expect(try log.events(.init(since: start + 1)).count == 2)
    #expect(try log.events(.init(severity: .error)).map(\.name) == ["failed"])
    #expect(try log.events(.init(pattern: "nothing")).isEmpty)
    #expect(try log.events(.init(after: 2)).map(\.sequence) == [3])
  }

  @Test func statisticsAndChartsCountWhatHappened() throws {
    let log = TelemetryLog(database, environment: [:])
    for milliseconds in 1...100 {
      try log.record(.retrieved(matched: 9, read: 3, total: .milliseconds(milliseconds)))
    }
    try log.record(.previewToPaid(plan: .pro, previewRuns: 3))
    let statistics = try log.statistics()
    let figure = try #require(statistics.figures.first)
    #expect((figure.name, figure.p50, figure.p95) == ("retrieval", 50, 95))
    #expect(statistics.funnel.conversions == 1)
    #expect(statistics.perDay.last == 101)
    #expect(statistics.svg().contains("retrieval: p50 50.0"))
  }

  @Test func everyNameIsInTheListOfNames() {
    let events: [TelemetryEvent] = [
      .sessionStarted(isInteractive: true),
      .answered(
        route: .chat, author: .model, sourceCount: 0, timeToFirstOutput: .zero, total: .zero, promptTokens: 0,
        generatedTokens: 0, prefillTokensPerSecond: 0, decodeTokensPerSecond: 0),
      .retrieved(matched: 0, read: 0, total: .zero), .ingested(outcome: .ok, pages: 0, passages: 0, total: .zero),
      .imageGenerated(backend: .sketch, steps: 0, width: 0, height: 0, total: .zero),
      .modelLoaded(backend: .gguf, byteCount: 0, total: .zero), .modelDownloaded(byteCount: 0, total: .zero),
      .fallbackUsed(reason: .noModel), .cancelled(route: .chat, afterOutput: false), .failed(code: .disk),
      .networkRefused,
      .previewModelUsed(backend: .gguf, remaining: 0), .previewExhausted(backend: .gguf),
      .previewGateTriggered(backend: .gguf, entryPoint: .localModelGated),
      .previewToPaid(plan: .pro, previewRuns: 1),
    ]
    #expect(events.map(\.name) == TelemetryEvent.names)
  }
}
