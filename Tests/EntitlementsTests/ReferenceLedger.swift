import Entitlements
import Foundation

/// The ledger as plainly as it can be said: arrays and loops, no SQL.
struct ReferenceLedger {
  struct Ticket {
    var id: UUID
    var owner: ProcessIdentity
    var expires: Date
    var isConsuming: Bool
    var state: TicketRecord.State
  }

  static let allowance = 3
  var changes: [(plan: Plan, ends: Date?, grace: TimeInterval)] = []
  var tickets: [Ticket] = []
  var dead: Set<ProcessIdentity> = []

  func plan(_ now: Date) -> Plan {
    for change in changes.reversed() {
      guard let ends = change.ends else { return change.plan }
      if now < ends + change.grace { return change.plan }
    }
    return .free
  }

  func isCounting(_ now: Date) -> Bool { [.free, .starter].contains(plan(now)) }
  var consumed: Int { tickets.filter { $0.state == .committed && $0.isConsuming }.count }
  var reserved: Int { tickets.filter { $0.state == .reserved && $0.isConsuming }.count }
  var remaining: Int { Self.allowance - consumed - reserved }

  mutating func recover(_ now: Date) {
    for at in tickets.indices where tickets[at].state == .reserved {
      if dead.contains(tickets[at].owner) || tickets[at].expires <= now { tickets[at].state = .released }
    }
  }

  mutating func commit(_ at: Int, _ now: Date) -> CommitOutcome {
    switch tickets[at].state {
    case .committed: return .alreadyCharged
    case .reserved: break
    case .released:
      if !isCounting(now) {
        tickets[at].isConsuming = false
      } else if tickets[at].isConsuming, remaining == 0 {
        return .lapsed
      }
    }
    tickets[at].state = .committed
    return .charged(remaining: isCounting(now) ? remaining : nil)
  }
}
