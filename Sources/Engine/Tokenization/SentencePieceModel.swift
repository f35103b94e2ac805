/// SentencePiece's byte-pair encoding: merges whatever makes the token of the best score, spelling the rest in bytes.
struct SentencePieceModel: Sendable {
  private let byteTokens: [TokenID?]

  init(_ vocabulary: Vocabulary) {
    byteTokens = (0...UInt8.max).map { byte in
      (vocabulary.byteToken(byte) ?? vocabulary.token(CollectionOfOne(byte))).map { TokenID($0) }
    }
  }

  /// - Parameters:
  ///   - text: with spaces written as U+2581.
  ///   - isOrdinary: whether a token may come out of text.
  func encode(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: Vocabulary, unknown: TokenID?, isOrdinary: (Int) -> Bool,
    into ids: inout [TokenID]
  ) {
    var chain = SymbolChain()
    var queue = MergeQueue()
    var position = 0
    while position < text.count {
      let length = min(UTF8Coding.length(announcedBy: text[position]), text.count - position)
      chain.append(start: position, length: length)
      position += length
    }
    chain.close()

    func token(_ start: Int, _ length: Int) -> Int? {
      guard length <= vocabulary.longest,
        let token = vocabulary.token(UnsafeBufferPointer(rebasing: text[start..<start + length])),
        isOrdinary(token)
      else { return nil }
      return token
    }
    func enqueue(_ left: Int, _ right: Int) {
      guard left >= 0, right >= 0 else { return }
      let length = chain.lengths[left] + chain.lengths[right]
      guard let token = token(chain.starts[left], length) else { return }
      queue.push(
        MergeQueue.Entry(
          key: Self.descending(vocabulary.score(of: token)) << 32 | UInt64(UInt32(truncatingIfNeeded: left)),
          proof: UInt64(length)))
    }
    for right in chain.starts.indices.dropFirst() { enqueue(right - 1, right) }
    while let entry = queue.pop() {
      let left = Int(entry.key & 0xFFFF_FFFF)
      let right = chain.next[left]
      guard chain.lengths[left] > 0, right >= 0, chain.lengths[left] + chain.lengths[right] == Int(entry.proof)
      else { continue }
      chain.merge(left, right)
      enqueue(chain.previous[left], left)
      enqueue(left, chain.next[left])
    }
    for symbol in chain.starts.indices where chain.lengths[symbol] > 0 {
      let (start, length) = (chain.starts[symbol], chain.lengths[symbol])
      if let token = token(start, length) {
        ids.append(TokenID(token))
      } else {
        for byte in text[start..<start + length] {
          if let id = byteTokens[Int(byte)] ?? unknown { ids.append(id) }
        }
      }
    }
  }

  /// A number that grows as the score falls.
  private static func descending(_ score: Float) -> UInt64 {
    let bits = score.bitPattern
    return UInt64(~(bits >> 31 != 0 ? ~bits : bits | 0x8000_0000))
  }
}
