import Compute
import Tokenization

/// Tokens whose positions a model's KV cache holds, and going back among them.
///
/// Attention goes back to any place: what comes later is overwritten. Recurrent layers go back only to places marked
/// before.
struct PrefixCache {
  let model: LanguageModel
  /// The tokens evaluated so far.
  private(set) var tokens: [TokenID] = []
  /// Snapshots of the recurrent layers at some lengths, shortest first.
  private(set) var marks: [Mark] = []

  struct Mark {
    var length: Int
    var state: [Float]
  }

  /// Number of positions that the KV cache stores as one group.
  static let group = 16

  /// Largest number of marks: the places a conversation goes back to, the shared prefix and the last few turns.
  private static let markLimit = 6

  init(_ model: LanguageModel) { self.model = model }

  /// Indicates whether some layers remember in a way that only goes forward.
  var isRecurrent: Bool { !model.transformer.state.isEmpty }

  mutating func reset() {
    model.reset()
    tokens = []
    marks = []
  }

  /// Returns the number of first tokens a prompt shares with the cache, its last one left out: that is evaluated for
  /// its scores.
  func commonPrefix(with prompt: [TokenID]) -> Int {
    let limit = min(tokens.count, prompt.count - 1)
    return (0..<max(0, limit)).first { tokens[$0] != prompt[$0] } ?? max(0, limit)
  }

  /// Cuts the cache back to what it shares with a prompt and returns that length.
  mutating func keepCommonPrefix(with prompt: [TokenID]) -> Int {
    cut(to: commonPrefix(with: prompt))
    return model.length
  }

  /// Forgets what comes after a length, or after the nearest place before it that can be gone back to.
  mutating func cut(to length: Int) {
    if !model.transformer.truncate(to: length) {
      if let mark = marks.last(where: { $0.length <= length }) {
        model.transformer.restore(mark.state, length: mark.length)
      } else {
        model.reset()
      }
    }
    tokens.removeLast(tokens.count - model.length)
    marks.removeAll { $0.length > model.length }
  }

  /// Takes a snapshot of the recurrent layers.
  mutating func mark() {
    guard isRecurrent, marks.last?.length != model.length else { return }
    marks.append(Mark(length: model.length, state: model.transformer.state.snapshot()))
    // The first place is the most shared one.
    if marks.count > Self.markLimit { marks.remove(at: 1) }
  }

  /// Evaluates tokens, at most a batch of them.
  /// - Parameters:
  ///   - rows: number of last tokens whose logits are wanted.
  ///   - logits: `(rows, vocabulary)`, overwritten.
  mutating func evaluate(
    _ new: ArraySlice<TokenID>, rows: Int, into logits: MutableFloats, isStopped: () -> Bool = { false }
  ) throws(TextGenerationError) {
    do {
      try model.evaluate(Array(new), rows: rows, into: logits, isStopped: isStopped)
    } catch {
      // Recurrent layers may be further than the others: back to the last mark.
      if isRecurrent {
        let last = marks.last { $0.length <= tokens.count }
        if let last, last.length <= model.length {
          model.transformer.restore(last.state, length: last.length)
          tokens.removeLast(tokens.count - last.length)
        } else {
          reset()
        }
      }
      throw error
    }
    tokens += new
  }

  /// Adopts restored tokens and marks.
  mutating func adopt(_ tokens: [TokenID], marks: [Mark]) {
    self.tokens = tokens
    self.marks = marks
  }
}
