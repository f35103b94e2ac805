import Documents
import Entitlements
import Foundation
import Persistence
import Telemetry

extension Session {
  /// Sums up the conversation so far, so that the model continues from the summary; the turns stay in the store.
  ///
  /// The model writes the summary where one is loaded and may run; otherwise the rules do.
  /// - Returns: the summary, which ``undoCompaction()`` takes back.
  /// - Throws: ``SessionError/nothingToCompact`` where fewer than two answers were given since the last summary.
  @discardableResult
  package func compact() async throws -> Turn {
    guard let id else { throw SessionError.nothingToCompact }
    let turns = try await store.turns(session: id)
    let ask = ModelQuestion(history: turns, options: TurnOptions())
    guard ask.exchanges.count(where: { !$0.isSummary }) >= 2 else { throw SessionError.nothingToCompact }
    var (text, author) = (ConversationSummary.text(of: ask.exchanges), "rules")
    if let backend, let ticket = try await summaryTicket(backend) {
      let written = await summary(of: ask.exchanges, by: backend)
      if let written { (text, author) = (written, backend.name) }
      try await store.settle(ticket, isCharged: written != nil)
    }
    try Task.checkCancellation()
    return try await keep(text, author, of: turns, session: id)
  }

  /// Takes the last summary back: the turns that it stood for are given to the model in full again.
  @discardableResult
  package func undoCompaction() async throws -> Turn {
    guard let id, let turn = try await store.undoLastSummary(session: id) else { throw SessionError.nothingToUndo }
    return turn
  }

  /// Sums up before a question where the conversation takes more of the context window than it should.
  /// - Returns: the turns as the question finds them.
  func compactIfLong(
    _ history: [Turn], _ turn: OpenTurn, emit: @Sendable (SessionEvent) -> Void
  ) async throws -> [Turn] {
    let ask = ModelQuestion(history: history, options: TurnOptions())
    guard let backend, backend.needsSummary(ask.exchanges), ask.exchanges.count(where: { !$0.isSummary }) >= 2
    else {
      return history
    }
    // This belongs to the turn that needs it, and so to that turn's ticket: the model writes it where it will answer.
    let text: String? =
      if try await store.accessState() == .blocked { nil } else { await summary(of: ask.exchanges, by: backend) }
    try Task.checkCancellation()
    let kept = try await keep(
      text ?? ConversationSummary.text(of: ask.exchanges), text == nil ? "rules" : backend.name, of: history,
      session: turn.session)
    emit(.compacted(kept))
    return history + [kept]
  }

  private func summaryTicket(_ backend: any LocalBackend) async throws -> PreviewTicket? {
    do {
      return try await store.reserve(backend: backend.kind)
    } catch TicketError.access {
      return nil
    }
  }

  /// Summary by the model, or nil where it fails or says nothing.
  private func summary(of exchanges: [Exchange], by backend: any LocalBackend) async -> String? {
    var request = LocalRequest(history: exchanges, question: "")
    request.task = .summarise
    // The rules can always sum up; the model's failure shows when it is to answer.
    let text = (try? await backend.text(request))?.text ?? ""
    return text.isEmpty ? nil : text
  }

  private func keep(_ text: String, _ author: String, of turns: [Turn], session: Int) async throws -> Turn {
    let documents = Set(
      turns.flatMap { ($0.transcript?.documents ?? []) + $0.sources.map(\.citation.documentHash) })
    return try await store.addSummary(
      text, author: author, session: session, covering: turns.map(\.id).max() ?? 0, documents: documents.sorted())
  }
}

/// Summary of a conversation by rules: each question, and the beginning of its answer.
enum ConversationSummary {
  /// Largest length of a summary, in characters.
  private static let characterLimit = 1600

  static func text(of exchanges: [Exchange]) -> String {
    var lines: [String] = []
    var left = characterLimit
    // The latest turns matter most, so they get their room first.
    for exchange in exchanges.reversed() {
      let line =
        exchange.isSummary
        ? beginning(of: exchange.answer, longest: 600)
        : "Asked: \(beginning(of: exchange.question, longest: 160)) Answered: \(beginning(of: exchange.answer, longest: 260))"
      if line.count > left { break }
      left -= line.count
      lines.append(line)
    }
    if lines.count < exchanges.count {
      lines.append("(\(exchanges.count - lines.count) earlier answers are left out.)")
    }
    return lines.reversed().joined(separator: "\n")
  }

  /// Whole sentences from the beginning of a text, or at least whole words.
  private static func beginning(of text: String, longest: Int) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard line.count > longest else { return line }
    let cut = line.prefix(longest)
    if let end = cut.lastIndex(where: { ".!?".contains($0) }),
      cut.distance(from: cut.startIndex, to: end) > longest / 3
    {
      return String(cut[...end])
    }
    return (cut.lastIndex(of: " ").map { String(cut[..<$0]) } ?? String(cut)) + " …"
  }
}
