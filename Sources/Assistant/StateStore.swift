import Entitlements
import Foundation
import Persistence
import Telemetry
import Threading

/// The one connection to `state.db`: sessions and their turns, plans and tickets, telemetry.
///
/// Whatever must be stored together is stored by one method of this actor, in one transaction.
public actor StateStore {
  private let thread = DedicatedThread(name: "state")
  /// The executor: a thread of the store's own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  let database: Database
  let ledger: TicketLedger
  let log: TelemetryLog

  /// Opens the store, creating it where it is absent, and gives back the reservations of processes that are gone.
  /// - Throws: ``DatabaseError``; a file made by a newer program is refused and left as it is.
  public init(at url: URL, allowances: PlanAllowances) throws(DatabaseError) {
    let database = try Database(at: url, durability: .full, migrations: Self.migrations)
    self.database = database
    let ledger = TicketLedger(database, allowances: allowances)
    self.ledger = ledger
    log = TelemetryLog(database)
    try database.transaction { () throws(DatabaseError) in _ = try ledger.releaseAbandoned() }
  }

  /// The schema's steps; a step that has shipped is never changed.
  static let migrations = [
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
    """,
    TicketLedger.schema,
    TelemetryLog.schema,
  ]

  /// What SQLite finds wrong with the file: empty where it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] { try database.integrityProblems() }
}
