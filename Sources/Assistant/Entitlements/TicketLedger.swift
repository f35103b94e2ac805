import Foundation
import Persistence

/// Ledger of plans and tickets on a connection to `state.db`.
///
/// It belongs to the actor that owns the connection. Methods that change something must be called inside that actor's
/// transaction, so that the change is stored together with its consequences (telemetry, a finished turn), or neither
/// is.
package struct TicketLedger {
  /// Tables, as one step of the state database's migrations.
  package static let schema = """
    CREATE TABLE plan_changes(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at REAL NOT NULL,
      plan TEXT NOT NULL,
      source TEXT NOT NULL,
      ends REAL,
      grace REAL NOT NULL DEFAULT 0
    );
    CREATE TABLE tickets(
      id TEXT PRIMARY KEY,
      backend TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('reserved', 'committed', 'released')),
      consuming INTEGER NOT NULL,
      issued REAL NOT NULL,
      expires REAL NOT NULL,
      ended REAL,
      owner_pid INTEGER NOT NULL,
      owner_start INTEGER NOT NULL,
      owner_boot TEXT NOT NULL
    );
    CREATE INDEX tickets_open ON tickets(state) WHERE state = 'reserved';
    CREATE INDEX tickets_consumed ON tickets(state) WHERE state = 'committed' AND consuming = 1;
    CREATE INDEX tickets_issued ON tickets(issued);
    """

  /// Lifetime of a reservation whose process still runs, in seconds.
  package static let lifetime: TimeInterval = 6 * 3600

  let database: Database
  let allowances: PlanAllowances
  let isAlive: (ProcessIdentity) -> Bool

  /// Makes a view of the ledger on an open connection.
  package init(_ database: Database, allowances: PlanAllowances) {
    self.init(database, allowances: allowances, isAlive: \.isAlive)
  }

  package init(_ database: Database, allowances: PlanAllowances, isAlive: @escaping (ProcessIdentity) -> Bool) {
    self.database = database
    self.allowances = allowances
    self.isAlive = isAlive
  }

  // MARK: Plans

  /// Returns every change of plan, oldest first.
  package func planChanges() throws(DatabaseError) -> [PlanChange] {
    try database.rows("SELECT id, at, plan, source, ends, grace FROM plan_changes ORDER BY id") {
      row throws(DatabaseError) in
      guard let plan = Plan(rawValue: row.text(2)), let source = PlanChangeSource(rawValue: row.text(3)) else {
        throw DatabaseError.malformed(column: "plan_changes", value: "\(row.text(2)), \(row.text(3))")
      }
      return PlanChange(
        id: row.int(0), at: Date(timeIntervalSince1970: row.double(1)), plan: plan, source: source,
        ends: row.isNull(4) ? nil : Date(timeIntervalSince1970: row.double(4)), grace: row.double(5))
    }
  }

  /// Returns the plan in force, derived from the ledger.
  package func standing(now: Date = Date()) throws(DatabaseError) -> PlanStanding {
    PlanStanding.derive(from: try planChanges(), now: now)
  }

  /// Records a change of plan.
  /// - Returns: the number of previews used, where the change is a conversion: an upgrade from a limited plan to an
  ///   unlimited one after at least one preview; nil otherwise.
  package func setPlan(
    _ plan: Plan, source: PlanChangeSource, ends: Date? = nil, grace: TimeInterval = 0, now: Date = Date()
  ) throws(DatabaseError) -> Int? {
    let before = try standing(now: now).plan
    try database.run(
      "INSERT INTO plan_changes(at, plan, source, ends, grace) VALUES (?, ?, ?, ?, ?)", now.timeIntervalSince1970,
      plan.rawValue, source.rawValue, ends?.timeIntervalSince1970, grace)
    let consumed = try previewRunsConsumed()
    return !before.isPaid(allowances) && plan.isPaid(allowances) && consumed > 0 ? consumed : nil
  }

  // MARK: Tickets

  /// Returns the number of previews used on this installation, under any plan.
  package func previewRunsConsumed() throws(DatabaseError) -> Int {
    try database.scalar("SELECT count(*) FROM tickets WHERE state = 'committed' AND consuming = 1")
  }

  /// Returns the counts under the plan in force: remaining + reserved + consumed is the allowance.
  package func counts(now: Date = Date()) throws(DatabaseError) -> PreviewCounts {
    let allowance = allowances.previews(of: try standing(now: now).plan)
    let consumed = try previewRunsConsumed()
    let reserved = try database.scalar("SELECT count(*) FROM tickets WHERE state = 'reserved' AND consuming = 1")
    return PreviewCounts(
      remaining: max(0, (allowance ?? 0) - consumed - reserved), reserved: reserved, consumed: consumed,
      allowance: allowance)
  }

  /// Returns whether a local model may run now.
  package func accessState(now: Date = Date()) throws(DatabaseError) -> LocalModelAccessState {
    let counts = try counts(now: now)
    if counts.allowance == nil { return .unlocked }
    return counts.remaining > 0 ? .preview(remaining: counts.remaining) : .blocked
  }

  /// Returns the number of previews left to reserve, under the name of the product plan; nil for no limit.
  package func localModelPreviewRemaining(now: Date = Date()) throws(DatabaseError) -> Int? {
    let counts = try counts(now: now)
    return counts.allowance == nil ? nil : counts.remaining
  }
}
