import Tokenization

/// Drafts tokens for speculative decoding, as many as pay.
struct Drafter {
  private var history: [TokenID]
  private let model: DraftModel?
  private var index: SequenceIndex
  /// Acceptance of draft tokens that follow a sequence of each of ``SequenceIndex/lengths``, and last of the model's.
  private var records = [12, 6, 3, 1, 0.3, 6].map { Record(accepted: $0) }
  /// Index of the record of the last draft.
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

  /// Notes the number of draft tokens that the model accepted.
  mutating func learn(drafted: Int, accepted: Int) {
    guard drafted > 0 else { return }
    records[source].note(accepted: accepted, of: drafted)
  }

  /// Drafts at most `limit` tokens that may follow the history.
  /// - Parameter cost: cost of batches; the time of a draft model is noted there.
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
    let draft = try model.propose(after: history, count: count, sampler)
    cost.noteDraft(clock.now - start, count: draft.count)
    return draft
  }
}

/// Acceptance rate of draft tokens of one kind, the last ones weighing most.
private struct Record {
  var accepted: Double
  var rejected = 1.0

  /// Weight of each draft against the one after it.
  private static let memory = 0.9
  /// Factor of the rejected count each time nothing is drafted, so that drafting is tried again in time.
  private static let forgetting = 0.98

  /// Notes a draft, of whose tokens the first `accepted` were accepted.
  mutating func note(accepted: Int, of drafted: Int) {
    self.accepted = self.accepted * Self.memory + Double(accepted)
    rejected = rejected * Self.memory + (accepted < drafted ? 1 : 0)
  }

  /// Returns the number of draft tokens that gives the most tokens for the time of their batch; 0 where none pays.
  /// - Parameter cost: returns the cost of a batch with this number of tokens.
  mutating func reach(upTo limit: Int, cost: (Int) -> Double) -> Int {
    let chance = accepted / (accepted + rejected)
    var (best, most) = (0, 1.0)
    var (allAccepted, tokens) = (1.0, 1.0)
    for count in 0..<max(0, limit) {
      allAccepted *= chance
      tokens += allAccepted
      let gain = tokens / cost(count + 2)
      if gain > most { (best, most) = (count + 1, gain) }
    }
    if best == 0 { rejected *= Self.forgetting }
    return best
  }
}

/// Index of earlier places of token sequences: "prompt lookup" decoding (Saxena 2023).
struct SequenceIndex {
  /// Index of the token after a sequence's latest place, by the sequence's hash.
  private var places: [[UInt64: Int32]]
  private var recent: [TokenID] = []
  private var count = 0

  /// Lengths of the sequences looked for, longest first: the longer, the surer.
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
