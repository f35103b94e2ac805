import Entitlements
import Foundation
import Persistence
import TestSupport
import Testing

@Suite struct LedgerModelTests {
  private static let sequenceCount =
    Int(ProcessInfo.processInfo.environment["ALCOVE_TEST_SEQUENCES"] ?? "") ?? 3_000

  /// Random sequences of issue, commit, release, crash, restart, time and plan changes agree with the reference after
  /// every step, and remaining + reserved + consumed is the allowance wherever the plan has one.
  @Test func randomSequencesAgreeWithTheReference() throws {
    let database = try Database(at: Database.inMemory, durability: .normal, migrations: [TicketLedger.schema])
    var random = SystemRandomNumberGenerator()
    for sequence in 0..<Self.sequenceCount {
      try database.execute("DELETE FROM tickets; DELETE FROM plan_changes")
      let seed = UInt64.random(in: 0 ... .max, using: &random)
      var run = try ModelRun(database: database, seed: seed)
      for step in 0..<Int.random(in: 5...40, using: &random) {
        let difference = try run.step()
        try #require(difference == nil, "sequence \(sequence), step \(step), seed \(seed): \(difference ?? "")")
      }
    }
  }
}

/// One random sequence against both ledgers.
private struct ModelRun {
  private let database: Database
  private var model = ReferenceLedger()
  private var random: SeededGenerator
  private var now = Date(timeIntervalSince1970: 1_000_000)
  private var nextOwner: Int32 = 1

  init(database: Database, seed: UInt64) throws {
    self.database = database
    random = SeededGenerator(seed: seed)
  }

  private var ledger: TicketLedger {
    let dead = model.dead
    return TicketLedger(database, allowances: PlanAllowances([.free: 3, .starter: 3])) { !dead.contains($0) }
  }

  /// - Returns: the difference of the two after one more step, or nil.
  mutating func step() throws -> String? {
    now += TimeInterval(Int.random(in: 0...600, using: &random))
    let any = model.tickets.indices.randomElement(using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6:
      nextOwner += 1
      model.recover(now)
      let owner = ProcessIdentity(pid: nextOwner / 2, start: 0, boot: "")
      let expectsTicket = !model.isCounting(now) || model.remaining > 0
      let issued = try issue(owner)
      guard (issued != nil) == expectsTicket else { return "a ticket was \(expectsTicket ? "refused" : "issued")" }
      if let issued { model.tickets.append(issued) }
    case 6..<11:
      guard let any else { break }
      let outcome = try ledger.commit(id: model.tickets[any].id, now: now)
      let expected = model.commit(any, now)
      guard outcome == expected else { return "commit gave \(outcome), expected \(expected)" }
    case 11..<14:
      guard let any else { break }
      try ledger.release(id: model.tickets[any].id, now: now)
      if model.tickets[any].state == .reserved { model.tickets[any].state = .released }
    case 14: if let any { model.dead.insert(model.tickets[any].owner) }
    case 15:
      try ledger.releaseAbandoned(now: now)
      model.recover(now)
    case 16: now += TicketLedger.lifetime
    default:
      let plan = Plan.allCases.randomElement(using: &random) ?? .free
      let ends = Bool.random(using: &random) ? nil : now + TimeInterval(Int.random(in: 0...900, using: &random))
      let wasCounting = model.isCounting(now)
      let runs = try ledger.setPlan(plan, source: .command, ends: ends, grace: 60, now: now)
      model.changes.append((plan, ends, 60))
      let converts = wasCounting && [.pro, .lifetime].contains(plan) && model.consumed > 0
      guard runs == (converts ? model.consumed : nil) else { return "conversion \(String(describing: runs))" }
    }
    return try difference()
  }

  private func issue(_ owner: ProcessIdentity) throws -> ReferenceLedger.Ticket? {
    do {
      let ticket = try ledger.issueLocalModelPreviewTicket(backend: .gguf, owner: owner, now: now)
      return ReferenceLedger.Ticket(
        id: ticket.id, owner: owner, expires: ticket.expires, isConsuming: ticket.isConsuming, state: .reserved)
    } catch TicketError.access {
      return nil
    }
  }

  private func difference() throws -> String? {
    let counts = try ledger.counts(now: now)
    let isCounting = model.isCounting(now)
    let expected = PreviewCounts(
      remaining: isCounting ? model.remaining : 0, reserved: model.reserved, consumed: model.consumed,
      allowance: isCounting ? 3 : nil)
    if counts != expected { return "\(counts), expected \(expected)" }
    if isCounting, counts.remaining + counts.reserved + counts.consumed != 3 { return "the sum broke: \(counts)" }
    let states = try ledger.tickets(limit: 1000).reduce(into: [:]) { $0[$1.id] = $1.state }
    for ticket in model.tickets where states[ticket.id] != ticket.state {
      return "a ticket is \(states[ticket.id]!)"
    }
    return nil
  }
}
