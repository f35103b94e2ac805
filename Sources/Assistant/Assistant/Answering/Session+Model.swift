import Documents
import Entitlements
import Foundation
import Retrieval
import Telemetry

extension Session {
  /// - Returns: false, with nothing said, where the model may not run or failed before it said anything.
  func answerByModel(
    _ turn: inout OpenTurn, _ backend: any LocalBackend, _ ask: ModelQuestion,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> Bool {
    guard let ticket = try await reserve(backend, &turn, ask.options, emit: emit) else { return false }
    turn.author = backend.name
    var citer = AnswerCiter(library: library, question: turn.question)
    let failure = await generate(&turn, backend, ask, &citer, emit: emit)
    let isStop = Task.isCancelled || failure is CancellationError
    if isStop || (failure == nil && !turn.answer.isEmpty) {
      finish(&turn, ask, citer, emit: emit)
      try await close(&turn, status: isStop ? .stopped : .complete, ticket: ticket, emit: emit)
      return true
    }
    // It failed or said nothing: no preview is charged for that, and the analysis answers unless something was said.
    try await store.giveBack(ticket)
    if let failure,
      !turn.answer.isEmpty || ask.options.isModelOnly || ask.options.isStrict && failure is ContextError
    {
      throw failure
    }
    turn.author = ""
    turn.metrics = nil
    turn.events.append(.fallbackUsed(reason: failure == nil ? .noOutput : .modelFailed))
    emit(.notice(failure.map { .modelFailed(reason: ErrorSentence.describe($0)) } ?? .modelSilent))
    return false
  }

  /// Reserves the turn's one ticket, or says that there is none.
  func reserve(
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

  /// Runs the model until it answers, with the tool calls in between, and stores each piece as it comes.
  /// - Returns: the error that ended it early, or nil where it ended by itself.
  private func generate(
    _ turn: inout OpenTurn, _ backend: any LocalBackend, _ ask: ModelQuestion, _ citer: inout AnswerCiter,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async -> (any Error)? {
    var request = LocalRequest(history: ask.exchanges, question: turn.question)
    request.passages = (ask.found?.places ?? []).map(PromptPassage.init)
    request.isStrict = ask.options.isStrict
    request.attempt = ask.options.attempt
    request.grammar = ask.options.grammar
    if backend.toolUse != .off, request.grammar == nil {
      request.tools = illustrator == nil ? Toolbox.plainDescriptions : Toolbox.descriptions
    }
    var callCount = 0
    do {
      if let document = ask.options.summaryOf, let found = ask.found {
        try await sumUp(document, found.places, &turn, backend, ask, &citer, emit: emit)
        return nil
      }
      while true {
        request.mustCall = backend.toolUse == .required && callCount < ask.options.requiredCalls
        let calls = try await runOnce(&turn, backend, request, ask, &citer, emit: emit)
        try Task.checkCancellation()
        if calls.isEmpty || callCount == Self.callLimit { break }
        // Text before a call is shown before the call's result.
        turn.say(try await citer.finish(), at: clock.now, emit)
        let step = try await runTools(calls, &callCount, &turn, backend, ask, &citer, emit: emit)
        request.steps.append(step)
        request.passages = turn.readPlaces.map { request.passages[$0] }
        turn.readPlaces = Array(request.passages.indices)
        turn.transcript?.steps = request.steps
      }
      if request.grammar == nil {
        turn.say(try await citer.finish(), at: clock.now, emit)
      } else {
        _ = try await citer.take(turn.said)
        _ = try await citer.finish()
      }
      return nil
    } catch {
      // Text that was held back is not lost, and not shown unchecked either.
      if let rest = try? await citer.finish() { turn.say(rest, at: clock.now, emit) }
      return error
    }
  }

  /// Largest number of tool calls in a turn; the step after them is an answer.
  static let callLimit = 5

  /// Carries out the model's tool calls, up to the turn's limit.
  private func runTools(
    _ calls: [ModelOutputParser.Output], _ callCount: inout Int, _ turn: inout OpenTurn,
    _ backend: any LocalBackend, _ ask: ModelQuestion, _ citer: inout AnswerCiter,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> ToolStep {
    var toolbox = Toolbox(library: library, answerer: answerer, scope: ask.options.scope)
    toolbox.illustrator = illustrator.map { ($0, turn.session) }
    toolbox.emit = emit
    var step = ToolStep(said: turn.said.trimmingSpace, calls: [], results: [])
    turn.said = ""
    for output in calls {
      var (call, result) = (ToolCall(name: "unknown", arguments: "{}"), Toolbox.Result(text: "", succeeded: false))
      if callCount == Self.callLimit {
        result.text = "Not done: no more calls are possible. Answer now."
        if case .call(let asked) = output { call = asked }
      } else {
        callCount += 1
        switch output {
        case .call(let asked):
          call = asked
          result = try await run(asked, with: toolbox, &turn, backend, &citer, emit: emit)
        default: result.text = "The call could not be read. Write a JSON object with a name and arguments."
        }
        emit(.called(ToolReport(name: call.name, arguments: call.arguments, succeeded: result.succeeded)))
        if let picture = result.picture {
          emit(.picture(picture))
          // Someone who reads the conversation later has to know that there was a picture.
          turn.say(picture.sentence + "\n\n", at: clock.now, emit)
        }
      }
      call.id = "call" + String(String(10_000 + (turn.number * 8 + step.calls.count) % 90_000).suffix(5))
      if callCount == Self.callLimit { result.text += "\n(No more calls are possible: answer now.)" }
      step.calls.append(call)
      step.results.append(PassageFence(around: [result.text]).data(result.text))
    }
    return step
  }

  /// Carries out one call: the model itself writes a summary, the toolbox does everything else.
  private func run(
    _ call: ToolCall, with toolbox: Toolbox, _ turn: inout OpenTurn, _ backend: any LocalBackend,
    _ citer: inout AnswerCiter, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> Toolbox.Result {
    if call.name == Toolbox.summary, let document = try await toolbox.document(of: call),
      let text = try await summary(of: document, &turn, backend, &citer, emit: emit)
    {
      return Toolbox.Result(text: text)
    }
    return try await toolbox.run(call, &citer)
  }

  /// Runs the model once.
  /// - Returns: the calls that it ended in, including those that cannot be read.
  func runOnce(
    _ turn: inout OpenTurn, _ backend: any LocalBackend, _ request: LocalRequest, _ ask: ModelQuestion,
    _ citer: inout AnswerCiter, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> [ModelOutputParser.Output] {
    let quoted = request.passages.map(\.text) + request.steps.flatMap(\.results)
    var parser = ModelOutputParser(tools: request.tools, quoted: quoted)
    var calls: [ModelOutputParser.Output] = []
    for try await output in backend.answer(request) {
      switch output {
      case .prompted(let report):
        parser = ModelOutputParser(tools: request.tools, opening: report.opening, quoted: quoted)
        take(report, &turn, ask, &citer, emit: emit)
      case .prefill(let done, let total): emit(.prefill(done: done, total: total))
      case .text(let piece) where request.grammar != nil:
        // An answer with a form of its own (a grammar) is left as it is.
        turn.said += piece
        turn.say(piece, at: clock.now, emit)
      case .text(let piece): calls += try await take(parser.append(piece), &turn, &citer, emit: emit)
      case .finished(let metrics):
        turn.add(metrics)
      }
      try Task.checkCancellation()
    }
    return calls + (try await take(parser.finish(), &turn, &citer, emit: emit))
  }

  private func take(
    _ report: PromptReport, _ turn: inout OpenTurn, _ ask: ModelQuestion, _ citer: inout AnswerCiter,
    emit: @Sendable (SessionEvent) -> Void
  ) {
    if !report.leftOut.isEmpty { emit(.notice(.leftOut(report.leftOut))) }
    turn.readPlaces = report.read
    guard turn.transcript == nil else { return }
    turn.transcript = Transcript()
    turn.transcript?.prompted = report.prompted
    guard let found = ask.found, ask.options.summaryOf == nil else { return }
    let places = report.read.map { found.places[$0] }
    _ = citer.number(places)
    let coverage = Coverage(read: places.count, matched: found.coverage.matched, total: found.coverage.total)
    turn.coverage = coverage
    emit(.retrieved(coverage))
  }

  /// - Returns: the calls among the parsed outputs.
  private func take(
    _ outputs: [ModelOutputParser.Output], _ turn: inout OpenTurn, _ citer: inout AnswerCiter,
    emit: @Sendable (SessionEvent) -> Void
  ) async throws -> [ModelOutputParser.Output] {
    var calls: [ModelOutputParser.Output] = []
    for output in outputs {
      switch output {
      case .text(let text):
        turn.said += text
        let shown = try await citer.take(text)
        guard !shown.isEmpty else { continue }
        turn.say(shown, at: clock.now, emit)
        try await store.keepPartialAnswer(turn.answer, turn: turn.number)
      case .thinking(let text):
        turn.hasThought = true
        emit(.thinking(text))
      case .call, .malformed: calls.append(output)
      }
    }
    return calls
  }

  /// Completes the turn once the model is done: transcript, sources and notices.
  private func finish(
    _ turn: inout OpenTurn, _ ask: ModelQuestion, _ citer: AnswerCiter, emit: @Sendable (SessionEvent) -> Void
  ) {
    turn.sources = citer.sources
    var transcript = turn.transcript ?? Transcript()
    if transcript.prompted.isEmpty { transcript.prompted = turn.question }
    transcript.said = turn.said.trimmingCharacters(in: .whitespacesAndNewlines)
    // Templates leave thoughts out of a history, so the tokens would not fit the text. A summary's last step stands
    // for all of them under a question of its own.
    let isItsOwn = !turn.hasThought && ask.options.summaryOf == nil
    transcript.tokens = isItsOwn ? turn.metrics?.said ?? [] : []
    transcript.documents = Array(Set(citer.places.values.map(\.document.hash))).sorted()
    turn.transcript = transcript
    guard !citer.places.isEmpty else { return }
    if let found = ask.found, found.needsAllPassages || ask.options.summaryOf != nil,
      let coverage = turn.coverage, coverage.read < coverage.matched
    {
      turn.say("\n" + answerer.partial(read: coverage.read, of: coverage.matched), at: clock.now, emit)
    }
    turn.hasEvidence = !turn.sources.isEmpty
    if !citer.unverified.isEmpty { emit(.notice(.unverified(citer.unverified))) }
    if citer.matchedCount > 0 { emit(.notice(.matched(sentences: citer.matchedCount))) }
    if citer.uncitedCount > 0 {
      emit(.notice(.uncited(sentences: citer.uncitedCount)))
    } else if turn.sources.isEmpty, ask.found != nil {
      emit(.notice(.unsupported))
    }
  }
}
