/// Finds the special tokens that a text spells out and cuts the text around them.
struct SpecialTokenMatcher: Sendable {
  /// Scope of the special tokens that may be found.
  enum Scope: Sendable {
    /// Every special token.
    case all
    /// Those that vocabularies define for ordinary text, as the reference does when it parses no special tokens.
    case userDefined
    /// Every special token, but structure only inside the given ranges.
    case trusted([Range<Int>])
  }

  /// A stretch of text between special tokens, or one of them.
  enum Fragment: Equatable {
    case text(Range<Int>)
    case token(TokenID)
  }

  private var trie = ByteTrie()
  private var firstBytes = [Bool](repeating: false, count: 256)
  /// Special tokens by number, longest first; a text is cut by the earlier before the later.
  private var order: [Int32: Int] = [:]
  private let lengths: [Int32: Int]
  private let attributes: [Int32: TokenAttributes]
  private let markup: Set<Int32>

  init(_ vocabulary: Vocabulary) {
    let special = (0..<vocabulary.count).filter {
      !vocabulary.attributes[$0].isDisjoint(with: [.control, .userDefined, .unknown])
    }
    var (lengths, attributes): ([Int32: Int], [Int32: TokenAttributes]) = ([:], [:])
    var markup: Set<Int32> = []
    for token in special.reversed() {
      let bytes = vocabulary.bytes(of: token)
      guard let first = bytes.first else { continue }
      trie.insert(bytes, value: Int32(token))
      firstBytes[Int(first)] = true
      lengths[Int32(token)] = bytes.count
      attributes[Int32(token)] = vocabulary.attributes[token]
      if vocabulary.isMarkup(token) { markup.insert(Int32(token)) }
    }
    for (rank, token) in lengths.keys.sorted(by: { (lengths[$1]!, $0) < (lengths[$0]!, $1) }).enumerated() {
      order[token] = rank
    }
    (self.lengths, self.attributes, self.markup) = (lengths, attributes, markup)
  }

  /// Cuts a text into fragments; together they cover it, but for spaces that a token takes along.
  func fragments(of text: UnsafeBufferPointer<UInt8>, scope: Scope) -> [Fragment] {
    guard !text.isEmpty else { return [] }
    let matches = matches(in: text, scope: scope)
    guard !matches.isEmpty else { return [.text(0..<text.count)] }
    var isTaken = [Bool](repeating: false, count: text.count)
    var tokens: [Int: Int32] = [:]
    for match in matches {
      let range = match.position..<match.position + match.length
      guard !isTaken[range].contains(true) else { continue }
      for position in range { isTaken[position] = true }
      tokens[range.lowerBound] = match.token
      let attributes = attributes[match.token] ?? []
      if attributes.contains(.stripsLeft) {
        var position = range.lowerBound
        while position > 0, !isTaken[position - 1], Self.isSpace(text[position - 1]) {
          position -= 1
          isTaken[position] = true
        }
      }
      if attributes.contains(.stripsRight) {
        var position = range.upperBound
        while position < text.count, !isTaken[position], Self.isSpace(text[position]) {
          isTaken[position] = true
          position += 1
        }
      }
    }
    var fragments: [Fragment] = []
    var position = 0
    while position < text.count {
      if let token = tokens[position] { fragments.append(.token(token)) }
      let start = position
      let taken = isTaken[start]
      position += 1
      while position < text.count, isTaken[position] == taken, tokens[position] == nil { position += 1 }
      if !taken { fragments.append(.text(start..<position)) }
    }
    return fragments
  }

  private struct Match {
    let position: Int
    let length: Int
    let token: Int32
  }

  /// All places of all tokens in the order in which they may claim them.
  private func matches(in text: UnsafeBufferPointer<UInt8>, scope: Scope) -> [Match] {
    guard !trie.isEmpty else { return [] }
    var matches: [(rank: Int, match: Match)] = []
    var trustedRange = 0
    for start in 0..<text.count where firstBytes[Int(text[start])] {
      var node = ByteTrie.root
      var position = start
      if case .trusted(let ranges) = scope {
        while trustedRange < ranges.count, ranges[trustedRange].upperBound <= start { trustedRange += 1 }
      }
      while position < text.count, let next = trie.step(from: node, by: text[position]) {
        node = next
        position += 1
        guard let token = trie.value(at: node) else { continue }
        switch scope {
        case .all: break
        case .userDefined:
          if !attributes[token, default: []].isDisjoint(with: [.control, .unknown]) { continue }
        case .trusted(let ranges):
          let isInside =
            trustedRange < ranges.count && ranges[trustedRange].lowerBound <= start
            && position <= ranges[trustedRange].upperBound
          if !isInside, markup.contains(token) { continue }
        }
        matches.append((order[token] ?? 0, Match(position: start, length: position - start, token: token)))
      }
    }
    return matches.sorted { ($0.rank, $0.match.position) < ($1.rank, $1.match.position) }.map(\.match)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
