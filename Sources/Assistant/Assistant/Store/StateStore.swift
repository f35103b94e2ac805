import Entitlements
import Foundation
import Persistence
import Telemetry
import Threading

/// The one connection to `state.db`: sessions and their turns, plans and tickets, telemetry.
///
/// Values that belong together are stored by one method of this actor, in one transaction.
package actor StateStore {
  private let thread = DedicatedThread(name: "state")
  /// Executor of the store's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  let database: Database
  let ledger: TicketLedger
  let log: TelemetryLog

  /// Opens the store, creating it where it is absent, and gives back the reservations of processes that are gone.
  /// - Throws: ``DatabaseError``; a file made by a newer program is refused and left as it is.
  package init(at url: URL, allowances: PlanAllowances) throws(DatabaseError) {
    let database = try Database(at: url, durability: .full, migrations: Self.migrations)
    self.database = database
    let ledger = TicketLedger(database, allowances: allowances)
    self.ledger = ledger
    log = TelemetryLog(database)
    try database.transaction { () throws(DatabaseError) in _ = try ledger.releaseAbandoned() }
    try Self.scrubIfDue(database)
  }

  /// Deletes in one transaction, and then clears the remains of the deleted text in the file: at once or, where
  /// another process holds the file, at the next start.
  func deleting<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
    let value = try database.transaction { () throws(DatabaseError) in
      try database.run("UPDATE scrubs SET is_due = 1")
      return try body()
    }
    try Self.scrubIfDue(database)
    return value
  }

  private static func scrubIfDue(_ database: Database) throws(DatabaseError) {
    guard try database.scalar("SELECT is_due FROM scrubs") == 1 else { return }
    _ = try database.scrub(andRun: "UPDATE scrubs SET is_due = 0")
  }

  /// Steps of the schema; a step that has shipped is never changed.
  package static let migrations = [
    """
    CREATE TABLE sessions(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      created REAL NOT NULL,
      updated REAL NOT NULL,
      title TEXT NOT NULL
    );
    CREATE TABLE turns(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
      asked REAL NOT NULL,
      finished REAL,
      question TEXT NOT NULL,
      answer TEXT NOT NULL DEFAULT '',
      status TEXT NOT NULL,
      author TEXT NOT NULL DEFAULT '',
      sources TEXT NOT NULL DEFAULT '[]'
    );
    CREATE INDEX turns_by_session ON turns(session, id);
    CREATE TABLE scrubs(only INTEGER PRIMARY KEY CHECK (only = 1), is_due INTEGER NOT NULL);
    INSERT INTO scrubs VALUES (1, 0);
    """,
    TicketLedger.schema,
    TelemetryLog.schema,
    """
    ALTER TABLE turns ADD COLUMN kind TEXT NOT NULL DEFAULT 'exchange';
    ALTER TABLE turns ADD COLUMN transcript TEXT NOT NULL DEFAULT '';
    ALTER TABLE turns ADD COLUMN covers INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN settings TEXT NOT NULL DEFAULT '';
    """,
    pictureSchema,
    scopeSchema,
  ]

  /// Problems that SQLite finds with the file; empty where it is sound.
  package func integrityProblems() throws(DatabaseError) -> [String] { try database.integrityProblems() }
}
