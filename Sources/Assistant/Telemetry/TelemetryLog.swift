import Foundation
import Persistence

/// Log of events on a connection to `state.db`, readable by the user alone.
///
/// It belongs to the actor that owns the connection; ``record(_:now:)`` inside that actor's transaction stores an
/// event together with the change that it reports, or neither. Ordinary events are bounded by count and age; the
/// preview funnel has its own bound.
package struct TelemetryLog {
  /// Tables, as one step of the state database's migrations.
  ///
  /// `AUTOINCREMENT` makes the sequence monotonic even after the newest events are removed.
  package static let schema = """
    CREATE TABLE events(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      at REAL NOT NULL,
      name TEXT NOT NULL,
      category TEXT NOT NULL,
      severity INTEGER NOT NULL,
      version INTEGER NOT NULL,
      funnel INTEGER NOT NULL,
      fields TEXT NOT NULL
    );
    CREATE INDEX events_by_name ON events(name, at);
    CREATE INDEX events_by_time ON events(at);
    CREATE INDEX events_by_kind ON events(funnel, sequence);
    CREATE TABLE telemetry_switch(only INTEGER PRIMARY KEY CHECK (only = 1), is_on INTEGER NOT NULL);
    """

  /// Bounds on the stored events.
  package struct Bounds: Sendable, Equatable {
    /// Largest number of ordinary events.
    package var ordinary: Int
    /// Largest number of events of the preview funnel.
    package var funnel: Int
    /// Age at which ordinary events are removed, in seconds.
    package var age: TimeInterval

    /// Makes bounds.
    package init(ordinary: Int = 100_000, funnel: Int = 10_000, age: TimeInterval = 180 * 86_400) {
      self.ordinary = ordinary
      self.funnel = funnel
      self.age = age
    }
  }

  let database: Database
  let bounds: Bounds
  private let isForbidden: Bool

  /// Makes a view of the log on an open connection; `DO_NOT_TRACK` in the environment turns recording off.
  package init(
    _ database: Database, bounds: Bounds = Bounds(),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.database = database
    self.bounds = bounds
    isForbidden = !["", "0", "false"].contains(environment["DO_NOT_TRACK"] ?? "")
  }

  /// Returns whether events are recorded.
  package func isOn() throws(DatabaseError) -> Bool {
    guard !isForbidden else { return false }
    return try database.first("SELECT is_on FROM telemetry_switch") { row throws(DatabaseError) in row.int(0) == 1
    }
      ?? true
  }

  /// Turns recording on or off; while it is off, nothing but this choice is written.
  package func setOn(_ isOn: Bool) throws(DatabaseError) {
    try database.run("INSERT OR REPLACE INTO telemetry_switch VALUES (1, ?)", isOn)
  }

  /// Stores an event, unless recording is off.
  package func record(_ event: TelemetryEvent, now: Date = Date()) throws(DatabaseError) {
    guard try isOn() else { return }
    try database.run(
      "INSERT INTO events(at, name, category, severity, version, funnel, fields) VALUES (?, ?, ?, ?, ?, ?, ?)",
      now.timeIntervalSince1970, event.name, event.category.rawValue, event.severity.rank,
      TelemetryEvent.schemaVersion,
      event.isFunnel, event.fieldsJSON)
    // Checking the bounds each time would double the cost of an event.
    if event.isFunnel || database.lastInsertedRow % 256 == 0 { try trim(now: now, funnel: event.isFunnel) }
  }

  /// Removes events beyond the bounds.
  package func trim(now: Date = Date()) throws(DatabaseError) {
    for funnel in [false, true] { try trim(now: now, funnel: funnel) }
  }

  private func trim(now: Date, funnel: Bool) throws(DatabaseError) {
    if funnel {
      // Funnel events are few, and only their own number counts.
      try database.run(
        """
        DELETE FROM events WHERE funnel = 1 AND sequence <= (
          SELECT sequence FROM events WHERE funnel = 1 ORDER BY sequence DESC LIMIT 1 OFFSET ?)
        """, bounds.funnel)
    } else {
      // The sequence counts the funnel's events too, so a few less than the bound may stay; no row is read in vain.
      try database.run(
        "DELETE FROM events WHERE funnel = 0 AND sequence <= (SELECT max(sequence) FROM events) - ?",
        bounds.ordinary)
      try database.run("DELETE FROM events WHERE funnel = 0 AND at < ?", now.timeIntervalSince1970 - bounds.age)
    }
  }

  /// Removes every event; the sequence continues.
  /// - Returns: the number of events removed.
  package func wipe() throws(DatabaseError) -> Int { try database.run("DELETE FROM events") }
}

extension TelemetryEvent {
  /// Fields as a JSON object. Names and words are our own identifiers, so nothing needs escaping.
  var fieldsJSON: String {
    let members = fields.map { name, value in
      switch value {
      case .integer(let number): "\"\(name)\":\(number)"
      case .real(let number), .milliseconds(let number):
        "\"\(name)\":\(number.isFinite ? (number * 1000).rounded() / 1000 : 0)"
      case .flag(let flag): "\"\(name)\":\(flag)"
      case .word(let word): "\"\(name)\":\"\(word.text)\""
      }
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}

extension TelemetryEvent.Severity {
  /// Rank under which severities are stored and compared.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
