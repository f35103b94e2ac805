import Tokenization

/// Guesses what comes next, as far ahead as guessing pays.
struct Drafter {
  private var history: [TokenID]
  private let model: DraftModel?
  private var index: SequenceIndex
  /// How guesses fared that follow a sequence of each of ``SequenceIndex/lengths``, and last those of the model.
  private var records = [12, 6, 3, 1, 0.3, 6].map { Record(right: $0) }
  /// The record of the last guesses.
  private var source = 0

  init(_ prompt: [TokenID], model: DraftModel?) {
    history = prompt
    self.model = model
    index = SequenceIndex(prompt)
  }

  /// Notes a token that was said.
  mutating func accept(_ token: TokenID) {
    history.append(token)
    index.append(token)
  }

  /// Notes how many of the last guesses were right.
  mutating func learn(guessed: Int, right: Int) {
    guard guessed > 0 else { return }
    records[source].note(right: right, of: guessed)
  }

  /// What may follow the history, at most so many tokens.
  /// - Parameter cost: what batches cost; what a draft model's guesses take is noted there.
  mutating func propose(
    upTo limit: Int, _ sampler: Sampler, _ cost: inout BatchCost
  ) throws(TextGenerationError) -> [TokenID] {
    if let match = index.match(in: history) {
      source = match.lengthIndex
      let count = records[source].reach(upTo: limit) { cost($0) }
      if count > 0 { return SequenceIndex.continuation(of: history, from: match.place, count: count) }
    }
    guard let model else { return [] }
    source = SequenceIndex.lengths.count
    let count = records[source].reach(upTo: limit) { cost($0, isOfModel: true) }
    guard count > 0 else { return [] }
    let clock = ContinuousClock(), start = clock.now
    let guesses = try model.propose(after: history, count: count, sampler)
    cost.noteGuesses(clock.now - start, count: guesses.count)
    return guesses
  }
}

/// How often guesses of one kind were right, the last ones most.
private struct Record {
  var right: Double
  var wrong = 1.0

  /// Each batch of guesses counts so much less than the one after it.
  private static let memory = 0.9
  /// What a refusal to guess takes off the wrong ones, so that guessing is tried again in time.
  private static let forgetting = 0.98

  /// Notes a batch of guesses, of which the first `right` were right.
  mutating func note(right: Int, of guessed: Int) {
    self.right = self.right * Self.memory + Double(right)
    wrong = wrong * Self.memory + (right < guessed ? 1 : 0)
  }

  /// How many guesses give the most tokens for the time of their batch; 0 where a token alone is better.
  /// - Parameter cost: of a batch of so many tokens.
  mutating func reach(upTo limit: Int, cost: (Int) -> Double) -> Int {
    let chance = right / (right + wrong)
    var (best, most) = (0, 1.0)
    var (allRight, tokens) = (1.0, 1.0)
    for count in 0..<max(0, limit) {
      allRight *= chance
      tokens += allRight
      let gain = tokens / cost(count + 2)
      if gain > most { (best, most) = (count + 1, gain) }
    }
    if best == 0 { wrong *= Self.forgetting }
    return best
  }
}

/// Where sequences of tokens stood before: "prompt lookup" (Saxena 2023).
struct SequenceIndex {
  /// By a sequence's hash: where the token after its latest place stands.
  private var places: [[UInt64: Int32]]
  private var recent: [TokenID] = []
  private var count = 0

  /// How long the sequences are that are looked for, the longest first: the longer, the surer.
  static let lengths = [8, 5, 3, 2, 1]

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

  /// The longest sequence that the history ends with and had before: its length's index, and where the token after its
  /// latest place stands.
  func match(in history: [TokenID]) -> (lengthIndex: Int, place: Int)? {
    for (index, length) in Self.lengths.enumerated() where recent.count >= length {
      guard let place = places[index][Self.hash(recent.suffix(length))].map(Int.init),
        history[(place - length)..<place].elementsEqual(recent.suffix(length))
      else { continue }
      return (index, place)
    }
    return nil
  }

  /// The tokens from a place on; where that reaches the history's end, it goes on with itself.
  static func continuation(of history: [TokenID], from place: Int, count: Int) -> [TokenID] {
    var found: [TokenID] = []
    for next in place..<place + count {
      found.append(next < history.count ? history[next] : found[next - history.count])
    }
    return found
  }

  private static func hash(_ tokens: ArraySlice<TokenID>) -> UInt64 {
    tokens.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64(UInt32(bitPattern: $1))) &* 0x9E37_79B9_7F4A_7C15 }
  }
}
