import Entitlements
import Foundation
import Persistence
import Telemetry

/// Ending of a turn, to be stored at once with everything that follows from it.
package struct TurnEnding: Sendable {
  /// The turn's number.
  package var turn: Int
  /// The answer, or the part of it that was generated.
  package var answer: String
  /// Status at the end.
  package var status: TurnStatus
  /// Author of the answer: `analysis`, or the model's name.
  package var author: String
  /// Citations of the answer.
  package var sources: [Source]
  /// The model's input and output, where one answered.
  package var transcript: Transcript?
  /// Telemetry events of the turn.
  package var events: [TelemetryEvent]

  /// Makes an ending.
  package init(
    turn: Int, answer: String, status: TurnStatus, author: String, sources: [Source],
    transcript: Transcript? = nil, events: [TelemetryEvent]
  ) {
    self.turn = turn
    self.answer = answer
    self.status = status
    self.author = author
    self.sources = sources
    self.transcript = transcript
    self.events = events
  }

  /// Indicates whether a local run that ended so is charged: it ended well, or the user stopped it after it had said
  /// something.
  var isCharged: Bool { !answer.isEmpty && (status == .complete || status == .stopped) }
}

extension StateStore {
  /// Reserves one local run.
  ///
  /// An attempt without a preview left is recorded before the error is thrown.
  package func reserve(backend: LocalModelBackend) throws(TicketError) -> PreviewTicket {
    // A transaction's value must be copyable, and a ticket is not: this variable hands it out.
    var ticket: PreviewTicket?
    var refusal: TicketError?
    do throws(DatabaseError) {
      try database.transaction { () throws(DatabaseError) in
        do throws(TicketError) {
          ticket = try ledger.issueLocalModelPreviewTicket(backend: backend)
        } catch {
          if case .ledger(let failure) = error { throw failure }
          refusal = error
          try log.record(.previewGateTriggered(backend: .init(backend), entryPoint: .localModelGated))
        }
      }
    } catch {
      throw .ledger(error)
    }
    if let refusal { throw refusal }
    guard let issued = ticket.take() else { preconditionFailure("a ticket is issued or refused") }
    return issued
  }

  /// Stores a turn's ending, its charge and its telemetry events: all or nothing.
  /// - Parameter ticket: the reservation of the turn's local run, if it had one; committed or released here.
  /// - Returns: the number of previews left after a charged run on a plan that counts them; nil otherwise.
  @discardableResult
  package func end(_ ending: TurnEnding, ticket: consuming PreviewTicket? = nil) throws(DatabaseError) -> Int? {
    var events = ending.events
    var reservation: (id: UUID, backend: LocalModelBackend, isConsuming: Bool)?
    if let ticket { reservation = (ticket.id, ticket.backend, ticket.isConsuming) }
    let (encoded, transcript) = (try Self.encode(ending.sources), try Self.encode(ending.transcript))
    return try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        UPDATE turns SET answer = ?, status = ?, author = ?, sources = ?, transcript = ?, finished = ? WHERE id = ?
        """,
        ending.answer, ending.status.rawValue, ending.author, encoded, transcript, Date().timeIntervalSince1970,
        ending.turn)
      var left: Int?
      if let reservation {
        left = try settle(reservation, isCharged: ending.isCharged, events: &events)
      }
      for event in events { try log.record(event) }
      return left
    }
  }

  /// Settles a run that is no turn, and stores its telemetry events: all or nothing.
  /// - Returns: the number of previews left after a charged run on a plan that counts them; nil otherwise.
  func end(
    _ ticket: consuming PreviewTicket?, isCharged: Bool, events: [TelemetryEvent]
  ) throws(DatabaseError) -> Int? {
    var events = events
    var reservation: (id: UUID, backend: LocalModelBackend, isConsuming: Bool)?
    if let ticket { reservation = (ticket.id, ticket.backend, ticket.isConsuming) }
    return try database.transaction { () throws(DatabaseError) in
      var left: Int?
      if let reservation { left = try settle(reservation, isCharged: isCharged, events: &events) }
      for event in events { try log.record(event) }
      return left
    }
  }

  func settle(
    _ reservation: (id: UUID, backend: LocalModelBackend, isConsuming: Bool), isCharged: Bool,
    events: inout [TelemetryEvent]
  ) throws(DatabaseError) -> Int? {
    guard isCharged else {
      try ledger.release(id: reservation.id)
      return nil
    }
    let consumed = try ledger.counts().consumed
    guard case .charged(let remaining) = try ledger.commit(id: reservation.id), reservation.isConsuming else {
      return nil
    }
    // The plan may have become unlimited during the run; the preview was used all the same.
    let counts = try ledger.counts()
    guard counts.consumed > consumed else { return nil }
    events.append(.previewModelUsed(backend: .init(reservation.backend), remaining: remaining ?? counts.remaining))
    if remaining == 0 { events.append(.previewExhausted(backend: .init(reservation.backend))) }
    return remaining
  }

  /// Indicates whether a local model may run now.
  package func accessState() throws(DatabaseError) -> LocalModelAccessState { try ledger.accessState() }

  /// The three counts of previews.
  package func previewCounts() throws(DatabaseError) -> PreviewCounts { try ledger.counts() }

  /// The plan in force.
  package func planStanding() throws(DatabaseError) -> PlanStanding { try ledger.standing() }

  /// Every change of plan, oldest first.
  package func planChanges() throws(DatabaseError) -> [PlanChange] { try ledger.planChanges() }

  /// The tickets, newest first.
  package func tickets(limit: Int = 100) throws(DatabaseError) -> [TicketRecord] {
    try ledger.tickets(limit: limit)
  }

  /// Moves to another plan and records a conversion where it is one.
  package func setPlan(
    _ plan: Plan, source: PlanChangeSource = .command, ends: Date? = nil, grace: TimeInterval = 0
  ) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      let runs = try ledger.setPlan(plan, source: source, ends: ends, grace: grace)
      if let runs, let paid = TelemetryEvent.PaidPlan(rawValue: plan.rawValue) {
        try log.record(.previewToPaid(plan: paid, previewRuns: runs))
      }
    }
  }

  /// Stores an event on its own.
  package func record(_ event: TelemetryEvent) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in try log.record(event) }
  }
}

extension TelemetryEvent.Backend {
  init(_ backend: LocalModelBackend) {
    switch backend {
    case .gguf: self = .gguf
    case .diffusion: self = .diffusion
    }
  }
}

extension StateStore {
  /// Releases the reservation of a run without a result, before the analysis answers the turn.
  func giveBack(_ ticket: consuming PreviewTicket?) throws(DatabaseError) {
    guard let id = ticket?.id else { return }
    try database.transaction { () throws(DatabaseError) in try ledger.release(id: id) }
  }
}

extension StateStore {
  /// The newest events that a query asks for, oldest first.
  package func telemetry(_ query: TelemetryQuery) throws(DatabaseError) -> [TelemetryRecord] {
    try log.events(query)
  }

  /// Statistics of the log.
  package func telemetryStatistics(since: Date? = nil) throws(DatabaseError) -> TelemetryStatistics {
    try log.statistics(since: since)
  }

  /// Removes every event for good.
  package func wipeTelemetry() throws(DatabaseError) -> Int {
    try deleting { () throws(DatabaseError) in try log.wipe() }
  }

  /// Indicates whether events are recorded.
  package func isTelemetryOn() throws(DatabaseError) -> Bool { try log.isOn() }

  /// Turns recording on or off.
  package func setTelemetry(on isOn: Bool) throws(DatabaseError) { try log.setOn(isOn) }
}
