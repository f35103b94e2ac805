import Analysis
import Documents
import Entitlements
import Foundation
import Persistence
import Retrieval
import Telemetry

/// One conversation: it stores the question, finds who can answer, and stores the answer.
///
/// One turn runs at a time. A turn whose stream is dropped stops before its next piece; what was said is kept.
public actor Session {
  let store: StateStore
  private let answerer: DocumentAnswerer
  private let conversation: Conversation
  private let clock = ContinuousClock()
  private var backend: (any LocalBackend)?
  private var running: Task<Void, Never>?

  /// The part of the library that a session is limited to, once it is known.
  var knownScope: (session: Int?, scope: SearchScope)?

  /// The session's number in the store; nil until the first question.
  public private(set) var id: Int?

  /// Starts a new conversation, or goes on with a stored one.
  public init(
    store: StateStore, answerer: DocumentAnswerer, conversation: Conversation, backend: (any LocalBackend)? = nil,
    resuming id: Int? = nil
  ) {
    self.store = store
    self.answerer = answerer
    self.conversation = conversation
    self.backend = backend
    self.id = id
  }

  /// Chooses who answers from now on; nil leaves it to the analysis.
  public func use(_ backend: (any LocalBackend)?) { self.backend = backend }

  /// Begins a new conversation; the present one stays in the store.
  public func startAnew() {
    id = nil
    knownScope = nil
  }

  /// Goes on with a stored conversation.
  public func resume(_ id: Int) async throws -> [Turn] {
    guard try await store.sessions().contains(where: { $0.id == id }) else { throw SessionError.noSession(id) }
    self.id = id
    return try await store.turns(session: id)
  }

  /// Takes the last turn back.
  @discardableResult
  public func undo() async throws -> Turn {
    guard let id, let turn = try await store.undoLastTurn(session: id) else { throw SessionError.nothingToUndo }
    return turn
  }

  /// The turns so far.
  public func turns() async throws -> [Turn] {
    guard let id else { return [] }
    return try await store.turns(session: id)
  }

  /// Answers a question.
  ///
  /// The question is on the disk before anything else happens. The stream ends with ``SessionEvent/finished(_:)``, or throws.
  /// - Throws: ``SessionError/busy`` while a turn is under way.
  public func respond(
    to question: String, options: TurnOptions = TurnOptions()
  ) throws(SessionError) -> AsyncThrowingStream<SessionEvent, any Error> {
    guard running == nil else { throw .busy }
    let (stream, continuation) = AsyncThrowingStream<SessionEvent, any Error>.makeStream()
    let task = Task {
      do {
        try await answer(question, options) { continuation.yield($0) }
        running = nil
        continuation.finish()
      } catch {
        running = nil
        continuation.finish(throwing: error)
      }
    }
    running = task
    continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    return stream
  }

  /// Stops the turn under way, if any, and waits until what was said is stored.
  public func stop() async {
    running?.cancel()
    await running?.value
  }

  /// Waits until the turn under way, if any, is stored.
  public func settle() async { await running?.value }

  private func answer(
    _ question: String, _ options: TurnOptions, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    let history = try await turns()
    var options = options
    options.scope = try await scope().narrowed(by: options.scope)
    let begun = try await store.beginTurn(session: id, question: question)
    id = begun.session
    try await keepScope()
    var turn = OpenTurn(session: begun.session, number: begun.turn, question: question, started: clock.now)
    turn.sought =
      FollowUp.completed(question, after: history.filter { !$0.sources.isEmpty }.map(\.question)) ?? question
    do {
      try await run(&turn, history: history, options, emit: emit)
    } catch {
      let isStop = error is CancellationError || Task.isCancelled
      try await close(&turn, status: isStop ? .stopped : .failed, ticket: nil, emit: emit)
      if !isStop { throw error }
    }
  }

  private func run(
    _ turn: inout OpenTurn, history: [Turn], _ options: TurnOptions,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    if options.isModelOnly, backend == nil { throw SessionError.noModel }
    let reply = options.summaryOf == nil ? conversation.reply(to: turn.question)?.text : nil
    turn.route = reply == nil && !options.isModelOnly ? .documents : .chat
    emit(.routed(turn.route))
    if turn.route == .documents {
      let isLastResort = backend == nil || options.summaryOf != nil
      if try await answerFromDocuments(&turn, options, isLastResort: isLastResort, emit: emit) {
        return
      }
      if (turn.coverage?.total ?? 0) > 0 { emit(.notice(.modelWithoutEvidence)) }
      turn.route = .chat
    }
    if let backend, try await answerByModel(&turn, backend, history: history, options, emit: emit) { return }
    guard let reply else {
      _ = try await answerFromDocuments(&turn, options, isLastResort: true, emit: emit)
      return
    }
    turn.author = "rules"
    turn.say(reply, at: clock.now, emit)
    try await close(&turn, status: .complete, ticket: nil, emit: emit)
  }

  /// - Returns: false, with nothing said, where the documents hold no evidence and someone else can still answer.
  private func answerFromDocuments(
    _ turn: inout OpenTurn, _ options: TurnOptions, isLastResort: Bool,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> Bool {
    let started = clock.now
    let answer =
      if let document = options.summaryOf {
        try await answerer.summarize(document)
      } else {
        try await answerer.answer(turn.sought, scope: options.scope)
      }
    try Task.checkCancellation()
    turn.events.append(
      .retrieved(matched: answer.coverage.matched, read: answer.coverage.read, total: clock.now - started))
    turn.coverage = answer.coverage
    guard answer.hasEvidence || isLastResort else { return false }
    emit(.retrieved(answer.coverage))
    turn.author = "analysis"
    turn.hasEvidence = answer.hasEvidence
    turn.sources = answer.sources
    for piece in answer.pieces { turn.say(piece, at: clock.now, emit) }
    if !answer.unverified.isEmpty { emit(.notice(.unverified(answer.unverified))) }
    try await close(&turn, status: .complete, ticket: nil, emit: emit)
    return true
  }

  /// - Returns: false, with nothing said, where the model may not run or failed before it said anything.
  private func answerByModel(
    _ turn: inout OpenTurn, _ backend: any LocalBackend, history: [Turn], _ options: TurnOptions,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> Bool {
    guard let ticket = try await reserve(backend, &turn, options, emit: emit) else { return false }
    let failure = await generate(&turn, backend, history: history, emit: emit)
    let isStop = Task.isCancelled || failure is CancellationError
    if isStop || (failure == nil && !turn.answer.isEmpty) {
      turn.author = backend.name
      try await close(&turn, status: isStop ? .stopped : .complete, ticket: ticket, emit: emit)
      return true
    }
    // It failed or said nothing: nobody pays for that, and the analysis answers unless something was said already.
    try await store.giveBack(ticket)
    if let failure, !turn.answer.isEmpty || options.isModelOnly { throw failure }
    turn.events.append(.fallbackUsed(reason: failure == nil ? .noOutput : .modelFailed))
    emit(.notice(failure.map { .modelFailed(reason: ErrorSentence.describe($0)) } ?? .modelSilent))
    return false
  }

  /// Reserves the turn's one ticket, or says that there is none.
  private func reserve(
    _ backend: any LocalBackend, _ turn: inout OpenTurn, _ options: TurnOptions,
    emit: @Sendable (SessionEvent) -> Void
  ) async throws -> PreviewTicket? {
    do {
      return try await store.reserve(backend: backend.kind)
    } catch TicketError.access(.previewsExhausted(let consumed, _, let allowance)) {
      guard !options.isModelOnly else { throw SessionError.blocked(consumed: consumed, allowance: allowance) }
      turn.events.append(.fallbackUsed(reason: .noTicket))
      emit(.notice(.previewsUsedUp(consumed: consumed, allowance: allowance)))
      return nil
    }
  }

  /// Runs the model and keeps each piece as it comes.
  /// - Returns: what ended it early, or nil where it ended by itself.
  private func generate(
    _ turn: inout OpenTurn, _ backend: any LocalBackend, history: [Turn],
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async -> (any Error)? {
    let exchanges = history.filter { !$0.answer.isEmpty }
      .map { LocalRequest.Exchange(question: $0.question, answer: $0.answer) }
    do {
      for try await output in backend.answer(LocalRequest(history: exchanges, question: turn.question)) {
        switch output {
        case .historyDropped(let turns): emit(.notice(.historyDropped(turns: turns)))
        case .prefill(let done, let total): emit(.prefill(done: done, total: total))
        case .text(let piece):
          turn.say(piece, at: clock.now, emit)
          try await store.keepPartialAnswer(turn.answer, turn: turn.number)
        case .finished(let metrics): turn.metrics = metrics
        }
        try Task.checkCancellation()
      }
      return nil
    } catch {
      return error
    }
  }

  private func close(
    _ turn: inout OpenTurn, status: TurnStatus, ticket: consuming PreviewTicket?,
    emit: @Sendable (SessionEvent) -> Void
  ) async throws {
    guard !turn.isClosed else { return }
    turn.isClosed = true
    turn.events.append(turn.outcome(status, now: clock.now))
    let ending = TurnEnding(
      turn: turn.number, answer: turn.answer, status: status, author: turn.author, sources: turn.sources,
      events: turn.events)
    let left = try await store.end(ending, ticket: ticket)
    if left == 0 { emit(.notice(.lastPreviewUsed)) }
    if !turn.sources.isEmpty { emit(.sources(turn.sources)) }
    emit(.finished(turn.summary(status, previewsLeft: left)))
  }
}
