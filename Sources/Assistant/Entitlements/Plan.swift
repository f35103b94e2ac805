import Foundation

/// What a user may have.
package enum Plan: String, Sendable, Codable, CaseIterable {
  case free, starter, pro, lifetime

  /// Whether local models run without limit, so that moving to it from another plan is an upgrade that counts.
  package func isPaid(_ allowances: PlanAllowances) -> Bool { allowances.previews(of: self) == nil }
}

/// How many local runs each plan may make per installation, as `Config/alcove.json` says.
package struct PlanAllowances: Sendable, Equatable {
  private let byPlan: [Plan: Int]

  /// Makes the table; a plan that is absent is unlimited.
  package init(_ byPlan: [Plan: Int]) {
    precondition(byPlan.values.allSatisfy { $0 >= 0 }, "an allowance is a count")
    self.byPlan = byPlan
  }

  /// The number of previews, or nil for no limit.
  package func previews(of plan: Plan) -> Int? { byPlan[plan] }
}

/// Who changed a plan.
package enum PlanChangeSource: String, Sendable, Codable {
  /// `alcove plan set` or `/plan set`.
  case command
  /// A licence that was entered or renewed.
  case licence
}

/// One line of the ledger of plans.
package struct PlanChange: Sendable, Equatable, Codable {
  /// Its place in the ledger, from 1.
  package let id: Int
  /// When it took effect.
  package let at: Date
  /// The plan it moved to.
  package let plan: Plan
  /// Who changed it.
  package let source: PlanChangeSource
  /// When it ends, or nil where it does not.
  package let ends: Date?
  /// How many seconds it goes on beyond its end.
  package let grace: TimeInterval
}

/// The plan in force and why.
package struct PlanStanding: Sendable, Equatable, Codable {
  /// The plan.
  package let plan: Plan
  /// When it ends, or nil where it does not.
  package let ends: Date?
  /// Whether its end has passed and only the grace period keeps it.
  package let isInGrace: Bool

  /// Makes a standing.
  package init(plan: Plan, ends: Date?, isInGrace: Bool) {
    self.plan = plan
    self.ends = ends
    self.isInGrace = isInGrace
  }
}

extension PlanStanding {
  /// Derives the standing from the ledger: the newest change that has not run out.
  ///
  /// Nothing is latched: when a plan runs out, the one before it that still holds is in force again, and `free` where none does.
  static func derive(from ledger: [PlanChange], now: Date) -> PlanStanding {
    for change in ledger.reversed() {
      guard let ends = change.ends else { return PlanStanding(plan: change.plan, ends: nil, isInGrace: false) }
      if now < ends.addingTimeInterval(change.grace) {
        return PlanStanding(plan: change.plan, ends: ends, isInGrace: now >= ends)
      }
    }
    return PlanStanding(plan: .free, ends: nil, isInGrace: false)
  }
}
