import Compute
import Foundation
import Grammars
import ModelFormats
import TextGeneration
import Tokenization

/// Tokens generated a second when the answer copies from its context, with and without speculative decoding.
///
/// The answer is a script of stretches of the context with new words between them, forced token by token, so that any
/// model says it; all the work of a real answer is done.
func decodeGrounded(_ options: Options, path: String, settings: LanguageModel.Settings) async throws {
  let generator = TextGenerator()
  let depth = max(200, try options.whole("depth", default: 1500))
  let count = try options.count("tokens", default: 256)
  var settings = settings
  settings.contextLength = depth + count + 64
  let description = try await generator.load(path: path, settings: settings)
  if let draft = options.text("draft") { try await generator.loadDraft(path: draft) }
  let rounds = try options.count("rounds", default: 5)
  let copied = try options.number("copied", default: 0.75)
  var random = RandomNumbers(state: 42)
  let size = description.tokenizer.count
  func word() -> TokenID {
    while true {
      let token = TokenID(random.next() % UInt64(size))
      if !description.tokenizer.endsGeneration(token) { return token }
    }
  }
  let context = (0..<depth).map { _ in word() }
  var script: [TokenID] = []
  while script.count < count {
    // Quotes of 10 to 40 tokens, and between them what keeps their share.
    let length = 10 + Int(random.next() % 31)
    let start = Int(random.next() % UInt64(depth - length))
    script += context[start..<start + length]
    for _ in 0..<Int(Double(length) * (1 / copied - 1)) { script.append(word()) }
  }
  script = Array(script.prefix(count))
  let grammar = try Grammar(gbnf: "root ::= " + script.map { "<[\($0)]>" }.joined(separator: " "))
  // In turn, for what the machine can do changes within seconds where it is shared; the first of each lays weights out.
  var rates: [Drafting: [Double]] = [:]
  var accepted = 0
  var drafted = 0
  for drafting in (0...rounds).flatMap({ _ in [Drafting.off, .automatic] }) {
    let request = GenerationRequest(tokens: context, tokenLimit: count, grammar: grammar, drafting: drafting)
    for try await event in generator.stream(request) {
      guard case .finished(let metrics) = event else { continue }
      guard metrics.generatedTokenCount == count else {
        throw UsageError(message: "the script cannot be forced on this model")
      }
      rates[drafting, default: []].append(metrics.decodeTokensPerSecond)
      if drafting != .off { (drafted, accepted) = (metrics.draftedTokenCount, metrics.acceptedTokenCount) }
    }
  }
  let (alone, guessed) = ((rates[.off] ?? []).dropFirst(), (rates[.automatic] ?? []).dropFirst())
  let (plain, ahead) = (Array(alone).median, Array(guessed).median)
  let ratio = zip(guessed, alone).map { $0 / $1 }.median
  let limits = try ModelLimits(GGUFFile(path: path), threadCount: settings.threadCount)
  let cacheBytes = (depth + count / 2) * description.cacheBytesPerToken
  let limit = try limits.reading().measure()
  try report(
    [
      "depth": depth, "tokens": count, "copied": copied, "tokens_per_second_plain": plain,
      "read_share_plain": plain * Double(limits.weightBytes + cacheBytes) / limit, "tokens_per_second": ahead,
      "ratio": ratio, "drafted": drafted, "accepted": accepted,
    ], json: options.isJSON)
}

/// SplitMix64, so that every run has the same script.
private struct RandomNumbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
