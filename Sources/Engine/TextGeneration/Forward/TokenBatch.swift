import Tokenization

/// The tokens of one evaluation and where they stand.
///
/// A batch goes on with one text, or holds several whole texts that do not see each other.
struct TokenBatch {
  /// The token at each place of the batch.
  let tokens: [Int]
  /// Each token's position in its text.
  let positions: [Int]
  /// Each token's place in the cache.
  let slots: [Int]
  /// KV cache positions that each token sees, in layers without and with a sliding window.
  let visible: [Range<Int>]
  let windowVisible: [Range<Int>]
  /// The tokens of each text.
  let texts: [Range<Int>]

  var count: Int { tokens.count }
  /// Indicates whether these are short texts, which are evaluated more precisely; others are never in a batch with
  /// them.
  var isShort: Bool { texts.allSatisfy { Self.isShort($0.count) } }

  /// Makes an empty batch.
  init() {
    (tokens, positions, slots, visible, windowVisible, texts) = ([], [], [], [], [], [])
  }

  /// Tokens after those of a text that the cache holds.
  init(_ tokens: ArraySlice<TokenID>, after length: Int, _ configuration: ModelConfiguration) {
    self.init([(tokens, length, 0)], configuration)
  }

  /// Whole texts. Each begins on a block of the cache, so that it is computed as if it were alone.
  init(_ texts: [[TokenID]], _ configuration: ModelConfiguration) {
    var slot = 0
    var parts: [(ArraySlice<TokenID>, Int, Int)] = []
    for text in texts {
      parts.append((text[...], 0, slot))
      slot += Self.slotCount(of: text.count)
    }
    self.init(parts, configuration)
  }

  /// Indicates whether a text with this number of tokens is a short one.
  static func isShort(_ tokenCount: Int) -> Bool { tokenCount <= 32 }

  /// The places of the cache that a whole text takes.
  static func slotCount(of tokenCount: Int) -> Int { (tokenCount + 63) / 64 * 64 }

  private init(
    _ parts: [(tokens: ArraySlice<TokenID>, start: Int, slot: Int)], _ configuration: ModelConfiguration
  ) {
    tokens = parts.flatMap { $0.tokens.lazy.map(Int.init) }
    positions = parts.flatMap { $0.start..<$0.start + $0.tokens.count }
    slots = parts.flatMap { part in (part.start..<part.start + part.tokens.count).lazy.map { $0 + part.slot } }
    var first = 0
    texts = parts.map { part in
      defer { first += part.tokens.count }
      return first..<first + part.tokens.count
    }
    visible = parts.flatMap { part in
      let end = part.start + part.tokens.count
      return (part.start..<end).lazy.map { position in
        part.slot..<part.slot + (configuration.isCausal ? position + 1 : end)
      }
    }
    let size = configuration.windowSize
    guard size > 0 else {
      windowVisible = []
      return
    }
    windowVisible = parts.flatMap { part in
      let end = part.start + part.tokens.count
      return (part.start..<end).lazy.map { position in
        // Looking both ways, the window's halves lie before and after.
        let back = configuration.isCausal ? size - 1 : size / 2
        let ahead = configuration.isCausal ? position + 1 : min(end, position + size / 2 + 1)
        return part.slot + max(0, position - back)..<part.slot + ahead
      }
    }
  }
}
