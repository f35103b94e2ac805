import Compute
import Foundation
import TextGeneration

/// Tokens generated a second, after a prompt of some length.
let decode = Command(
  name: "decode",
  parameters:
    "MODEL [--depth 0] [--tokens 64] [--threads N] [--cache f16] [--grounded [--draft FILE] [--copied 0.75] [--rounds 5]] [--json]"
) { options in
  if options.text("grounded") != nil {
    let (path, settings) = try loading(options, tokens: 0)
    return try await decodeGrounded(options, path: path, settings: settings)
  }
  let depth = try options.whole("depth", default: 0)
  let tokens = try options.count("tokens", default: 64)
  let model = try openModel(options, tokens: depth + 1 + tokens)
  try warm(model)
  let limits = try ModelLimits(model)
  let reading = try limits.reading()
  try fill(model, count: depth + 1)
  var (seconds, processor, rates, shares) = (0.0, 0.0, [Double](), [Double]())
  // Between the tokens, for what the machine can do changes within seconds where it is shared.
  var limit = reading.measure()
  for first in stride(from: 0, to: tokens, by: 8) {
    let end = min(tokens, first + 8)
    let (started, processorTime) = (ContinuousClock.now, processorSeconds())
    for index in first..<end { try model.advance([token(index, model)]) }
    let taken = (ContinuousClock.now - started) / .seconds(1)
    processor += processorSeconds() - processorTime
    seconds += taken
    let cacheBytes = (depth + (first + end) / 2) * model.cacheBytesPerToken
    let rate = Double((end - first) * (limits.weightBytes + cacheBytes)) / taken
    let next = reading.measure()
    rates.append(rate)
    shares.append(2 * rate / (limit + next))
    limit = next
  }
  try report(
    [
      "depth": depth, "tokens": tokens, "tokens_per_second": Double(tokens) / seconds,
      "processor_ms_per_token": processor * 1000 / Double(tokens),
      "threads": model.threadCount, "read_gbps": rates.median / 1e9, "read_share": shares.median,
    ],
    json: options.isJSON)
}

/// Tokens of a prompt evaluated a second.
let prefill = Command(
  name: "prefill", parameters: "MODEL [--prompt 512] [--depth 0] [--threads N] [--cache f16] [--json]"
) { options in
  let depth = try options.whole("depth", default: 0)
  let prompt = try options.count("prompt", default: 512)
  let model = try openModel(options, tokens: depth + prompt)
  try warm(model, prompt: prompt)
  let limits = try ModelLimits(model)
  if depth > 0 { try fill(model, count: depth) }
  let before = try limits.multiplyRate()
  let multiplyAdds = model.multiplyAddCount
  let (started, processorTime) = (ContinuousClock.now, processorSeconds())
  try fill(model, count: prompt)
  let seconds = (ContinuousClock.now - started) / .seconds(1)
  let processor = processorSeconds() - processorTime
  let limit = (before + (try limits.multiplyRate())) / 2
  let rate = 2 * Double(model.multiplyAddCount - multiplyAdds) / seconds
  try report(
    [
      "depth": depth, "prompt": prompt, "tokens_per_second": Double(prompt) / seconds,
      "processor_ms": processor * 1000, "threads": model.threadCount,
      "multiply_gops": rate / 1e9, "multiply_share": rate / limit,
    ], json: options.isJSON)
}

/// The time to open a model and to its first token, and the most memory up to there or to the end of a prompt.
let load = Command(
  name: "load", parameters: "MODEL [--prompt 0] [--threads N] [--cache f16] [--json]"
) { options in
  let prompt = try options.whole("prompt", default: 0)
  let started = ContinuousClock.now
  let model = try openModel(options, tokens: 1 + prompt)
  let opened = ContinuousClock.now
  try model.advance([token(0, model)])
  let first = ContinuousClock.now
  let processor = processorSeconds()
  if prompt > 0 { try fill(model, count: prompt) }
  let (resident, peak) = (residentMebibytes(), peakMebibytes())
  let limits = try ModelLimits(model)
  let rate = Double(limits.weightBytes) / ((first - started) / .seconds(1))
  try report(
    [
      "open_ms": (opened - started) / .milliseconds(1), "first_token_ms": (first - started) / .milliseconds(1),
      "processor_ms": processor * 1000, "context": model.contextLength, "resident_mib": resident, "peak_mib": peak,
      "read_gbps": rate / 1e9, "read_share": rate / (try limits.reading().measure()),
    ], json: options.isJSON)
}

/// - Parameter threads: instead of what the options say.
func openModel(_ options: Options, tokens: Int, threads: Int? = nil) throws -> LanguageModel {
  var (path, settings) = try loading(options, tokens: tokens)
  if let threads { settings.threadCount = threads }
  let model = try LanguageModel(path: path, settings: settings)
  guard tokens <= model.contextLength else {
    throw UsageError(message: "the context window of \(path) holds \(model.contextLength) tokens, not \(tokens)")
  }
  return model
}

private func loading(
  _ options: Options, tokens: Int
) throws -> (path: String, settings: LanguageModel.Settings) {
  guard let path = options.plain.first else { throw UsageError(message: "needs a model file") }
  var settings = LanguageModel.Settings()
  if options.text("threads") != nil { settings.threadCount = try options.count("threads", default: 1) }
  if let name = options.text("cache") {
    guard let type = LanguageModel.CacheType(rawValue: name) else {
      throw UsageError(message: "--cache needs f16, q8_0 or f32, not \(name)")
    }
    settings.cacheType = type
  }
  settings.contextLength = max(1024, tokens)
  return (path, settings)
}

/// The second use of the weights lays them out, and the first prompt maps their pages where they stay as they are
/// stored; that is part of loading, and other engines' benchmarks leave out their first run too.
func warm(_ model: LanguageModel, prompt: Int = 1) throws {
  try fill(model, count: 1)
  try fill(model, count: min(prompt, model.batchLimit))
  model.reset()
}

func fill(_ model: LanguageModel, count: Int) throws {
  for start in stride(from: 0, to: count, by: model.batchLimit) {
    try model.advance((start..<min(count, start + model.batchLimit)).map { token($0, model) })
  }
}

/// Some token, another one for each place.
func token(_ place: Int, _ model: LanguageModel) -> Int32 {
  Int32((place * 7919 + 13) % model.vocabularySize)
}
