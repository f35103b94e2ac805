import Compute
import Foundation
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// The chain as its definitions have it, over whole lists and without any cleverness.
struct PlainChain {
  var logits: [Double]
  var settings: SamplingSettings

  private var alive: [Int] { logits.indices.filter { logits[$0] > -.infinity } }

  private func softmax(_ tokens: [Int]) -> [Int: Double] {
    let top = tokens.map { logits[$0] }.max() ?? 0
    let total = tokens.reduce(0) { $0 + Foundation.exp(logits[$1] - top) }
    return Dictionary(uniqueKeysWithValues: tokens.map { ($0, Foundation.exp(logits[$0] - top) / total) })
  }

  private mutating func keep(_ tokens: some Sequence<Int>) {
    let kept = Set(tokens)
    for token in logits.indices where !kept.contains(token) { logits[token] = -.infinity }
  }

  private var ranked: [Int] { alive.sorted { (-logits[$0], $0) < (-logits[$1], $1) } }

  private mutating func keepUntil(_ sum: Double, _ order: [Int], reaches: (Double, Double) -> Bool) {
    let shares = softmax(alive)
    var total = 0.0
    var kept: [Int] = []
    for token in order {
      kept.append(token)
      total += shares[token] ?? 0
      if reaches(total, sum) { break }
    }
    keep(kept)
  }

  mutating func penalise(_ history: [Int]) {
    let window = settings.penaltyWindow < 0 ? history[...] : history.suffix(settings.penaltyWindow)
    for token in Set(window) {
      let count = window.count { $0 == token }
      let again = Double(settings.repeatPenalty)
      logits[token] = logits[token] > 0 ? logits[token] / again : logits[token] * again
      logits[token] -= Double(count) * Double(settings.frequencyPenalty) + Double(settings.presencePenalty)
    }
  }

  /// For every place before the end: how long a sequence ending there is also what the history ends with.
  mutating func discourage(_ history: [Int], breakers: Set<Int>) {
    guard let dry = settings.dry else { return }
    let list = dry.window < 0 ? history : Array(history.suffix(dry.window))
    var longest: [Int: Int] = [:]
    for end in 1..<max(1, list.count) {
      var length = 0
      while length < end, list[end - 1 - length] == list[list.count - 1 - length],
        !breakers.contains(list[list.count - 1 - length])
      {
        length += 1
      }
      if length >= dry.allowedLength { longest[list[end]] = max(longest[list[end]] ?? 0, length) }
    }
    for (token, length) in longest where !breakers.contains(token) {
      logits[token] -= Double(dry.multiplier) * pow(Double(dry.base), Double(length - dry.allowedLength))
    }
  }

  mutating func run(appliesXTC: Bool) -> [Int: Double] {
    if settings.topNSigma > 0 {
      let values = alive.map { logits[$0] }
      let mean = values.reduce(0, +) / Double(values.count)
      let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
      let top = values.max() ?? 0
      keep(alive.filter { logits[$0] >= top - Double(settings.topNSigma) * deviation })
    }
    if settings.topK > 0 { keep(ranked.prefix(settings.topK)) }
    if settings.typicalP < 1 {
      let shares = softmax(alive)
      let entropy = shares.values.reduce(0) { $0 - $1 * Foundation.log($1) }
      let order = alive.sorted {
        (abs(-Foundation.log(shares[$0]!) - entropy), $0) < (abs(-Foundation.log(shares[$1]!) - entropy), $1)
      }
      keepUntil(Double(settings.typicalP), order) { $0 > $1 }
    }
    if settings.topP < 1 { keepUntil(Double(settings.topP), ranked) { $0 >= $1 } }
    if settings.minP > 0 {
      let shares = softmax(alive)
      let most = shares.values.max() ?? 0
      keep(alive.filter { shares[$0]! >= Double(settings.minP) * most })
    }
    if appliesXTC {
      let shares = softmax(alive)
      let above = ranked.filter { shares[$0]! >= Double(settings.xtcThreshold) }
      if above.count > 1 { keep(Set(alive).subtracting(above.dropLast())) }
    }
    var temperature = Double(settings.temperature)
    if settings.temperatureRange > 0, alive.count > 1 {
      let entropy = softmax(alive).values.reduce(0) { $0 - $1 * Foundation.log($1) }
      let share = entropy / Foundation.log(Double(alive.count))
      let low = max(0, temperature - Double(settings.temperatureRange))
      temperature =
        low + (temperature + Double(settings.temperatureRange) - low)
        * pow(share, Double(settings.temperatureExponent))
    }
    if temperature <= 0 { return [ranked[0]: 1] }
    logits = logits.map { $0 / temperature }
    return softmax(alive)
  }
}

