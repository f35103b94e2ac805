import Foundation

/// Permission to run a local model.
package enum LocalModelAccessState: Sendable, Equatable {
  /// Runs are not limited.
  case unlocked
  /// A number of further runs is left, not counting runs under way.
  case preview(remaining: Int)
  /// No run is left on this plan.
  case blocked
}

/// Errors of the permission to run a local model.
package enum LocalModelAccessError: Error, Sendable, Equatable {
  /// Every preview is used or reserved by a run under way.
  case previewsExhausted(consumed: Int, reserved: Int, allowance: Int)
}

/// Event that led a user to the choice of a plan.
package enum PlanUpgradeEntryPoint: String, Sendable, Codable {
  /// A local run found no preview left.
  case localModelGated = "local_model_gated"
}

/// Engines whose runs need a ticket.
package enum LocalModelBackend: String, Sendable, Codable, CaseIterable {
  /// Language model in a GGUF file.
  case gguf
  /// Diffusion model that makes pictures.
  case diffusion
}

/// Right to one local run, reserved in the ledger. It must end in ``TicketLedger/commit(_:now:)`` or
/// ``TicketLedger/release(_:now:)``; it cannot be copied, so it cannot end twice.
package struct PreviewTicket: ~Copyable, Sendable {
  /// Id in the ledger.
  package let id: UUID
  /// Engine that it is for.
  package let backend: LocalModelBackend
  /// Time from which others may treat the reservation as abandoned.
  package let expires: Date
  /// Indicates whether a commit uses up a preview; on an unlimited plan it does not.
  package let isConsuming: Bool

  package init(id: UUID, backend: LocalModelBackend, expires: Date, isConsuming: Bool) {
    self.id = id
    self.backend = backend
    self.expires = expires
    self.isConsuming = isConsuming
  }
}

/// Ticket as listings show it.
package struct TicketRecord: Sendable, Equatable, Codable {
  /// State of a ticket.
  package enum State: String, Sendable, Codable { case reserved, committed, released }

  /// Id in the ledger.
  package let id: UUID
  /// Engine that it is for.
  package let backend: LocalModelBackend
  /// State of the ticket.
  package let state: State
  /// Indicates whether it counts against the allowance.
  package let isConsuming: Bool
  /// Time of the reservation.
  package let issued: Date
  /// Time of the commit or release.
  package let ended: Date?
  /// Process that reserved it.
  package let owner: ProcessIdentity
}

/// Numbers of previews; the first three always add up to the allowance.
package struct PreviewCounts: Sendable, Equatable, Codable {
  /// Number of previews that can still be reserved.
  package let remaining: Int
  /// Number of previews of runs under way.
  package let reserved: Int
  /// Number of previews used, which survives every change of plan.
  package let consumed: Int
  /// Number of previews that the plan allows, or nil for no limit.
  package let allowance: Int?

  /// Makes counts.
  package init(remaining: Int, reserved: Int, consumed: Int, allowance: Int?) {
    self.remaining = remaining
    self.reserved = reserved
    self.consumed = consumed
    self.allowance = allowance
  }
}
