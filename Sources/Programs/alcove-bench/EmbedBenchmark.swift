import Foundation
import ModelFormats
import TextGeneration

/// Passages embedded a second, and the time to the first query's vector.
let embed = Command(
  name: "embed", parameters: "MODEL [--passages 1000] [--words 180] [--threads N] [--json]"
) { options in
  guard let path = options.plain.first else { throw UsageError(message: "needs a model file") }
  let threads = options.text("threads") == nil ? nil : try options.count("threads", default: 1)
  let count = try options.count("passages", default: 1000)
  let words = try options.count("words", default: 180)
  let started = ContinuousClock.now
  let embedder = try TextEmbedder(path: path, threadCount: threads)
  let opened = ContinuousClock.now
  _ = try await embedder.embed(["when is the rent due"], as: .query)
  let first = ContinuousClock.now
  let passages = (0..<count).map { passage($0, words: words) }
  let limits = try ModelLimits(GGUFFile(path: path), threadCount: threads)
  let before = try limits.multiplyRate()
  let (begun, processorTime) = (ContinuousClock.now, processorSeconds())
  let embeddings = try await embedder.embed(passages, as: .passage)
  let seconds = (ContinuousClock.now - begun) / .seconds(1)
  let processor = processorSeconds() - processorTime
  let limit = (before + (try limits.multiplyRate())) / 2
  let tokens = embeddings.reduce(0) { $0 + $1.tokens.count }
  let rate = 2 * Double(tokens * limits.layerWeights) / seconds
  try report(
    [
      "passages": count, "tokens": tokens, "seconds": seconds,
      "processor_seconds": processor, "passages_per_second": Double(count) / seconds,
      "multiply_gops": rate / 1e9, "multiply_share": rate / limit,
      "open_ms": (opened - started) / .milliseconds(1), "first_query_ms": (first - started) / .milliseconds(1),
    ], json: options.isJSON)
}

/// Everyday words in some order, another for each passage.
private func passage(_ number: Int, words count: Int) -> String {
  let words = [
    "the", "agreement", "of", "tenants", "and", "landlord", "shall", "pay", "rent", "before", "first", "day",
    "each",
    "month", "unless", "notice", "was", "given", "in", "writing", "water", "heating", "repairs", "are", "included",
    "except", "where", "damage", "follows", "from", "neglect", "garden", "winter", "invoice", "delivery", "museum",
  ]
  return (0..<count).map { words[(number * 31 + $0 * ($0 + number) + $0 / 7) % words.count] }.joined(
    separator: " ")
}

/// Seconds of processor time that all threads of this process have used.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
