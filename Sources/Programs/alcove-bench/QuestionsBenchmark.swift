import Analysis
import Documents
import Foundation
import Retrieval

/// Share of the questions of a set whose answers search and the rule-based analysis find, through a real library.
let questions = Command(
  name: "questions", parameters: "DIR… \(SearchMode.parameters) [--passages 12] [--json]"
) { options in
  guard !options.plain.isEmpty else {
    throw UsageError(message: "needs a folder with articles and questions.json")
  }
  let mode = try SearchMode(options, default: .hybrid)
  let limit = try options.count("passages", default: 12)
  for path in options.plain {
    let set = try QuestionSet(URL(filePath: path))
    let (scores, times) = try await mode.withLibrary(of: set.name, options) { library in
      try await set.store(in: library)
    } body: { library in
      try await measure(set, in: library, mode, limit: limit)
    }
    try report(
      [
        "set": set.name, "mode": mode.halves.rawValue, "answerable": scores.answerable,
        "unanswerable": scores.unanswerable,
        "first_passage": scores.share(scores.inFirst), "first_five_passages": scores.share(scores.inFirstFive),
        "answer": scores.share(scores.inAnswer), "answer_two_sentences": scores.share(scores.inTwoSentences),
        "answer_one_sentence": scores.share(scores.inOneSentence), "highlight": scores.share(scores.inHighlight),
        "wrongly_refused": scores.share(scores.wronglyRefused), "rightly_refused": scores.rightlyRefusedShare,
        "far_answerable": scores.share(scores.farAnswerable), "far_elsewhere": scores.share(scores.farElsewhere),
        "p50_ms": times.median, "p99_ms": times.percentile(0.99),
      ], json: options.isJSON)
  }
}

/// Counts over the questions of a set.
private struct QuestionScores {
  var (answerable, unanswerable) = (0, 0)
  var (inFirst, inFirstFive) = (0, 0)
  var (inAnswer, inTwoSentences, inOneSentence, inHighlight) = (0, 0, 0, 0)
  var (wronglyRefused, rightlyRefused) = (0, 0)
  /// Answerable questions that the search says nothing is near to: with the article that answers them, and without it.
  var (farAnswerable, farElsewhere) = (0, 0)

  func share(_ count: Int) -> Double { answerable == 0 ? 0 : Double(count) / Double(answerable) }
  var rightlyRefusedShare: Double { unanswerable == 0 ? 0 : Double(rightlyRefused) / Double(unanswerable) }
}

private func measure(
  _ set: QuestionSet, in library: Library, _ mode: SearchMode, limit: Int
) async throws -> (QuestionScores, Timings) {
  // Only quotes count as an answer, so the words between them do not matter here.
  let analyst = Analyst(phrases: .blank)
  var scores = QuestionScores()
  var times = Timings()
  let documents = try await library.documents()
  for item in set.items {
    let question = Question(item.question)
    let started = ContinuousClock.now
    let results = try await search(item.question, in: library, mode, limit: limit)
    let found = evidence(results)
    let answer = analyst.answer(question, evidence: found, isFar: results.closeness.isFar)
    times.add(ContinuousClock.now - started)
    let isRefused = answer.refusal != nil
    if item.answers.isEmpty {
      scores.unanswerable += 1
      if isRefused { scores.rightlyRefused += 1 }
      continue
    }
    scores.answerable += 1
    if isRefused { scores.wronglyRefused += 1 }
    if results.closeness.isFar { scores.farAnswerable += 1 }
    let others = SearchScope(documents: set.documents(without: item, in: documents))
    if try await search(item.question, in: library, mode, limit: limit, scope: others).closeness.isFar {
      scores.farElsewhere += 1
    }
    let hits = found.map { item.isAnswered(by: $0.passage.text) }
    if hits.first ?? false { scores.inFirst += 1 }
    if hits.prefix(5).contains(true) { scores.inFirstFive += 1 }
    let quotes = answer.quotes.map { text(of: $0.range, in: found[$0.evidence]) }
    if quotes.contains(where: item.isAnswered) { scores.inAnswer += 1 }
    if quotes.count <= 2, quotes.contains(where: item.isAnswered) { scores.inTwoSentences += 1 }
    let single = analyst.answer(question, evidence: found, sentenceLimit: 1, isFar: results.closeness.isFar).quotes
      .prefix(1)
    if single.contains(where: { item.isAnswered(by: text(of: $0.range, in: found[$0.evidence])) }) {
      scores.inOneSentence += 1
    }
    let marked = answer.quotes.compactMap { quote in
      quote.highlight.map { text(of: $0, in: found[quote.evidence]) }
    }
    if marked.contains(where: { mark in item.isAnswered(by: mark) || item.answers.contains { $0.contains(mark) } })
    {
      scores.inHighlight += 1
    }
  }
  return (scores, times)
}

private func text(of range: Range<Int>, in evidence: Evidence) -> String {
  String(decoding: Array(evidence.passage.text.utf8)[range], as: UTF8.self)
}

/// Passages that the library finds for a question.
private func search(
  _ question: String, in library: Library, _ mode: SearchMode, limit: Int, scope: SearchScope = .everything
) async throws -> SearchResults {
  var query = SearchQuery("")
  query.words = question
  return try await library.search(
    query, vector: try await mode.vector(question), limit: limit, scope: scope, ranking: mode.ranking)
}

/// The same as the analysis takes it.
private func evidence(_ results: SearchResults) -> [Evidence] {
  results.hits.map { hit in
    Evidence(
      id: hit.passage.id.rawValue, document: hit.document.id.rawValue,
      title: hit.document.title ?? hit.document.name,
      passage: hit.passage.passage, score: hit.score)
  }
}
