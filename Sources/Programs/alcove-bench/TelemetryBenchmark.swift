import Entitlements
import Foundation
import Persistence
import Telemetry

/// Costs of the log and the tickets: an event by itself, a ticket from reservation to commit with its events, and
/// queries over a million events.
let telemetry = Command(name: "telemetry", parameters: "[--runs 500] [--events 1000000] [--json]") { options in
  let runCount = try options.count("runs", default: 500)
  let eventCount = try options.count("events", default: 1_000_000)
  try await withTemporaryFolder { folder in
    for durability in [Database.Durability.full, .normal] {
      let database = try Database(
        at: folder.appending(path: "\(durability.rawValue).db"), durability: durability,
        migrations: [TicketLedger.schema, TelemetryLog.schema])
      let (events, tickets) = try timeWrites(database, count: runCount)
      try report(
        [
          "fsync": durability == .full, "event_p50_ms": events.median, "event_p99_ms": events.percentile(0.99),
          "ticket_p50_ms": tickets.median, "ticket_p99_ms": tickets.percentile(0.99),
        ], json: options.isJSON)
    }
    let database = try Database(
      at: folder.appending(path: "queries.db"), durability: .normal, migrations: [TelemetryLog.schema])
    let queries = try timeQueries(database, events: eventCount)
    try report(
      ["events": eventCount, "query_p50_ms": queries.median, "query_p99_ms": queries.percentile(0.99)],
      json: options.isJSON)
  }
}

private func timeWrites(_ database: Database, count: Int) throws -> (events: Timings, tickets: Timings) {
  let ledger = TicketLedger(database, allowances: PlanAllowances([.free: count, .starter: count]))
  let log = TelemetryLog(database, environment: [:])
  var (events, tickets) = (Timings(), Timings())
  for _ in 0..<count {
    var started = ContinuousClock.now
    try database.transaction { () throws(DatabaseError) in
      try log.record(.retrieved(matched: 40, read: 12, total: .milliseconds(7)))
    }
    events.add(ContinuousClock.now - started)
    started = ContinuousClock.now
    var id: UUID?
    try database.transaction { () throws(DatabaseError) in
      // The allowance is as large as the number of runs, so a ticket is always issued.
      id = try? ledger.issueLocalModelPreviewTicket(backend: .gguf).id
    }
    try database.transaction { () throws(DatabaseError) in
      if let id { _ = try ledger.commit(id: id) }
      try log.record(.previewModelUsed(backend: .gguf, remaining: 1))
      try log.record(.cancelled(route: .chat, afterOutput: true))
    }
    tickets.add(ContinuousClock.now - started)
  }
  return (events, tickets)
}

private func timeQueries(_ database: Database, events: Int) throws -> Timings {
  let log = TelemetryLog(database, bounds: .init(ordinary: .max, funnel: .max, age: .infinity), environment: [:])
  let start = Date(timeIntervalSinceNow: -Double(events))
  try database.transaction { () throws(DatabaseError) in
    for place in 0..<events {
      let at = start.addingTimeInterval(Double(place))
      if place % 1000 == 0 {
        try log.record(.previewModelUsed(backend: .gguf, remaining: 1), now: at)
      } else {
        try log.record(.retrieved(matched: place % 97, read: 12, total: .milliseconds(place % 50)), now: at)
      }
    }
  }
  var times = Timings()
  for hour in 1...200 {
    let started = ContinuousClock.now
    _ = try log.events(
      TelemetryQuery(pattern: "preview_*", since: Date(timeIntervalSinceNow: -3600 * Double(hour)), limit: 100))
    times.add(ContinuousClock.now - started)
  }
  return times
}
