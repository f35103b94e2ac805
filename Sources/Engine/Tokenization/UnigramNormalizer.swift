/// SentencePiece's normaliser: replaces prefixes by a compiled table, and writes spaces as U+2581.
struct UnigramNormalizer: Sendable {
  private let units: [UInt32]
  private let replacements: [UInt8]
  private let userDefined: ByteTrie
  private let addsSpacePrefix: Bool
  private let mergesSpaces: Bool

  /// - Parameter characterMap: `precompiled_charsmap`: the byte count of an XOR-compressed double array (Kanda 2018),
  ///   the array, and replacements that each end with a zero.
  init(
    characterMap: [UInt8], vocabulary: Vocabulary, addsSpacePrefix: Bool, mergesSpaces: Bool
  ) throws(TokenizationError) {
    self.addsSpacePrefix = addsSpacePrefix
    self.mergesSpaces = mergesSpaces
    var userDefined = ByteTrie()
    for token in 0..<vocabulary.count where vocabulary.attributes[token].contains(.userDefined) {
      userDefined.insert(vocabulary.bytes(of: token), value: Int32(token))
    }
    self.userDefined = userDefined
    guard !characterMap.isEmpty else {
      (units, replacements) = ([], [])
      return
    }
    func word(_ position: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(characterMap[position + $1]) << UInt32(8 * $1) }
    }
    guard characterMap.count > 4, Int(word(0)) + 4 < characterMap.count else {
      throw .damagedCharacterMap(byteCount: characterMap.count)
    }
    units = (0..<Int(word(0)) / 4).map { word(4 + 4 * $0) }
    replacements = Array(characterMap[(4 + Int(word(0)))...])
    guard replacements.last == 0 else { throw .damagedCharacterMap(byteCount: characterMap.count) }
  }

  private static let visibleSpace: [UInt8] = [0xE2, 0x96, 0x81]
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  func normalize(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var normalized: [UInt8] = []
    normalized.reserveCapacity(text.count * 2)
    var (hasPrefix, isInWord) = (false, false)
    func append(_ byte: UInt8) {
      if byte != 0x20 {
        if !isInWord {
          isInWord = true
          if addsSpacePrefix && !hasPrefix || mergesSpaces {
            normalized.append(contentsOf: Self.visibleSpace)
            hasPrefix = true
          }
        }
        normalized.append(byte)
      } else {
        isInWord = false
        if !mergesSpaces { normalized.append(contentsOf: Self.visibleSpace) }
      }
    }
    var position = 0
    while position < text.count {
      let userDefined = userDefinedPrefix(of: text, at: position)
      if userDefined > 0 {
        for byte in text[position..<position + userDefined] { append(byte) }
        position += userDefined
      } else if let match = longestReplacement(of: text, at: position) {
        for byte in replacements[match.replacement...].prefix(while: { $0 != 0 }) { append(byte) }
        position += match.length
      } else {
        let (scalar, length) = UTF8Coding.decode(text, at: position)
        let isDamaged = scalar == 0xFFFD && length == 1
        for byte in isDamaged ? Self.replacement[...] : Array(text[position..<position + length])[...] {
          append(byte)
        }
        position += length
      }
    }
    return normalized
  }

  /// Returns the number of bytes that begin a user-defined token, whole or not, as in the reference.
  private func userDefinedPrefix(of text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    var node = ByteTrie.root
    var position = start
    while position < text.count, let next = userDefined.step(from: node, by: text[position]) {
      node = next
      position += 1
    }
    return position - start
  }

  private func longestReplacement(
    of text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (length: Int, replacement: Int)? {
    guard !units.isEmpty else { return nil }
    func base(_ unit: UInt32) -> Int { Int((unit >> 10) << ((unit & 1 << 9) >> 6)) }
    var match: (length: Int, replacement: Int)?
    var node = base(units[0])
    var position = start
    while position < text.count, text[position] != 0 {
      let byte = text[position]
      node ^= Int(byte)
      guard node < units.count, units[node] & (1 << 31 | 0xFF) == UInt32(byte) else { break }
      let isLeaf = units[node] >> 8 & 1 != 0
      node ^= base(units[node])
      position += 1
      if isLeaf {
        guard node < units.count else { break }
        let replacement = Int(units[node] & 0x7FFF_FFFF)
        guard replacement < replacements.count else { break }
        match = (position - start, replacement)
      }
    }
    return match
  }
}