@Suite struct SamplerTests {
  static let rows: [[Float]] = {
    guard SharedData.isPresent, let all = try? Reference.logits("engine/llama-dense") else { return [] }
    return stride(from: 0, to: all.count, by: 128).map { Array(all[$0..<$0 + 128]) }
  }()

  static let history = (0..<90).map { TokenID(($0 * $0) % 23) } + [4, 5, 6, 7, 9, 4, 5, 6, 7]

  /// Each step by itself, then all at once.
  static let cases: [(name: String, settings: SamplingSettings)] = {
    func only(_ change: (inout SamplingSettings) -> Void) -> SamplingSettings {
      var settings = SamplingSettings.unfiltered
      change(&settings)
      return settings
    }
    var dry = DrySettings()
    dry.breakers = []
    var all = SamplingSettings()
    (all.repeatPenalty, all.typicalP, all.topNSigma, all.xtcProbability) = (1.2, 0.97, 3, 1)
    (all.frequencyPenalty, all.presencePenalty, all.temperatureRange) = (0.1, 0.2, 0.5)
    all.dry = dry
    return [
      ("none", only { _ in }), ("defaults", SamplingSettings()), ("temperature", only { $0.temperature = 0.3 }),
      ("hot", only { $0.temperature = 3 }), ("greedy", .greedy), ("top-k", only { $0.topK = 7 }),
      ("top-k 1", only { $0.topK = 1 }),
      ("top-p", only { $0.topP = 0.8 }), ("top-p 0", only { $0.topP = 0 }), ("min-p", only { $0.minP = 0.2 }),
      ("min-p 1", only { $0.minP = 1 }),
      ("typical", only { $0.typicalP = 0.6 }), ("top-n-sigma", only { $0.topNSigma = 1 }),
      ("xtc", only { ($0.xtcProbability, $0.xtcThreshold) = (1, 0.02) }),
      ("xtc off", only { ($0.xtcProbability, $0.xtcThreshold) = (1, 0.6) }),
      ("dynamic", only { ($0.temperature, $0.temperatureRange, $0.temperatureExponent) = (1, 0.7, 1.5) }),
      ("dynamic from 0", only { ($0.temperature, $0.temperatureRange) = (0.5, 0.9) }),
      ("repeat", only { $0.repeatPenalty = 1.3 }), ("frequency", only { $0.frequencyPenalty = 0.3 }),
      ("presence", only { $0.presencePenalty = 0.9 }),
      ("window", only { ($0.repeatPenalty, $0.penaltyWindow) = (1.5, 5) }),
      ("no window", only { ($0.repeatPenalty, $0.penaltyWindow) = (1.5, 0) }),
      ("whole window", only { ($0.frequencyPenalty, $0.penaltyWindow) = (0.5, -1) }),
      ("dry", only { $0.dry = dry }),
      ("bias", only { $0.logitBias = [3: 5, 4: -.infinity, 500: 9, -1: 2] }), ("all", all),
    ]
  }()

  /// Single precision in the scores against double in the reference.
  static let tolerance = 2e-5

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"), arguments: cases.indices)
  func distributionsAreThoseOfThePlainChain(index: Int) throws {
    let settings = Self.cases[index].settings
    for row in Self.rows.prefix(10) {
      var plain = PlainChain(logits: row.map(Double.init), settings: settings)
      for (token, bias) in settings.logitBias where row.indices.contains(Int(token)) {
        plain.logits[Int(token)] += Double(bias)
      }
      plain.penalise(Self.history.map(Int.init))
      plain.discourage(Self.history.map(Int.init), breakers: [])
      let expected = plain.run(appliesXTC: settings.xtcProbability > 0 && settings.xtcThreshold <= 0.5)
      var sampler = Sampler(settings, history: Self.history)
      var logits = row
      let found = logits.withUnsafeMutableBufferPointer { sampler.distribution($0.baseAddress!, count: 128) }
      #expect(
        Set(found.map { Int($0.token) }) == Set(expected.filter { $0.value > 0 }.keys), "\(Self.cases[index].name)"
      )
      for (token, likelihood) in found { #expect(abs(likelihood - (expected[Int(token)] ?? 0)) < Self.tolerance) }
    }
  }

