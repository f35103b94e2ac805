import Foundation

/// Plan of a user.
package enum Plan: String, Sendable, Codable, CaseIterable {
  case free, starter, pro, lifetime

  /// Indicates whether the plan has no limit on local models, so that changing to it from another plan counts as an
  /// upgrade.
  package func isPaid(_ allowances: PlanAllowances) -> Bool { allowances.previews(of: self) == nil }
}

/// Number of local runs that each plan allows per installation, from `Config/alcove.json`.
package struct PlanAllowances: Sendable, Equatable {
  private let byPlan: [Plan: Int]

  /// Makes the table; a plan that is absent is unlimited.
  package init(_ byPlan: [Plan: Int]) {
    precondition(byPlan.values.allSatisfy { $0 >= 0 }, "an allowance is a count")
    self.byPlan = byPlan
  }

  /// Returns the number of previews, or nil for no limit.
  package func previews(of plan: Plan) -> Int? { byPlan[plan] }
}

/// Source of a change of plan.
package enum PlanChangeSource: String, Sendable, Codable {
  /// Command `alcove plan set` or `/plan set`.
  case command
  /// Licence that was entered or renewed.
  case licence
}

/// Entry of the ledger of plans.
package struct PlanChange: Sendable, Equatable, Codable {
  /// Position in the ledger, from 1.
  package let id: Int
  /// Time at which it took effect.
  package let at: Date
  /// New plan.
  package let plan: Plan
  /// Source of the change.
  package let source: PlanChangeSource
  /// Time at which the plan ends, or nil where it does not.
  package let ends: Date?
  /// Grace period after the end, in seconds.
  package let grace: TimeInterval
}

/// Plan in force.
package struct PlanStanding: Sendable, Equatable, Codable {
  /// Plan.
  package let plan: Plan
  /// Time at which it ends, or nil where it does not.
  package let ends: Date?
  /// Indicates whether its end has passed and only the grace period keeps it.
  package let isInGrace: Bool

  /// Makes a standing.
  package init(plan: Plan, ends: Date?, isInGrace: Bool) {
    self.plan = plan
    self.ends = ends
    self.isInGrace = isInGrace
  }
}

extension PlanStanding {
  /// Derives the plan in force from the ledger: the newest change that has not expired.
  ///
  /// No state is kept: when a plan expires, the one before it that still holds is in force again, and `free` where
  /// none does.
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
