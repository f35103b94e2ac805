import Entitlements
import Foundation
import Persistence
import TestSupport
import Testing

@Suite struct TicketLedgerTests {
  let folder: TemporaryFolder
  let database: Database
  let ledger: TicketLedger
  init() throws {
    folder = try TemporaryFolder()
    database = try Database(
      at: folder.url.appending(path: "s.db"), durability: .full, migrations: [TicketLedger.schema])
    ledger = TicketLedger(database, allowances: PlanAllowances([.free: 3, .starter: 3]))
  }

  @Test func threePreviewsThenTheGate() throws {
    for left in [2, 1, 0] {
      let ticket = try ledger.issueLocalModelPreviewTicket(backend: .gguf)
      #expect(try ledger.commit(ticket) == .charged(remaining: left))
    }
    #expect(try ledger.accessState() == .blocked)
    #expect(throws: TicketError.access(.previewsExhausted(consumed: 3, reserved: 0, allowance: 3))) {
      _ = try ledger.issueLocalModelPreviewTicket(backend: .gguf)
    }
  }

  @Test func releaseGivesThePreviewBackAndCommitTwiceChargesOnce() throws {
    let first = try ledger.issueLocalModelPreviewTicket(backend: .gguf)
    #expect(try ledger.accessState() == .preview(remaining: 2))
    try ledger.release(first)
    let second = try ledger.issueLocalModelPreviewTicket(backend: .diffusion)
    let id = second.id
    #expect(try ledger.commit(second) == .charged(remaining: 2))
    #expect(try ledger.commit(id: id) == .alreadyCharged)
    try ledger.release(id: id)
    #expect(try ledger.counts() == PreviewCounts(remaining: 2, reserved: 0, consumed: 1, allowance: 3))
  }

  @Test func aReservationOfADeadProcessIsGivenBack() throws {
    let gone = ProcessIdentity(pid: 1, start: 0, boot: ProcessIdentity.current.boot)
    _ = try ledger.issueLocalModelPreviewTicket(backend: .gguf, owner: gone)
    #expect(try ledger.counts().reserved == 1)
    #expect(try ledger.releaseAbandoned() == 1)
    _ = try ledger.issueLocalModelPreviewTicket(backend: .gguf)
    #expect(try ledger.releaseAbandoned() == 0)
    #expect(try ledger.counts().reserved == 1)
  }

  @Test func thePlanInForceIsDerivedFromTheLedger() throws {
    let start = Date(timeIntervalSince1970: 1_000_000)
    _ = try ledger.setPlan(.starter, source: .command, now: start)
    _ = try ledger.setPlan(.pro, source: .licence, ends: start + 100, grace: 50, now: start)
    #expect(try ledger.standing(now: start + 99) == PlanStanding(plan: .pro, ends: start + 100, isInGrace: false))
    #expect(try ledger.standing(now: start + 149).isInGrace)
    #expect(try ledger.standing(now: start + 150).plan == .starter)
  }

  @Test func aConversionCountsThePreviewsUsedAndUnspentOnesComeBack() throws {
    _ = try ledger.commit(ledger.issueLocalModelPreviewTicket(backend: .gguf))
    #expect(try ledger.setPlan(.pro, source: .command) == 1)
    #expect(try ledger.setPlan(.lifetime, source: .command) == nil)
    _ = try ledger.commit(ledger.issueLocalModelPreviewTicket(backend: .gguf))
    #expect(try ledger.setPlan(.free, source: .command) == nil)
    #expect(try ledger.accessState() == .preview(remaining: 2))
  }
}
