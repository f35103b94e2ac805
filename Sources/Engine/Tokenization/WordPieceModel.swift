/// WordPiece (Devlin et al. 2019): words of a normalised text, each spelled with the longest pieces from its start.
struct WordPieceModel: Sendable {
  private var trie = ByteTrie()
  private let lowercases: Bool
  private let stripsAccents: Bool

  init(_ vocabulary: Vocabulary, lowercases: Bool, stripsAccents: Bool) {
    self.lowercases = lowercases
    self.stripsAccents = stripsAccents
    for token in (0..<vocabulary.count).reversed() {
      trie.insert(vocabulary.bytes(of: token), value: Int32(token))
    }
  }

  func encode(
    _ text: UnsafeBufferPointer<UInt8>, unknown: TokenID?, isOrdinary: (Int) -> Bool, into ids: inout [TokenID]
  ) {
    for word in words(of: text) {
      let first = ids.count
      // Pieces that begin a word are written with U+2581 before them.
      let spelled = [0xE2, 0x96, 0x81] + word
      var position = 0
      while position < spelled.count {
        var node = ByteTrie.root
        var (longest, end): (Int32?, Int) = (nil, position)
        var next = position
        while next < spelled.count, let child = trie.step(from: node, by: spelled[next]) {
          node = child
          next += 1
          if let token = trie.value(at: node), isOrdinary(Int(token)) { (longest, end) = (token, next) }
        }
        guard let longest else {
          ids.removeSubrange(first...)
          break
        }
        ids.append(longest)
        position = end
      }
      if ids.count == first, let unknown { ids.append(unknown) }
    }
  }

  private func words(of text: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    func finish() {
      if !word.isEmpty { words.append(word) }
      word.removeAll(keepingCapacity: true)
    }
    var position = 0
    while position < text.count {
      var (scalar, length) = UTF8Coding.decode(text, at: position)
      position += length
      if stripsAccents { scalar = UnicodeClasses.baseOfDecomposition(scalar) }
      let scalarClass = UnicodeClasses.scalarClass(of: scalar)
      switch scalarClass {
      case .whitespace: finish()
      case .control: continue
      case .mark where stripsAccents: continue
      default:
        if scalar == 0xFFFD { continue }
        let isAlone =
          scalarClass == .punctuation || scalar < 0x7F && scalarClass == .symbol || Self.isIdeograph(scalar)
        if isAlone { finish() }
        UTF8Coding.append(lowercases ? UnicodeClasses.lowercased(scalar) : scalar, to: &word)
        if isAlone { finish() }
      }
    }
    finish()
    return words
  }

  /// The ranges of the reference, with its slip of 0x2B920 for 0x2B820.
  private static func isIdeograph(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
      0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }
}
