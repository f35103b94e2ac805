import Analysis
import Documents
import Entitlements
import Foundation
import Persistence
import Retrieval
import Telemetry

/// One conversation: stores the question, finds who can answer, and stores the answer.
///
/// One turn runs at a time. A turn whose stream is dropped stops before its next piece; the text so far is kept.
package actor Session {
  let store: StateStore
  let library: Library
  let answerer: DocumentAnswerer
  private let makeRouter: @Sendable () throws -> Router
  private var knownRouter: Router?
  let clock = ContinuousClock()
  var backend: (any LocalBackend)?
  /// Draws pictures, for the user and as a tool of the model; nil where nothing does.
  var illustrator: Illustrator?
  private var running: Task<Void, Never>?
  private var settings: [String: String] = [:]

  /// The part of the library that a session is limited to, once it is known.
  var knownScope: (session: Int?, scope: SearchScope)?

  /// The session's number in the store; nil until the first question.
  package private(set) var id: Int?

  /// Starts a new conversation, or goes on with a stored one.
  package init(
    store: StateStore, library: Library, answerer: DocumentAnswerer,
    router makeRouter: @escaping @Sendable () throws -> Router,
    backend: (any LocalBackend)? = nil, resuming id: Int? = nil
  ) {
    self.store = store
    self.library = library
    self.answerer = answerer
    self.makeRouter = makeRouter
    self.backend = backend
    self.id = id
  }

  /// Chooses who answers from now on; nil leaves it to the analysis.
  package func use(_ backend: (any LocalBackend)?) { self.backend = backend }

  /// Chooses the maker of pictures; without one no sentence gets a picture and the model has no tool for them.
  package func draw(with illustrator: Illustrator?) { self.illustrator = illustrator }

  /// Begins a new conversation; the present one stays in the store.
  package func startAnew() {
    id = nil
    settings = [:]
    knownScope = nil
  }

  /// Goes on with a stored conversation.
  package func resume(_ id: Int) async throws -> [Turn] {
    guard try await store.sessions().contains(where: { $0.id == id }) else { throw SessionError.noSession(id) }
    self.id = id
    return try await store.turns(session: id)
  }

  /// Takes the last turn back.
  @discardableResult
  package func undo() async throws -> Turn {
    guard let id, let turn = try await store.undoLastTurn(session: id) else { throw SessionError.nothingToUndo }
    return turn
  }

  /// Number of times that a question, the last one taken back, was answered before.
  package func attempts(at question: String) async throws -> Int {
    guard let id else { return 0 }
    return try await store.attempts(at: question, session: id)
  }

  /// Keeps a setting with the session, so that it holds when the session is resumed.
  package func remember(_ name: String, _ value: String) async throws {
    settings[name] = value
    if let id { try await store.keep(settings: settings, session: id) }
  }

  /// Origins of the KV cache behind an answer: this session, and the documents whose text the model was given in it.
  package func origins() async throws -> Set<String> {
    guard let id else { return [] }
    let documents = try await store.turns(session: id).flatMap { $0.transcript?.documents ?? [] }
    return Set(documents + [Self.origin(id)])
  }

  /// Name of a session among the origins of a saved KV cache.
  package static func origin(_ id: Int) -> String { "session \(id)" }

  /// The settings that the session was given.
  package func rememberedSettings() async throws -> [String: String] {
    if let id { settings = try await store.settings(session: id) }
    return settings
  }

  /// The turns so far.
  package func turns() async throws -> [Turn] {
    guard let id else { return [] }
    return try await store.turns(session: id)
  }

  /// Answers a question.
  ///
  /// The question is on the disk before anything else happens. The stream ends with ``SessionEvent/finished(_:)``, or
  /// throws.
  /// - Throws: ``SessionError/busy`` while a turn is under way.
  package func respond(
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

  /// Stops the turn under way, if any, and waits until the text so far is stored.
  package func stop() async {
    running?.cancel()
    await running?.value
  }

  /// Waits until the turn under way, if any, is stored.
  package func settle() async { await running?.value }

  private func answer(
    _ question: String, _ options: TurnOptions, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    let history = try await turns()
    var options = options
    options.scope = try await scope().narrowed(by: options.scope)
    let begun = try await store.beginTurn(session: id, question: question)
    if id == nil, !settings.isEmpty { try await store.keep(settings: settings, session: begun.session) }
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
    let route = try router().route(turn.question, try await context(history, options))
    turn.route = route.kind
    emit(.routed(route.kind))
    if route.kind == .image { return try await answerByPicture(&turn, route, options, emit: emit) }
    let history = try await compactIfLong(history, turn, emit: emit)
    let ask = ModelQuestion(history: history, options: options)
    if turn.route == .documents {
      let isDone = try await answerFromDocuments(&turn, route, ask, emit: emit)
      if isDone { return }
      turn.route = .chat
    }
    if let backend, try await answerByModel(&turn, backend, ask, emit: emit) { return }
    guard let reply = route.reply else {
      // The model was to chat and could not: the analysis has the last word.
      turn.route = .documents
      try await answerByAnalysis(&turn, try await read(&turn, options), emit: emit)
      return
    }
    turn.author = "rules"
    turn.say(reply, at: clock.now, emit)
    try await close(&turn, status: .complete, ticket: nil, emit: emit)
  }

  // MARK: Routing

  private func router() throws -> Router {
    if let knownRouter { return knownRouter }
    let router = try makeRouter()
    knownRouter = router
    return router
  }

  /// Circumstances by which the router decides, as the conversation stands.
  package func context(_ history: [Turn], _ options: TurnOptions) async throws -> RouteContext {
    var context = RouteContext()
    context.isFollowUp = !history.isEmpty
    context.hasModel = backend != nil
    // Only a model answers where there are none.
    if backend != nil { context.hasDocuments = try await library.passageCount(in: options.scope) > 0 }
    context.canDraw = illustrator != nil && options.canDraw && !options.isModelOnly
    context.isChat = options.isChat
    context.isSummary = options.summaryOf != nil
    if context.canDraw, let newest = try await lastPicture() {
      context.picture = newest.created >= history.last?.asked ?? .distantPast ? .last : .earlier
    }
    return context
  }

  // MARK: Documents

  /// - Returns: false, with nothing said, where the question is none of the documents' and a model can answer.
  private func answerFromDocuments(
    _ turn: inout OpenTurn, _ route: Route, _ ask: ModelQuestion,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> Bool {
    var words: String?
    if let backend, ask.options.summaryOf == nil { words = try await reworded(turn, by: backend) }
    if let words { emit(.notice(.reworded(words))) }
    let found = try await read(&turn, ask.options, soughtAs: words)
    if let backend, ask.options.summaryOf != nil {
      if found.hasEvidence, try await answerByModel(&turn, backend, ask.from(found), emit: emit) { return true }
    } else if let backend {
      if !found.hasEvidence, route.fallsBackToChat { return false }
      if found.hasEvidence, try await answerByModel(&turn, backend, ask.from(found), emit: emit) { return true }
      // Someone who asks for the model alone is told that it may not run before being told that it has no evidence.
      if !found.hasEvidence, ask.options.isModelOnly {
        let ticket = try await reserve(backend, &turn, ask.options, emit: emit)
        try await store.giveBack(ticket)
      }
    }
    try await answerByAnalysis(&turn, found, emit: emit)
    return true
  }

  private func read(
    _ turn: inout OpenTurn, _ options: TurnOptions, soughtAs words: String? = nil
  ) async throws -> DocumentAnswer {
    let started = clock.now
    let answer =
      if let document = options.summaryOf {
        try await answerer.summarize(document)
      } else {
        try await answerer.answer(turn.sought, soughtAs: words, scope: options.scope)
      }
    try Task.checkCancellation()
    turn.events.append(
      .retrieved(matched: answer.coverage.matched, read: answer.coverage.read, total: clock.now - started))
    turn.coverage = answer.coverage
    return answer
  }

  private func answerByAnalysis(
    _ turn: inout OpenTurn, _ answer: DocumentAnswer, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    turn.coverage = answer.coverage
    emit(.retrieved(answer.coverage))
    turn.author = "analysis"
    turn.hasEvidence = answer.hasEvidence
    turn.sources = answer.sources
    for piece in answer.pieces { turn.say(piece, at: clock.now, emit) }
    if !answer.unverified.isEmpty { emit(.notice(.unverified(answer.unverified))) }
    try await close(&turn, status: .complete, ticket: nil, emit: emit)
  }

  func close(
    _ turn: inout OpenTurn, status: TurnStatus, ticket: consuming PreviewTicket?,
    emit: @Sendable (SessionEvent) -> Void
  ) async throws {
    guard !turn.isClosed else { return }
    turn.isClosed = true
    turn.events.append(turn.outcome(status, now: clock.now))
    let ending = TurnEnding(
      turn: turn.number, answer: turn.answer, status: status, author: turn.author, sources: turn.sources,
      transcript: turn.transcript, events: turn.events)
    let left = try await store.end(ending, ticket: ticket)
    if left == 0 { emit(.notice(.lastPreviewUsed)) }
    if !turn.sources.isEmpty { emit(.sources(turn.sources)) }
    emit(.finished(turn.summary(status, previewsLeft: left)))
  }
}
