import Documents
import Retrieval

/// A document for a model to sum up, or as much of it as is read.
struct DocumentDigest {
  let document: LibraryDocument
  let places: [PassagePlace]

  /// - Parameter limit: largest number of passages; of a longer document, this many are taken evenly from first to
  ///   last.
  init(_ document: LibraryDocument, _ all: [PassagePlace], limit: Int) {
    self.document = document
    guard all.count > limit else {
      places = all
      return
    }
    places = limit < 2 ? Array(all.prefix(limit)) : (0..<limit).map { all[$0 * (all.count - 1) / (limit - 1)] }
  }

  /// The title as it stands on a prompt's own lines.
  var name: String {
    String((document.title ?? document.name).map { $0.isNewline ? " " : $0 }.prefix(120))
  }
}

extension Session {
  private static let sentencesOfAPart = 4
  /// Largest number of rounds in which notes are made of notes; after them the notes are cut off.
  private static let roundLimit = 4
  /// Number of passages read for a summary that the model asks for in the middle of an answer.
  private static let passagesForTool = 12
  private static let noteTokens = 400

  /// Writes a document's summary: notes on each part, then a summary of the notes, each sentence checked against its
  /// passages.
  func sumUp(
    _ document: LibraryDocument, _ all: [PassagePlace], _ turn: inout OpenTurn, _ backend: any LocalBackend,
    _ ask: ModelQuestion, _ citer: inout AnswerCiter, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    let digest = DocumentDigest(document, all, limit: answerer.limits.summaryPassages)
    let coverage = Coverage(read: digest.places.count, matched: all.count, total: all.count)
    turn.coverage = coverage
    emit(.retrieved(coverage))
    let last = try await lastStep(of: digest, &turn, backend, &citer, emit: emit)
    var transcript = Transcript()
    transcript.prompted = turn.question
    turn.transcript = transcript
    _ = try await runOnce(&turn, backend, last, ask, &citer, emit: emit)
    turn.say(try await citer.finish(), at: clock.now, emit)
  }

  /// Summary that a model asked for by a tool call, checked; nil where it came to nothing.
  func summary(
    of document: LibraryDocument, _ turn: inout OpenTurn, _ backend: any LocalBackend, _ citer: inout AnswerCiter,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> String? {
    let all = try await library.passages(of: document.id).map { PassagePlace(passage: $0, document: document) }
    let digest = DocumentDigest(document, all, limit: Self.passagesForTool)
    do {
      let last = try await lastStep(of: digest, &turn, backend, &citer, emit: emit)
      let said = try await backend.text(last) { emit(.prefill(done: $0, total: $1)) }
      if let metrics = said.metrics { turn.add(metrics) }
      let notes = try await checked(said.text, citer)
      if notes.isEmpty { return nil }
      let part = digest.places.count < all.count
      return notes.joined(separator: "\n")
        + (part ? "\n" + answerer.partial(read: digest.places.count, of: all.count) : "")
    } catch {
      // The rules can always sum up, unless the turn was stopped.
      try Task.checkCancellation()
      return nil
    }
  }

  /// Reads a document part by part.
  /// - Returns: the request whose answer is the summary.
  private func lastStep(
    of digest: DocumentDigest, _ turn: inout OpenTurn, _ backend: any LocalBackend, _ citer: inout AnswerCiter,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> LocalRequest {
    let numbers = citer.number(digest.places)
    let passages = digest.places.map(PromptPassage.init)
    let parts = backend.parts(of: passages)
    let sentences = answerer.limits.summarySentences
    var notes: [String] = []
    for (place, part) in parts.enumerated() {
      var request = LocalRequest(history: [], question: "")
      request.passages = Array(passages[part])
      request.numbers = Array(numbers[part])
      let count = parts.count == 1 ? sentences : Self.sentencesOfAPart
      request.task = .digest(document: digest.name, part: place + 1, of: parts.count, sentences: count)
      if parts.count == 1 { return request }
      emit(.reading(part: place + 1, of: parts.count))
      let found = try await self.notes(request, &turn, backend, citer, emit: emit)
      notes += found
      if found.isEmpty {
        // For a part that the model made no notes of, the rules choose the central sentences.
        let central = try await answerer.central(Array(digest.places[part]), of: digest.document, sentences: 2)
        notes += central.map { "\($0.quote) [\(citer.number([$0.place])[0])]" }
      }
    }
    return try await joined(notes, digest, &turn, backend, citer, emit: emit)
  }

  /// Makes notes of notes until they fit into one prompt.
  private func joined(
    _ notes: [String], _ digest: DocumentDigest, _ turn: inout OpenTurn, _ backend: any LocalBackend,
    _ citer: AnswerCiter, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> LocalRequest {
    var notes = notes
    let sentences = answerer.limits.summarySentences
    func request(_ notes: some Sequence<String>, sentences: Int) -> LocalRequest {
      var request = LocalRequest(history: [], question: "")
      request.task = .combine(
        document: digest.name, notes: notes.joined(separator: "\n"), sentences: sentences)
      return request
    }
    for _ in 0..<Self.roundLimit {
      let groups = backend.parts(of: notes.map { PromptPassage(place: "", text: $0) })
      if groups.count < 2 { break }
      var fewer: [String] = []
      for (place, group) in groups.enumerated() {
        emit(.reading(part: place + 1, of: groups.count))
        let step = request(notes[group], sentences: max(Self.sentencesOfAPart, group.count / 4))
        let found = try await self.notes(step, &turn, backend, citer, emit: emit)
        fewer += found.isEmpty ? notes[group].prefix(Self.sentencesOfAPart) : found[...]
      }
      notes = fewer
    }
    if let first = backend.parts(of: notes.map { PromptPassage(place: "", text: $0) }).first {
      notes = Array(notes[first])
    }
    return request(notes, sentences: sentences)
  }

  /// Runs a step and keeps the sentences that pass the check.
  private func notes(
    _ request: LocalRequest, _ turn: inout OpenTurn, _ backend: any LocalBackend, _ citer: AnswerCiter,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> [String] {
    var request = request
    request.tokenLimit = Self.noteTokens
    let said = try await backend.text(request) { emit(.prefill(done: $0, total: $1)) }
    if let metrics = said.metrics { turn.add(metrics) }
    return try await checked(said.text, citer)
  }

  /// Sentences of a text that cite passages and state nothing that the passages do not hold.
  private func checked(_ text: String, _ citer: AnswerCiter) async throws -> [String] {
    var citer = citer
    let shown = try await citer.take(text)
    let all = shown + (try await citer.finish())
    return citer.stretches(of: all).filter { sentence in
      !sentence.citations.isEmpty && !sentence.text.contains(CitationChecker.mark)
        && sentence.citations.allSatisfy { citer.places[$0] != nil }
    }.map { $0.text.trimmingSpace }
  }
}
