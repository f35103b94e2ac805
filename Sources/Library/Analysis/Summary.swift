import Documents

extension Analyst {
  /// Summarises a document by its most central sentences, spread over the text, in document order.
  /// - Parameters:
  ///   - passages: those of a document in their order.
  ///   - sentences: number of sentences to quote.
  package func summary(of passages: [Evidence], sentences count: Int) -> RuleBasedAnswer {
    let summary = Summary(of: passages, count: count)
    guard !summary.chosen.isEmpty else {
      return RuleBasedAnswer(parts: [.text(phrases[.noPassages])], refusal: .noPassages, confidence: 0)
    }
    var parts: [RuleBasedAnswer.Part] = []
    for sentence in summary.chosen {
      if !parts.isEmpty { parts.append(.text(" ")) }
      parts.append(.quote(RuleBasedAnswer.Quote(evidence: sentence.evidence, range: sentence.range)))
    }
    if summary.readCount < summary.sentenceCount {
      let values = ["read": String(summary.readCount), "total": String(summary.sentenceCount)]
      parts.append(.text("\n" + phrases[.sampled, values]))
    }
    return RuleBasedAnswer(parts: parts, confidence: 1, nearest: [])
  }
}

/// Selection of sentences for a summary: LexRank (Erkan and Radev, "LexRank: graph-based lexical centrality as
/// salience in text summarization", JAIR 2004) over stems weighted by rarity, then maximal marginal relevance, spread
/// over sections.
struct Summary {
  struct Sentence {
    let evidence: Int
    let range: Range<Int>
    let section: [String]
    let stems: [String: Double]
    /// Index among all sentences.
    let place: Int
    var isOpening: Bool
  }

  /// Chosen sentences, in order.
  let chosen: [Sentence]
  /// Number of sentences compared, and in all.
  let readCount: Int
  let sentenceCount: Int

  /// Largest number of sentences; more are sampled evenly, since the comparison is quadratic.
  static let mostSentences = 600

  init(of evidence: [Evidence], count: Int) {
    var sentences = Self.sentences(of: evidence)
    sentenceCount = sentences.count
    if sentences.count > Self.mostSentences {
      let step = Double(sentences.count) / Double(Self.mostSentences)
      sentences = (0..<Self.mostSentences).map { sentences[Int(Double($0) * step)] }
    }
    readCount = sentences.count
    let weighted = Self.weigh(sentences)
    let ranks = Self.ranks(weighted)
    chosen = Self.choose(weighted, ranks, count: count)
  }

  /// Returns the sentences within limits of length, each text once (passages overlap).
  private static func sentences(of evidence: [Evidence]) -> [Sentence] {
    var sentences: [Sentence] = []
    var seen: Set<String> = []
    for (index, piece) in evidence.enumerated() where piece.passage.form != .code {
      let passage = ReadPassage(piece, index: index)
      for (place, unit) in passage.units.enumerated() {
        let tokens = passage.tokens[unit.tokens]
        var stems: [String: Double] = [:]
        for token in tokens where !token.isStopWord { stems[token.stem, default: 0] += 1 }
        guard tokens.count >= 5, stems.count >= 3, seen.insert(piece.passage.text.utf8Slice(unit.range)).inserted
        else {
          continue
        }
        sentences.append(
          Sentence(
            evidence: index, range: unit.range, section: piece.passage.headings, stems: stems,
            place: sentences.count,
            isOpening: place == 0 || unit.startsParagraph))
      }
    }
    if sentences.isEmpty {
      // A text of short lines only: every line is a sentence.
      for (index, piece) in evidence.enumerated() {
        for unit in ReadPassage(piece, index: index).units {
          sentences.append(
            Sentence(
              evidence: index, range: unit.range, section: piece.passage.headings, stems: [:],
              place: sentences.count,
              isOpening: true))
        }
      }
    }
    return sentences
  }

  /// Replaces counts by tf-idf weights of unit length.
  private static func weigh(_ sentences: [Sentence]) -> [Sentence] {
    var counts: [String: Int] = [:]
    for sentence in sentences { for stem in sentence.stems.keys { counts[stem, default: 0] += 1 } }
    return sentences.map { sentence in
      var stems = sentence.stems
      var square = 0.0
      // A fixed order makes floating-point sums the same every time.
      for stem in stems.keys.sorted() {
        let weight =
          (stems[stem] ?? 0) * Logarithm.natural(1 + Double(sentences.count) / Double(counts[stem] ?? 1))
        stems[stem] = weight
        square += weight * weight
      }
      let norm = square > 0 ? square.squareRoot() : 1
      return Sentence(
        evidence: sentence.evidence, range: sentence.range, section: sentence.section,
        stems: stems.mapValues { $0 / norm }, place: sentence.place, isOpening: sentence.isOpening)
    }
  }

  static func similarity(_ left: [String: Double], _ right: [String: Double]) -> Double {
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    var products: [Double] = []
    for (stem, weight) in short { if let other = long[stem] { products.append(weight * other) } }
    // Sorted, because a dictionary's order differs from run to run and floating-point addition is not associative.
    return products.sorted().reduce(0, +)
  }

  /// Returns the stationary distribution of a random walk from sentence to similar sentence.
  private static func ranks(_ sentences: [Sentence]) -> [Double] {
    let count = sentences.count
    guard count > 1 else { return [Double](repeating: 1, count: count) }
    var links: [[(place: Int, weight: Double)]] = Array(repeating: [], count: count)
    for left in 0..<count {
      for right in (left + 1)..<count {
        let value = similarity(sentences[left].stems, sentences[right].stems)
        guard value > 0.05 else { continue }
        links[left].append((right, value))
        links[right].append((left, value))
      }
    }
    let sums = links.map { $0.reduce(0) { $0 + $1.weight } }
    var ranks = [Double](repeating: 1 / Double(count), count: count)
    for _ in 0..<30 {
      var next = [Double](repeating: 0.15 / Double(count), count: count)
      for place in 0..<count where sums[place] > 0 {
        for link in links[place] { next[link.place] += 0.85 * ranks[place] * link.weight / sums[place] }
      }
      ranks = next
    }
    return ranks
  }

  /// Repeatedly takes the most central sentence, penalising repetition and sections already represented.
  private static func choose(_ sentences: [Sentence], _ ranks: [Double], count: Int) -> [Sentence] {
    let highest = max(ranks.max() ?? 1, 1e-12)
    var chosen: [Int] = []
    var sections: [[String]: Int] = [:]
    while chosen.count < min(count, sentences.count) {
      var best: (value: Double, place: Int)?
      for place in sentences.indices where !chosen.contains(place) {
        let sentence = sentences[place]
        let repetition = chosen.map { similarity(sentence.stems, sentences[$0].stems) }.max() ?? 0
        if repetition > 0.7 { continue }
        let spoken = Double(sections[sentence.section] ?? 0)
        var value = ranks[place] / highest - 0.6 * repetition - 0.15 * spoken
        if sentence.isOpening { value += 0.15 }
        if sentence.place == 0 { value += 0.1 }
        if sentence.stems.count > 30 { value -= 0.1 }
        if value > best?.value ?? -.infinity { best = (value, place) }
      }
      guard let best else { break }
      chosen.append(best.place)
      sections[sentences[best.place].section, default: 0] += 1
    }
    return chosen.sorted().map { sentences[$0] }
  }
}
