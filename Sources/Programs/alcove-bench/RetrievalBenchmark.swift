import Foundation
import Retrieval

/// Measures of the search's ranking on judged test sets, through a real library.
let retrieval = Command(
  name: "retrieval",
  parameters: """
    DIR… \(SearchMode.parameters) [--relevance graded|binary] \
    [--k1 K] [--b B] [--title W] [--headings W] [--window W] [--pairs W] [--json]
    """
) { options in
  guard !options.plain.isEmpty else { throw UsageError(message: "needs a folder in BEIR format") }
  var mode = try SearchMode(options, default: .hybrid)
  mode.ranking = try settings(options, mode.ranking)
  for path in options.plain {
    let set = try RelevanceSet(URL(filePath: path), relevance: relevance(options))
    let (scores, times) = try await mode.withLibrary(of: set.name, options) { library in
      try await set.store(in: library)
    } body: { library in
      try await measure(set, in: library, mode)
    }
    try report(
      [
        "set": set.name, "mode": mode.halves.rawValue, "fusion": mode.ranking.fusion.method.rawValue,
        "relevance": set.isGraded ? "graded" : "binary", "documents": set.corpus.count,
        "queries": scores.queryCount, "ndcg@10": scores.mean(scores.gain),
        "recall@100": scores.mean(scores.recall), "mrr@10": scores.mean(scores.reciprocalRank),
        "p50_ms": times.median, "p99_ms": times.percentile(0.99),
      ], json: options.isJSON)
  }
}

private func relevance(_ options: Options) throws -> RelevanceSet.Relevance? {
  guard let name = options.text("relevance") else { return nil }
  guard let relevance = RelevanceSet.Relevance(rawValue: name) else {
    throw UsageError(message: "--relevance needs graded or binary, not \(name)")
  }
  return relevance
}

private func settings(_ options: Options, _ ranking: RankingSettings) throws -> RankingSettings {
  var settings = ranking
  settings.saturation = try options.number("k1", default: settings.saturation)
  settings.lengthPenalty = try options.number("b", default: settings.lengthPenalty)
  settings.titleWeight = try options.number("title", default: settings.titleWeight)
  settings.headingsWeight = try options.number("headings", default: settings.headingsWeight)
  settings.windowWeight = try options.number("window", default: settings.windowWeight)
  settings.pairWeight = try options.number("pairs", default: settings.pairWeight)
  return settings
}

private func measure(
  _ set: RelevanceSet, in library: Library, _ mode: SearchMode
) async throws -> (RelevanceScores, Timings) {
  var scores = RelevanceScores()
  var times = Timings()
  for query in set.queries {
    // Judged queries are sentences, not what a user types: quotes and dashes in them are no operators.
    var question = SearchQuery("")
    question.words = query.text
    let started = ContinuousClock.now
    let vector = try await mode.vector(query.text)
    let results = try await library.search(question, vector: vector, limit: 100, ranking: mode.ranking)
    times.add(ContinuousClock.now - started)
    var ranking: [String] = []
    for hit in results.hits {
      let id = RelevanceSet.id(of: hit.document)
      if !ranking.contains(id), !set.isItself(id, query) { ranking.append(id) }
    }
    scores.add(ranking, grades: set.grades[query._id] ?? [:])
  }
  return (scores, times)
}
