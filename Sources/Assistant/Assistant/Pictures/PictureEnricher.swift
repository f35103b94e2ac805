import Entitlements
import Linguistics

/// Lets a language model describe a picture more richly; the user's words are used where that fails.
package struct PictureEnricher: Sendable {
  private let store: StateStore
  private let backend: any LocalBackend

  /// Outcome of an enrichment.
  package enum Outcome: Sendable, Equatable {
    /// A richer description, which holds everything that was asked for.
    case enriched(String)
    /// The user's words are drawn as they are, for this reason.
    case kept(EnrichmentRefusal)
  }

  /// Largest length of a description, in characters.
  private static let longest = 400
  private static let tokenLimit = 96

  /// Creates an enricher that runs a model; like every local run, it needs a ticket.
  package init(store: StateStore, backend: any LocalBackend) { (self.store, self.backend) = (store, backend) }

  /// Enriches a prompt.
  /// - Throws: `CancellationError` where it was stopped; other failures are outcomes.
  package func enrich(_ prompt: String) async throws -> Outcome {
    let ticket: PreviewTicket
    do { ticket = try await store.reserve(backend: backend.kind) } catch TicketError.access {
      return .kept(.blocked)
    }
    var request = LocalRequest(history: [], question: prompt)
    request.task = .enrich(prompt: prompt)
    request.tokenLimit = Self.tokenLimit
    var outcome: Outcome
    do {
      outcome = Self.judge(try await backend.text(request).text, for: prompt)
    } catch {
      outcome = .kept(.failed(ErrorSentence.describe(error)))
    }
    var isUsed = false
    if case .enriched = outcome { isUsed = !Task.isCancelled }
    try await store.settle(ticket, isCharged: isUsed)
    try Task.checkCancellation()
    return outcome
  }

  /// Enriches a prompt by the model that is loaded.
  /// - Returns: the richer prompt, or nil where it stays as it is, with the notice for the user.
  package static func enriched(
    _ prompt: String, store: StateStore, backend: (any LocalBackend)?
  ) async throws -> (text: String?, notice: Notice) {
    guard let backend else { return (nil, .pictureKept(.noModel)) }
    switch try await PictureEnricher(store: store, backend: backend).enrich(prompt) {
    case .enriched(let text): return (text, .pictureDescribed(text))
    case .kept(let reason): return (nil, .pictureKept(reason))
    }
  }

  /// The description in a model's output, if it keeps everything that was asked for.
  package static func judge(_ said: String, for prompt: String) -> Outcome {
    let lines = said.split(whereSeparator: \.isNewline).map { String($0).trimmingSpace }
    // "Here is the description:" is no description.
    guard var line = lines.first(where: { !$0.isEmpty && !$0.hasSuffix(":") }) else { return .kept(.nothingSaid) }
    for label in ["description:", "picture:", "prompt:", "painting:"] where line.lowercased().hasPrefix(label) {
      line = String(line.dropFirst(label.count)).trimmingSpace
    }
    while let first = line.first, let last = line.last, line.count > 1, "\"“'*".contains(first),
      "\"”'*".contains(last)
    {
      line = String(line.dropFirst().dropLast()).trimmingSpace
    }
    let isText = !line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{FFFD}" }
    guard line.count <= longest, isText else { return .kept(.nothingSaid) }
    let said = stems(line)
    guard said.count > stems(prompt).count else { return .kept(.nothingSaid) }
    for word in words(prompt) where !said.contains(Stemmer.stem(word)) { return .kept(.leftOut(word)) }
    return .enriched(line)
  }

  private static func words(_ text: String) -> [String] {
    Words.split(text).filter { !$0.kind.isAdditional }.map { Folding.fold($0.text) }.filter {
      !StopWords.contains($0) && !courtesies.contains($0)
    }
  }

  private static func stems(_ text: String) -> Set<String> { Set(words(text).map(Stemmer.stem)) }

  /// Words of a request that are no part of the picture.
  private static let courtesies: Set<String> = [
    "draw", "paint", "sketch", "please", "picture", "image", "drawing", "painting", "me", "make", "create", "show",
    "now", "photo", "want", "like", "imagine", "generate",
  ]
}
