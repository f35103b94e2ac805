import Foundation

/// Whether a local model may run.
package enum LocalModelAccessState: Sendable, Equatable {
  /// As often as one likes.
  case unlocked
  /// So many more times; runs under way are not among them.
  case preview(remaining: Int)
  /// Not any more, on this plan.
  case blocked
}

/// Why a local model may not run.
package enum LocalModelAccessError: Error, Sendable, Equatable {
  /// Every preview is used or reserved by a run under way.
  case previewsExhausted(consumed: Int, reserved: Int, allowance: Int)
}

/// What led a user to the choice of a plan.
package enum PlanUpgradeEntryPoint: String, Sendable, Codable {
  /// A local run found no ticket.
  case localModelGated = "local_model_gated"
}

/// The engines whose runs need a ticket.
package enum LocalModelBackend: String, Sendable, Codable, CaseIterable {
  /// A language model in a GGUF file.
  case gguf
  /// A picture by a diffusion model.
  case diffusion
}

/// The right to one local run, reserved in the ledger. It must end in ``TicketLedger/commit(_:now:)`` or
/// ``TicketLedger/release(_:now:)``; it cannot be copied, so it cannot end twice.
package struct PreviewTicket: ~Copyable, Sendable {
  /// Its name in the ledger.
  package let id: UUID
  /// The engine it is for.
  package let backend: LocalModelBackend
  /// When others may take the reservation for forgotten.
  package let expires: Date
  /// Whether a commit uses up a preview; on an unlimited plan it does not.
  package let isConsuming: Bool

  package init(id: UUID, backend: LocalModelBackend, expires: Date, isConsuming: Bool) {
    self.id = id
    self.backend = backend
    self.expires = expires
    self.isConsuming = isConsuming
  }
}

/// A ticket as the listings show it.
package struct TicketRecord: Sendable, Equatable, Codable {
  /// How far a ticket has come.
  package enum State: String, Sendable, Codable { case reserved, committed, released }

  /// Its name in the ledger.
  package let id: UUID
  /// The engine it is for.
  package let backend: LocalModelBackend
  /// How far it has come.
  package let state: State
  /// Whether it counts against the allowance.
  package let isConsuming: Bool
  /// When it was reserved.
  package let issued: Date
  /// When it was committed or released.
  package let ended: Date?
  /// The process that reserved it.
  package let owner: ProcessIdentity
}

/// The three numbers whose sum is the allowance, always.
package struct PreviewCounts: Sendable, Equatable, Codable {
  /// Previews that can still be reserved.
  package let remaining: Int
  /// Previews of runs under way.
  package let reserved: Int
  /// Previews used; survives every change of plan.
  package let consumed: Int
  /// What the plan allows, or nil for no limit.
  package let allowance: Int?

  /// Makes counts.
  package init(remaining: Int, reserved: Int, consumed: Int, allowance: Int?) {
    self.remaining = remaining
    self.reserved = reserved
    self.consumed = consumed
    self.allowance = allowance
  }
}
