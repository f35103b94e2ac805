import Foundation
import Persistence

/// Stored event.
package struct TelemetryRecord: Sendable, Equatable {
  /// Position in the sequence; later events have greater ones, and none is reused.
  package let sequence: Int
  /// Time of the event.
  package let at: Date
  /// Name of the event.
  package let name: String
  /// Category of the event.
  package let category: String
  /// Severity of the event.
  package let severity: TelemetryEvent.Severity
  /// Version of its fields.
  package let version: Int
  /// Fields as a JSON object.
  package let fields: String

  /// Record as one line of JSON.
  package var json: String {
    let time = at.formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    return "{\"sequence\":\(sequence),\"at\":\"\(time)\",\"event\":\"\(name)\",\"category\":\"\(category)\","
      + "\"severity\":\"\(severity.rawValue)\",\"version\":\(version),\"fields\":\(fields)}"
  }
}

/// Selection of events to show.
package struct TelemetryQuery: Sendable, Equatable {
  /// Name, in which `*` and `?` are wildcards; nil for all.
  package var pattern: String?
  /// Earliest time; nil for no bound.
  package var since: Date?
  /// Lowest severity.
  package var severity: TelemetryEvent.Severity
  /// Position in the sequence behind which to start.
  package var after: Int
  /// Number of events, the newest ones.
  package var limit: Int

  /// Makes a query; by default it selects the newest 100 of all events.
  package init(
    pattern: String? = nil, since: Date? = nil, severity: TelemetryEvent.Severity = .info, after: Int = 0,
    limit: Int = 100
  ) {
    self.pattern = pattern
    self.since = since
    self.severity = severity
    self.after = after
    self.limit = limit
  }
}

extension TelemetryLog {
  /// Returns the newest events that a query selects, oldest first.
  ///
  /// Names are a closed list, so a pattern becomes a list of names, which the index by name and time serves.
  package func events(_ query: TelemetryQuery) throws(DatabaseError) -> [TelemetryRecord] {
    var conditions = ["severity >= ?"]
    var arguments: [any SQLValue] = [query.severity.rank]
    if let pattern = query.pattern {
      let names = TelemetryEvent.names.filter { Self.matches($0, pattern) }
      guard !names.isEmpty else { return [] }
      conditions.append("name IN (\(names.map { _ in "?" }.joined(separator: ",")))")
      arguments += names
    }
    if let since = query.since {
      conditions.append("at >= ?")
      arguments.append(since.timeIntervalSince1970)
    }
    if query.after > 0 {
      conditions.append("sequence > ?")
      arguments.append(query.after)
    }
    arguments.append(max(0, query.limit))
    let sql = """
      SELECT sequence, at, name, category, severity, version, fields FROM events
      WHERE \(conditions.joined(separator: " AND ")) ORDER BY sequence DESC LIMIT ?
      """
    return try database.rows(sql, arguments: arguments) { row throws(DatabaseError) in
      TelemetryRecord(
        sequence: row.int(0), at: Date(timeIntervalSince1970: row.double(1)), name: row.text(2),
        category: row.text(3),
        severity: TelemetryEvent.Severity.allCases[min(max(row.int(4), 0), 3)], version: row.int(5),
        fields: row.text(6))
    }.reversed()
  }

  /// Indicates whether a name matches a pattern of letters, `*` and `?`.
  package static func matches(_ name: some StringProtocol, _ pattern: some StringProtocol) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      // The names are short and few, so trying every split is cheap.
      return name.indices.contains { matches(name[$0...], rest) } || matches(name.dropFirst(name.count), rest)
    }
    guard let head = name.first, first == "?" || first == head else { return false }
    return matches(name.dropFirst(), rest)
  }

  /// Returns the values of one field over time, oldest first.
  ///
  /// - Parameter field: the name of a field of that event, as ``TelemetryEvent/fields`` has it.
  func series(_ event: String, field: String, since: Date?) throws(DatabaseError) -> [(at: Date, value: Double)] {
    try database.rows(
      """
      SELECT at, json_extract(fields, '$.' || ?) FROM events WHERE name = ? AND at >= ? ORDER BY at
      """, field, event, since?.timeIntervalSince1970 ?? 0
    ) { row throws(DatabaseError) in (Date(timeIntervalSince1970: row.double(0)), row.double(1)) }
  }
}

extension TelemetryEvent {
  /// Names of all events.
  package static let names = [
    "session_started", "answered", "retrieved", "ingested", "image_generated", "model_loaded", "model_downloaded",
    "fallback_used", "cancelled", "failed", "network_refused", "preview_model_used", "preview_exhausted",
    "preview_gate_triggered", "preview_to_paid",
  ]
}
