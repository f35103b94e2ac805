import Foundation
import Retrieval

/// How well the library's search ranks judged test sets, through a real library.
let retrieval = Command(name: "retrieval", parameters: "DIR… [--mode keyword] [--json]") { options in
  guard !options.plain.isEmpty else { throw UsageError(message: "names no folder in BEIR form") }
  let mode = options.text("mode") ?? "keyword"
  guard mode == "keyword" else { throw UsageError(message: "--mode \(mode) is not known; keyword is") }
  for path in options.plain {
    let set = try RelevanceSet(URL(filePath: path))
    let (scores, times) = try await withTemporaryFolder { folder in
      let library = try await Library(at: folder.appending(path: "library.db"))
      try await set.store(in: library)
      return try await measure(set, in: library, ranking: settings(options))
    }
    try report(
      [
        "set": set.name, "mode": mode, "documents": set.corpus.count, "queries": scores.queryCount,
        "ndcg@10": scores.mean(scores.gain), "recall@100": scores.mean(scores.recall),
        "mrr@10": scores.mean(scores.reciprocalRank), "p50_ms": times.median, "p99_ms": times.percentile(0.99),
      ], json: options.isJSON)
  }
}

private func settings(_ options: Options) throws -> RankingSettings {
  var settings = RankingSettings()
  settings.saturation = try options.number("k1", default: settings.saturation)
  settings.lengthPenalty = try options.number("b", default: settings.lengthPenalty)
  settings.titleWeight = try options.number("title", default: settings.titleWeight)
  settings.headingsWeight = try options.number("headings", default: settings.headingsWeight)
  settings.windowWeight = try options.number("window", default: settings.windowWeight)
  settings.pairWeight = try options.number("pairs", default: settings.pairWeight)
  return settings
}

private func measure(
  _ set: RelevanceSet, in library: Library, ranking: RankingSettings
) async throws -> (RelevanceScores, Timings) {
  var scores = RelevanceScores()
  var times = Timings()
  for query in set.queries {
    // Judged queries are sentences, not what a user types: quotes and dashes in them are no operators.
    var question = SearchQuery("")
    question.words = query.text
    let started = ContinuousClock.now
    let results = try await library.search(question, limit: 100, ranking: ranking)
    times.add(ContinuousClock.now - started)
    var ranking: [String] = []
    for hit in results.hits {
      let id = RelevanceSet.id(of: hit.document)
      if !ranking.contains(id) { ranking.append(id) }
    }
    scores.add(ranking, relevant: set.relevant[query._id] ?? [])
  }
  return (scores, times)
}