  @Test func dryStopsAtBreakers() throws {
    var settings = SamplingSettings.unfiltered
    settings.dry = DrySettings()
    for breakers in [[6], [5], [9], [4, 5]] as [[TokenID]] {
      var plain = PlainChain(logits: [Double](repeating: 0, count: 128), settings: settings)
      // Of several tokens in a row, the last stands for them here: the sequence ends behind it.
      plain.discourage(Self.history.map(Int.init), breakers: [Int(breakers.last ?? 0)])
      var logits = [Float](repeating: 0, count: 128)
      var sampler = Sampler(settings, history: Self.history, breakers: DryBreakers(sequences: [breakers]))
      _ = logits.withUnsafeMutableBufferPointer { sampler.distribution($0.baseAddress!, count: 128) }
      for (one, other) in zip(logits, plain.logits) where breakers.count == 1 {
        #expect(abs(Double(one) - other) < 1e-4)
      }
    }
  }

  /// Pearson's statistic stays below the point that chance passes once in ten thousand times (Wilson and Hilferty
  /// 1931).
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"), arguments: [0, 1, 2, 5, 9, 11, 15])
  func drawsFollowTheDistribution(index: Int) throws {
    var settings = Self.cases[index].settings
    settings.seed = 7
    let row = Self.rows[3]
    var sampler = Sampler(settings)
    var logits = row
    let expected = logits.withUnsafeMutableBufferPointer { sampler.distribution($0.baseAddress!, count: 128) }
    sampler = Sampler(settings)
    var counts: [TokenID: Int] = [:]
    let draws = 100_000
    for _ in 0..<draws {
      logits = row
      let token = logits.withUnsafeMutableBufferPointer { sampler.draw($0.baseAddress!, count: 128) }
      counts[try #require(token), default: 0] += 1
    }
    var (statistic, cells, rest) = (0.0, 0.0, (expected: 0.0, found: 0.0))
    for (token, likelihood) in expected {
      let (wanted, found) = (likelihood * Double(draws), Double(counts.removeValue(forKey: token) ?? 0))
      if wanted < 10 {
        rest = (rest.expected + wanted, rest.found + found)
      } else {
        statistic += (found - wanted) * (found - wanted) / wanted
        cells += 1
      }
    }
    if rest.expected > 5 {
      statistic += (rest.found - rest.expected) * (rest.found - rest.expected) / rest.expected
      cells += 1
    }
    #expect(counts.isEmpty, "nothing else is drawn")
    let freedom = max(1, cells - 1)
    let bound = freedom * pow(1 - 2 / (9 * freedom) + 3.72 * (2 / (9 * freedom)).squareRoot(), 3)
    #expect(cells < 2 || statistic < bound, "\(Self.cases[index].name): \(statistic) of \(bound)")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func xtcComesAsOftenAsAsked() throws {
    var settings = SamplingSettings.unfiltered
    (settings.xtcProbability, settings.xtcThreshold) = (0.3, 0.01)
    let row = Self.rows[5]
    let best = TokenID(row.indices.max { row[$0] < row[$1] } ?? 0)
    var sampler = Sampler(settings)
    var kept = 0
    for _ in 0..<20_000 {
      var logits = row
      let found = logits.withUnsafeMutableBufferPointer { sampler.distribution($0.baseAddress!, count: 128) }
      if found.contains(where: { $0.token == best }) { kept += 1 }
    }
    // Within five standard deviations of seven tenths.
    #expect(abs(Double(kept) / 20_000 - 0.7) < 5 * (0.21 / 20_000).squareRoot())
  }

  /// Mirostat 2 by its algorithm: what is cut off, and how the bound moves with each draw.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func mirostatFollowsItsAlgorithm() throws {
    var settings = SamplingSettings.unfiltered
    settings.mirostat = MirostatSettings()
    settings.mirostat?.tau = 3
    var sampler = Sampler(settings)
    var bound = 6.0
    var surprise = 0.0
    for row in Self.rows {
      let plain = PlainChain(logits: row.map(Double.init), settings: .unfiltered)
      var copy = plain
      let shares = copy.run(appliesXTC: false)
      let ranked = shares.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let kept = ranked.prefix { -log2($0.value) <= bound }
      let allowed = Set((kept.isEmpty ? ranked.prefix(1) : kept).map(\.key))
      var logits = row
      let token = logits.withUnsafeMutableBufferPointer { sampler.draw($0.baseAddress!, count: 128) }
      let drawn = Int(try #require(token))
      #expect(allowed.contains(drawn))
      let observed = -log2(shares[drawn]! / allowed.reduce(0) { $0 + shares[$1]! })
      bound -= 0.1 * (observed - 3)
      surprise += observed
    }
    #expect(abs(surprise / Double(Self.rows.count) - 3) < 1)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func seedsRepeat() {
    func draws(_ seed: UInt64, _ change: (inout SamplingSettings) -> Void) -> [TokenID?] {
      var settings = SamplingSettings.temperature(2, seed: seed)
      change(&settings)
      var sampler = Sampler(settings)
      return Self.rows.map { row in
        var logits = row
        return logits.withUnsafeMutableBufferPointer { sampler.draw($0.baseAddress!, count: 128) }
      }
    }
    for change in [{ _ in }, { $0.mirostat = MirostatSettings() }, { $0.xtcProbability = 0.5 }]
      as [(inout SamplingSettings) -> Void]
    {
      #expect(draws(1, change) == draws(1, change))
      #expect(draws(1, change) != draws(2, change))
    }
  }

  @Test(
    arguments: [
      [.nan, .nan, .nan], [-.infinity, -.infinity], [.infinity, 1, .nan, .infinity],
      [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0],
      [0], [.nan, 2, -.infinity], [1e38, 1e38, 1e38], [-0.0, 0.0], [.leastNonzeroMagnitude, -1e38],
    ] as [[Float]])
  func hostileScoresGiveATokenOrNone(row: [Float]) {
    let possible = Set(row.indices.filter { row[$0] > -.infinity })
    for (name, settings) in Self.cases where !name.contains("bias") {
      var mirostat = settings
      mirostat.mirostat = MirostatSettings()
      for settings in [settings, mirostat] {
        var sampler = Sampler(settings, history: [0, 1, 0, 1, 0])
        for _ in 0..<20 {
          var logits = row
          let token = logits.withUnsafeMutableBufferPointer { sampler.draw($0.baseAddress!, count: row.count) }
          if let token {
            #expect(possible.contains(Int(token)), "\(name)")
          } else {
            #expect(possible.isEmpty, "\(name) of \(row)")
          }
        }
        var masked = row
        let none = masked.withUnsafeMutableBufferPointer {
          sampler.draw($0.baseAddress!, count: row.count, mask: TokenMask(count: row.count))
        }
        #expect(none == nil)
      }
    }
  }

  /// Selecting from many candidates is the same as sorting them all.
  @Test func largeVocabulariesAreCutExactly() {
    var random = SeededGenerator(seed: 3)
    let row = (0..<50_000).map { _ in Float(Int.random(in: -3000...3000, using: &random)) / 100 }
    for change in [
      { $0.topK = 300 }, { $0.topP = 0.999 }, { $0.minP = 0.001 }, { ($0.topK, $0.topP) = (5000, 0.5) },
    ]
      as [(inout SamplingSettings) -> Void]
    {
      var settings = SamplingSettings.unfiltered
      change(&settings)
      var plain = PlainChain(logits: row.map(Double.init), settings: settings)
      let expected = plain.run(appliesXTC: false)
      var sampler = Sampler(settings)
      var logits = row
      let found = logits.withUnsafeMutableBufferPointer { sampler.distribution($0.baseAddress!, count: row.count) }
      #expect(Set(found.map { Int($0.token) }) == Set(expected.filter { $0.value > 0 }.keys))
    }
  }
}
