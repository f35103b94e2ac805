import Foundation
import Persistence

/// Reason that no ticket was issued.
package enum TicketError: Error, Sendable, Equatable {
  /// The plan allows no further run.
  case access(LocalModelAccessError)
  /// The ledger could not be read or written.
  case ledger(DatabaseError)
}

/// Outcome of a commit.
package enum CommitOutcome: Sendable, Equatable {
  /// The run is charged now; `remaining` previews are left, nil on an unlimited plan.
  case charged(remaining: Int?)
  /// The run was charged before; nothing changed.
  case alreadyCharged
  /// The reservation expired and its preview went to another run; nobody is charged.
  case lapsed
}

extension TicketLedger {
  /// Reserves one local run.
  /// - Throws: ``LocalModelAccessError/previewsExhausted(consumed:reserved:allowance:)`` where no preview is left.
  package func issueLocalModelPreviewTicket(
    backend: LocalModelBackend, owner: ProcessIdentity = .current, now: Date = Date()
  ) throws(TicketError) -> PreviewTicket {
    let counts: PreviewCounts
    do throws(DatabaseError) {
      try releaseAbandoned(now: now)
      counts = try self.counts(now: now)
    } catch {
      throw .ledger(error)
    }
    if let allowance = counts.allowance, counts.remaining == 0 {
      throw .access(.previewsExhausted(consumed: counts.consumed, reserved: counts.reserved, allowance: allowance))
    }
    let ticket = PreviewTicket(
      id: UUID(), backend: backend, expires: now.addingTimeInterval(Self.lifetime),
      isConsuming: counts.allowance != nil)
    do throws(DatabaseError) {
      try database.run(
        """
        INSERT INTO tickets(id, backend, state, consuming, issued, expires, owner_pid, owner_start, owner_boot)
        VALUES (?, ?, 'reserved', ?, ?, ?, ?, ?, ?)
        """, ticket.id.uuidString, backend.rawValue, ticket.isConsuming, now.timeIntervalSince1970,
        ticket.expires.timeIntervalSince1970, Int(owner.pid), owner.start, owner.boot)
    } catch {
      throw .ledger(error)
    }
    return ticket
  }

  /// Charges a run that succeeded, or was stopped by the user after its first visible output.
  package func commit(_ ticket: consuming PreviewTicket, now: Date = Date()) throws(DatabaseError) -> CommitOutcome
  {
    try commit(id: ticket.id, now: now)
  }

  /// Charges a run by its ticket's id; a repeated call changes nothing.
  package func commit(id: UUID, now: Date = Date()) throws(DatabaseError) -> CommitOutcome {
    guard let state = try state(of: id) else { return .lapsed }
    switch state.state {
    case .committed: return .alreadyCharged
    case .reserved: break
    case .released:
      // The run outlived its reservation. Its output was real, so it is charged if a preview is left.
      let counts = try counts(now: now)
      if counts.allowance == nil {
        try database.run("UPDATE tickets SET consuming = 0 WHERE id = ?", id.uuidString)
      } else if state.isConsuming, counts.remaining == 0 {
        return .lapsed
      }
    }
    try database.run(
      "UPDATE tickets SET state = 'committed', ended = ? WHERE id = ?", now.timeIntervalSince1970, id.uuidString)
    return .charged(remaining: try localModelPreviewRemaining(now: now))
  }

  /// Releases a reservation: the run failed, produced nothing, or was stopped before its first output.
  package func release(_ ticket: consuming PreviewTicket, now: Date = Date()) throws(DatabaseError) {
    try release(id: ticket.id, now: now)
  }

  /// Releases a reservation by its id; a committed ticket stays committed.
  package func release(id: UUID, now: Date = Date()) throws(DatabaseError) {
    try database.run(
      "UPDATE tickets SET state = 'released', ended = ? WHERE id = ? AND state = 'reserved'",
      now.timeIntervalSince1970, id.uuidString)
  }

  /// Releases reservations whose process is gone or that expired; called at every start and before every issue.
  /// - Returns: the number released.
  @discardableResult
  package func releaseAbandoned(now: Date = Date()) throws(DatabaseError) -> Int {
    var count = 0
    for ticket in try tickets(where: "state = 'reserved'") {
      if !isAlive(ticket.record.owner) || ticket.expires <= now {
        try release(id: ticket.record.id, now: now)
        count += 1
      }
    }
    return count
  }

  /// Returns the tickets, newest first.
  package func tickets(limit: Int = 100) throws(DatabaseError) -> [TicketRecord] {
    try tickets(where: "1 ORDER BY issued DESC, rowid DESC LIMIT \(max(0, limit))").map(\.record)
  }

  private func state(of id: UUID) throws(DatabaseError) -> TicketRecord? {
    // The text of a UUID needs no escaping in SQL.
    try tickets(where: "id = '\(id.uuidString)'").first?.record
  }

  private func tickets(where condition: String) throws(DatabaseError) -> [(record: TicketRecord, expires: Date)] {
    try database.rows(
      """
      SELECT id, backend, state, consuming, issued, ended, owner_pid, owner_start, owner_boot, expires
      FROM tickets WHERE \(condition)
      """
    ) { row throws(DatabaseError) in
      guard let id = UUID(uuidString: row.text(0)), let backend = LocalModelBackend(rawValue: row.text(1)),
        let state = TicketRecord.State(rawValue: row.text(2))
      else { throw DatabaseError.malformed(column: "tickets", value: row.text(0)) }
      let record = TicketRecord(
        id: id, backend: backend, state: state, isConsuming: row.int(3) == 1,
        issued: Date(timeIntervalSince1970: row.double(4)),
        ended: row.isNull(5) ? nil : Date(timeIntervalSince1970: row.double(5)),
        owner: ProcessIdentity(pid: Int32(clamping: row.int(6)), start: Int64(row.int(7)), boot: row.text(8)))
      return (record, Date(timeIntervalSince1970: row.double(9)))
    }
  }
}
