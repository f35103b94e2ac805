/// Unigram (Kudo 2018): the most probable way to spell the normalised text, found by Viterbi's method.
struct UnigramModel: Sendable {
  private var trie = ByteTrie()
  private let normalizer: UnigramNormalizer
  private let unknownScore: Double

  init(
    _ vocabulary: Vocabulary, normalizer: UnigramNormalizer
  ) {
    self.normalizer = normalizer
    var lowest = Float.greatestFiniteMagnitude
    for token in (0..<vocabulary.count).reversed() {
      let attributes = vocabulary.attributes[token]
      if attributes.contains(.normal) { lowest = min(lowest, vocabulary.score(of: token)) }
      if !attributes.isDisjoint(with: [.normal, .userDefined, .unused]) {
        trie.insert(vocabulary.bytes(of: token), value: Int32(token))
      }
    }
    unknownScore = Double(lowest - 10)
  }

  private struct Best {
    var token: Int32
    var start: Int
    var score: Double
  }

  func encode(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: Vocabulary, unknown: TokenID?, isOrdinary: (Int) -> Bool,
    into ids: inout [TokenID]
  ) {
    let normalized = normalizer.normalize(text)
    guard !normalized.isEmpty else { return }
    let unknownToken = unknown ?? -1
    var best = [Best](
      repeating: Best(token: unknownToken, start: 0, score: -.greatestFiniteMagnitude), count: normalized.count + 1
    )
    best[0].score = 0
    var position = 0
    while position < normalized.count {
      let length = min(UTF8Coding.length(announcedBy: normalized[position]), normalized.count - position)
      let score = best[position].score
      var node = ByteTrie.root
      var end = position
      var coversScalar = false
      while end < normalized.count, let next = trie.step(from: node, by: normalized[end]) {
        node = next
        end += 1
        guard let token = trie.value(at: node), isOrdinary(Int(token)) else { continue }
        if end - position == length { coversScalar = true }
        let isUserDefined = vocabulary.attributes[Int(token)].contains(.userDefined)
        let challenger = score + (isUserDefined ? 0 : Double(vocabulary.score(of: Int(token))))
        if challenger > best[end].score { best[end] = Best(token: token, start: position, score: challenger) }
      }
      if !coversScalar {
        let challenger = score + unknownScore
        let end = position + length
        if challenger > best[end].score {
          best[end] = Best(token: unknownToken, start: position, score: challenger)
        }
      }
      position += length
    }
    var reversed: [TokenID] = []
    var end = normalized.count
    var wasUnknown = false
    while end > 0 {
      let isUnknown = best[end].token == unknownToken
      if !(isUnknown && wasUnknown), best[end].token >= 0 { reversed.append(best[end].token) }
      wasUnknown = isUnknown
      end = best[end].start
    }
    ids.append(contentsOf: reversed.reversed())
  }
}
