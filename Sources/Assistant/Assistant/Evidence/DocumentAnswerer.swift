import Analysis
import Documents
import Foundation
import Retrieval

/// An answer from the library, with everything a session needs to show and store it.
struct DocumentAnswer: Sendable {
  /// Pieces of the answer, to be shown one behind the other.
  var pieces: [String]
  /// Sources of its numbers.
  var sources: [Source]
  /// Share of the matching passages that was read.
  var coverage: Coverage
  /// Indicates whether the documents say anything about the question.
  var hasEvidence: Bool
  /// Numbers and names that were marked.
  var unverified: [String]
  /// Passages the answer was drawn from, best first; a model would answer from them.
  var places: [PassagePlace] = []
  /// Indicates whether a complete answer needs every passage that matches.
  var needsAllPassages = false
}

/// Answers from the library by rules: search, analysis, citations, check.
package struct DocumentAnswerer: Sendable {
  private let library: Library
  private let embedders: Embedders?
  private let analyst: Analyst
  private let phrases: Phrases
  let limits: Limits

  /// Limits on the length of an answer and on the passages read for it.
  package struct Limits: Sendable, Equatable {
    /// Passages a question of fact is answered from.
    package var passages: Int
    /// Passages a counting or listing question reads.
    package var passagesForLists: Int
    /// Sentences quoted for a question of fact.
    package var sentences: Int
    /// Sentences of a summary.
    package var summarySentences: Int
    /// Passages of one document that a model reads for a summary.
    package var summaryPassages: Int

    /// Makes limits.
    package init(
      passages: Int = 12, passagesForLists: Int = 500, sentences: Int = 2, summarySentences: Int = 6,
      summaryPassages: Int = 60
    ) {
      self.passages = passages
      self.passagesForLists = passagesForLists
      self.sentences = sentences
      self.summarySentences = summarySentences
      self.summaryPassages = summaryPassages
    }
  }

  /// Makes an answerer over a library; without embedders it finds passages by their words alone.
  package init(library: Library, embedders: Embedders? = nil, phrases: Phrases, limits: Limits) {
    self.library = library
    self.embedders = embedders
    self.phrases = phrases
    self.limits = limits
    analyst = Analyst(phrases: phrases)
  }

  /// - Parameter words: the question in other words, which are searched for first; the question itself where they find
  ///   nothing near.
  func answer(_ text: String, soughtAs words: String? = nil, scope: SearchScope) async throws -> DocumentAnswer {
    let question = Question(text)
    if let words {
      let found = try await search(words, for: question, scope: scope)
      // Documents may say it in other words than the question; the reworded question tells whether they do.
      for judged in [question, Question(words)] {
        let answer = analyze(judged, found)
        if answer.refusal == nil { return try await write(answer, of: found, question) }
      }
    }
    let found = try await search(text, for: question, scope: scope)
    return try await write(analyze(question, found), of: found, question)
  }

  private func analyze(_ question: Question, _ found: SearchResults) -> RuleBasedAnswer {
    var answer = analyst.answer(
      question, evidence: found.hits.map(Self.evidence),
      coverage: ReadingCoverage(read: Self.readCount(found), total: found.matchedPassageCount),
      sentenceLimit: limits.sentences, isFar: found.closeness.isFar)
    if answer.refusal == .noPassages, found.passageCount == 0 { answer.parts = [.text(phrases[.noDocuments])] }
    return answer
  }

  private static func readCount(_ found: SearchResults) -> Int { found.hits.reduce(0) { $0 + $1.parts.count } }

  private func write(
    _ answer: RuleBasedAnswer, of found: SearchResults, _ question: Question
  ) async throws -> DocumentAnswer {
    let places = found.hits.map { PassagePlace(passage: $0.passage, document: $0.document) }
    var written = try await write(answer, places: places, question: question.text)
    (written.places, written.needsAllPassages) = (places, question.needsAllPassages)
    written.coverage = Coverage(
      read: Self.readCount(found), matched: found.matchedPassageCount, total: found.passageCount)
    return written
  }

  private func search(_ text: String, for question: Question, scope: SearchScope) async throws -> SearchResults {
    let query = SearchQuery(text)
    var ranking = RankingSettings()
    if question.spansDocuments { ranking.diversity = .acrossDocuments }
    return try await library.search(
      query, vector: await embedders?.queryVector(query.plainText),
      limit: question.needsAllPassages ? limits.passagesForLists : limits.passages, scope: scope, ranking: ranking)
  }

  func summarize(_ document: LibraryDocument) async throws -> DocumentAnswer {
    let passages = try await library.passages(of: document.id)
    let places = passages.map { PassagePlace(passage: $0, document: document) }
    let answer = analyst.summary(
      of: passages.map { Self.evidence($0, of: document, score: 0) }, sentences: limits.summarySentences)
    var written = try await write(answer, places: places, question: "")
    written.places = places
    written.coverage = Coverage(read: passages.count, matched: passages.count, total: passages.count)
    return written
  }

  /// Central sentences of some passages of a document, by rules, with the passage of each.
  func central(
    _ places: [PassagePlace], of document: LibraryDocument, sentences: Int
  ) async throws -> [(place: PassagePlace, quote: String)] {
    let answer = analyst.summary(
      of: places.map { Self.evidence($0.passage, of: document, score: 0) }, sentences: sentences)
    return answer.parts.compactMap { part in
      guard case .quote(let quote) = part else { return nil }
      let place = places[quote.evidence]
      let text = String(decoding: Array(place.passage.passage.text.utf8)[quote.range], as: UTF8.self)
      return (place, text.replacing("\n", with: " "))
    }
  }

  /// Sentence that says how many of the matching passages were read.
  func partial(read: Int, of total: Int) -> String {
    phrases[.readPart, ["read": String(read), "total": String(total)]]
  }

  private static func evidence(_ hit: SearchHit) -> Analysis.Evidence {
    evidence(hit.passage, of: hit.document, score: hit.score)
  }

  private static func evidence(
    _ passage: StoredPassage, of document: LibraryDocument, score: Double
  ) -> Analysis.Evidence {
    Analysis.Evidence(
      id: passage.id.rawValue, document: document.id.rawValue, title: document.title ?? document.name,
      passage: passage.passage, score: score)
  }

  /// Turns quotes into numbered citations of stored bytes, and checks the result against them.
  private func write(
    _ answer: RuleBasedAnswer, places: [PassagePlace], question: String
  ) async throws -> DocumentAnswer {
    var writer = CitationWriter(library: library)
    var sentences: [CitedSentence] = []
    for part in answer.parts {
      switch part {
      case .text(let text): sentences.add(text)
      case .quote(let quote): sentences.add(try await writer.cite(quote.range, of: places[quote.evidence]))
      }
    }
    if answer.refusal != nil, !answer.nearest.isEmpty {
      sentences.add("\n" + phrases[.unsure])
      for quote in answer.nearest {
        sentences.add("\n" + phrases[.item] + " ")
        sentences.add(try await writer.cite(quote.range, of: places[quote.evidence]))
      }
    }
    var checked = CitationChecker().check(
      sentences, sources: writer.sources, context: writer.context.mapValues { $0 + "\n" + question },
      opens: { writer.stored[$0] })
    // A quote that its document no longer holds (it was replaced while the answer was made) is not shown as one.
    checked.unverified += checked.broken.map { "[\($0)]" }
    return DocumentAnswer(
      pieces: checked.unverified.isEmpty ? sentences.map(\.text) : [checked.answer], sources: writer.sources,
      coverage: Coverage(read: 0, matched: 0, total: 0), hasEvidence: answer.refusal == nil,
      unverified: checked.unverified)
  }
}
