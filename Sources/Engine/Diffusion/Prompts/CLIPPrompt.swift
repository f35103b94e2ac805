import Tokenization

/// Prompt as windows of tokens for a text encoder, each token with its weight.
struct CLIPPrompt {
  /// Windows of the encoder's length, with start and end tokens around and padding after them.
  private(set) var windows: [Window] = []

  struct Window: Equatable {
    var ids: [Int]
    var weights: [Float]
    /// Position of the first end-of-text token.
    var end: Int
  }

  /// Length of the longest prompt, in tokens without start and end.
  static let maximumTokenCount = 1500

  /// - Parameters:
  ///   - padding: token that fills a window after the end-of-text token.
  ///   - length: number of tokens of a window, with start and end.
  /// - Throws: ``DiffusionError/promptTooLong(tokens:limit:)``.
  init(_ prompt: PromptText, _ tokenizer: CLIPTokenizer, padding: TokenID, length: Int) throws(DiffusionError) {
    var tokens: [(id: Int, weight: Float)] = []
    for part in prompt.parts {
      tokens += tokenizer.encode(part.text).map { (Int($0), Float(part.weight)) }
      guard tokens.count <= Self.maximumTokenCount else {
        throw .promptTooLong(tokens: tokens.count, limit: Self.maximumTokenCount)
      }
    }
    let inner = max(1, length - 2)
    for start in stride(from: 0, to: max(1, tokens.count), by: inner) {
      let piece = tokens[min(start, tokens.count)..<min(start + inner, tokens.count)]
      let filler = length - piece.count - 2
      windows.append(
        Window(
          ids: [Int(tokenizer.startOfText)] + piece.map(\.id) + [Int(tokenizer.endOfText)]
            + [Int](repeating: Int(padding), count: filler),
          weights: [1] + piece.map(\.weight) + [Float](repeating: 1, count: filler + 1), end: piece.count + 1))
    }
  }

  /// Adds empty windows, so that two prompts have the same number.
  mutating func pad(to count: Int, with empty: CLIPPrompt) {
    while windows.count < count, let window = empty.windows.first { windows.append(window) }
  }
}

extension CLIPPrompt.Window {
  /// Weights the states of a window's tokens and restores their mean, as web interfaces do.
  func weigh(_ states: inout [Float], width: Int) {
    guard weights.contains(where: { $0 != 1 }) else { return }
    let before = states.reduce(0.0) { $0 + Double($1) }
    for (token, weight) in weights.enumerated() {
      for place in token * width..<(token + 1) * width { states[place] *= weight }
    }
    let after = states.reduce(0.0) { $0 + Double($1) }
    guard abs(after) > 1e-9, abs(before / after) < 100 else { return }
    let factor = Float(before / after)
    for place in states.indices { states[place] *= factor }
  }
}
