import Tokenization

/// Guesses what comes next, and how far ahead guessing pays.
struct Drafter {
  private var history: [TokenID]
  private let model: DraftModel?
  private var index: SequenceIndex
  /// How many tokens are guessed at once: more while guesses are right, fewer when they are not.
  private var reach = 4
  /// How many tokens to wait before the next guess, after guesses that were all wrong.
  private var pause = 0
  private var misses = 0

  init(_ prompt: [TokenID], model: DraftModel?) {
    history = prompt
    self.model = model
    index = SequenceIndex(prompt)
  }

  /// Notes a token that was said.
  mutating func accept(_ token: TokenID) {
    history.append(token)
    index.append(token)
    if pause > 0 { pause -= 1 }
  }

  /// Notes how many of the last guesses were right.
  mutating func learn(guessed: Int, right: Int) {
    guard guessed > 0 else { return }
    if right == guessed {
      reach = min(GenerationSession.draftLimit, reach * 2)
    } else {
      reach = max(2, (reach + right + 1) / 2)
    }
    // A guess costs about what it can gain, so after some that gained nothing there is a wait.
    misses = right == 0 ? misses + 1 : 0
    if misses > 1 { pause = min(32, 2 << misses) }
  }

  /// What may follow the history, at most so many tokens.
  mutating func propose(upTo limit: Int, _ sampler: Sampler) throws(TextGenerationError) -> [TokenID] {
    guard pause == 0, limit > 0 else { return [] }
    let wanted = min(limit, reach)
    let found = index.continuation(of: history, count: wanted)
    if !found.isEmpty { return found }
    return try model?.propose(after: history, count: wanted, sampler) ?? []
  }
}

/// Where sequences of tokens stood before: "prompt lookup" (Saxena 2023).
struct SequenceIndex {
  /// By a sequence's hash: where the token after its latest place stands.
  private var places: [[UInt64: Int32]]
  private var recent: [TokenID] = []
  private var count = 0

  /// How long the sequences are that are looked for, the longest first: the longer, the surer.
  private static let lengths = [8, 5, 3]

  init(_ history: [TokenID]) {
    places = Self.lengths.map { _ in [:] }
    for index in places.indices { places[index].reserveCapacity(history.count) }
    for token in history { append(token) }
  }

  /// Adds a token, which is what followed the sequences before it.
  mutating func append(_ token: TokenID) {
    for (index, length) in Self.lengths.enumerated() where recent.count >= length {
      places[index][Self.hash(recent.suffix(length))] = Int32(count)
    }
    recent.append(token)
    if recent.count > Self.lengths[0] { recent.removeFirst() }
    count += 1
  }

  /// What followed the longest sequence that the history ends with; where that reaches the history's end, it goes on with
  /// itself.
  func continuation(of history: [TokenID], count wanted: Int) -> [TokenID] {
    for (index, length) in Self.lengths.enumerated() where recent.count >= length {
      guard let place = places[index][Self.hash(recent.suffix(length))].map(Int.init),
        history[(place - length)..<place].elementsEqual(recent.suffix(length))
      else { continue }
      var found: [TokenID] = []
      for offset in 0..<wanted {
        let next = place + offset
        found.append(next < history.count ? history[next] : found[next - history.count])
      }
      return found
    }
    return []
  }

  private static func hash(_ tokens: ArraySlice<TokenID>) -> UInt64 {
    tokens.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64(UInt32(bitPattern: $1))) &* 0x9E37_79B9_7F4A_7C15 }
  }
}
