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
