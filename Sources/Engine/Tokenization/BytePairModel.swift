/// Byte-pair encoding: words, and inside them the merges in their order.
struct BytePairModel: Sendable {
  private let preTokenizer: PreTokenizer
  private let traits: PreTokenizer.Traits
  private let merges: MergeTable
  /// The piece of each byte in the byte alphabet, or -1.
  private let bytePieces: [Int32]

  init(
    _ definition: TokenizerDefinition, traits: PreTokenizer.Traits, vocabulary: inout Vocabulary
  ) throws(TokenizationError) {
    guard definition.hasMerges || !definition.merges.isEmpty || definition.preTokenizer == "kimi-k2" else {
      throw .mergesMissing
    }
    self.traits = traits
    preTokenizer = PreTokenizer(traits.family)
    merges = try MergeTable(definition.merges, table: &vocabulary.table)
    bytePieces = ByteAlphabet.texts.map { text in
      text.withUnsafeBufferPointer { Int32(vocabulary.table.find($0) ?? -1) }
    }
  }

  /// Memory kept while one text is encoded: buffers to reuse and the words seen.
  struct Workspace {
    var chain = SymbolChain()
    var pieces: [Int32] = []
    var queue = MergeQueue()
    var scratch: [UInt8] = []
    var words = WordCache()
  }

  /// - Parameter isOrdinary: whether a token may come out of text.
  func encode(
    _ text: UnsafeBufferPointer<UInt8>, vocabulary: Vocabulary, workspace: inout Workspace,
    isOrdinary: (Int) -> Bool, into ids: inout [TokenID]
  ) {
    var start = 0
    for end in preTokenizer.wordEnds(text) {
      let word = UnsafeBufferPointer(rebasing: text[start..<end])
      start = end
      let cached = workspace.words.find(word)
      if let cached {
        ids.append(contentsOf: workspace.words.ids[cached])
        continue
      }
      let first = ids.count
      encode(word: word, vocabulary: vocabulary, workspace: &workspace, isOrdinary: isOrdinary, into: &ids)
      workspace.words.insert(word, ids[first...])
    }
  }

  private func encode(
    word: UnsafeBufferPointer<UInt8>, vocabulary: Vocabulary, workspace: inout Workspace,
    isOrdinary: (Int) -> Bool, into ids: inout [TokenID]
  ) {
    guard !word.isEmpty else { return }
    if traits.ignoresMerges || traits.keepsLineFeeds && !word.contains(where: { $0 != 0x0A }) {
      if let token = wholeToken(word, vocabulary: vocabulary, scratch: &workspace.scratch), isOrdinary(token) {
        ids.append(TokenID(token))
        return
      }
    }
    workspace.chain.removeAll()
    workspace.pieces.removeAll(keepingCapacity: true)
    workspace.queue.removeAll()
    var position = 0
    while position < word.count {
      if traits.isRawUTF8 {
        let length = min(UTF8Coding.length(announcedBy: word[position]), word.count - position)
        let symbol = UnsafeBufferPointer(rebasing: word[position..<position + length])
        workspace.pieces.append(Int32(vocabulary.table.find(symbol) ?? -1))
        workspace.chain.append(start: position, length: length)
        position += length
      } else {
        workspace.pieces.append(bytePieces[Int(word[position])])
        workspace.chain.append(start: position, length: 1)
        position += 1
      }
    }
    workspace.chain.close()
    merge(&workspace)
    for symbol in workspace.chain.starts.indices where workspace.chain.lengths[symbol] > 0 {
      let piece = Int(workspace.pieces[symbol])
      if piece >= 0, piece < vocabulary.count, isOrdinary(piece) {
        ids.append(TokenID(piece))
      } else {
        let start = workspace.chain.starts[symbol]
        spell(word[start..<start + workspace.chain.lengths[symbol]], vocabulary: vocabulary, into: &ids)
      }
    }
  }

  private func merge(_ workspace: inout Workspace) {
    func queue(_ left: Int, _ right: Int) {
      guard left >= 0, right >= 0 else { return }
      let (first, second) = (workspace.pieces[left], workspace.pieces[right])
      guard let merge = merges.find(first, second) else { return }
      workspace.queue.push(
        MergeQueue.Entry(
          key: UInt64(merge.rank) << 32 | UInt64(UInt32(truncatingIfNeeded: left)),
          proof: MergeTable.key(first, second)))
    }
    for right in workspace.pieces.indices.dropFirst() { queue(right - 1, right) }
    while let entry = workspace.queue.pop() {
      let left = Int(entry.key & 0xFFFF_FFFF)
      let right = workspace.chain.next[left]
      guard workspace.chain.lengths[left] > 0, right >= 0,
        MergeTable.key(workspace.pieces[left], workspace.pieces[right]) == entry.proof,
        let merge = merges.find(workspace.pieces[left], workspace.pieces[right])
      else { continue }
      workspace.chain.merge(left, right)
      workspace.pieces[left] = merge.piece
      queue(workspace.chain.previous[left], left)
      queue(left, workspace.chain.next[left])
    }
  }

  private func wholeToken(
    _ word: UnsafeBufferPointer<UInt8>, vocabulary: Vocabulary, scratch: inout [UInt8]
  ) -> Int? {
    if traits.isRawUTF8 { return vocabulary.token(word) }
    guard word.count <= vocabulary.longest else { return nil }
    scratch.removeAll(keepingCapacity: true)
    for byte in word { scratch.append(contentsOf: ByteAlphabet.texts[Int(byte)]) }
    return scratch.withUnsafeBufferPointer { vocabulary.token($0) }
  }

  /// Writes what is no token byte by byte, as far as there are tokens for bytes.
  private func spell(_ text: Slice<UnsafeBufferPointer<UInt8>>, vocabulary: Vocabulary, into ids: inout [TokenID])
  {
    for byte in text {
      if traits.isRawUTF8 {
        if let token = vocabulary.byteToken(byte) { ids.append(TokenID(token)) }
      } else {
        for part in ByteAlphabet.texts[Int(byte)] {
          if let token = vocabulary.token(CollectionOfOne(part)) { ids.append(TokenID(token)) }
        }
      }
    }
  }
}

/// The alphabet in which byte-level vocabularies write bytes: a visible character for each
/// (Radford et al. 2019, `bytes_to_unicode`).
enum ByteAlphabet {
  /// The scalar of each byte.
  static let scalars: [UInt32] = {
    var (scalars, next): ([UInt32], UInt32) = ([], 0x100)
    for byte in UInt32(0)..<256 {
      if (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || (0xAE...0xFF).contains(byte) {
        scalars.append(byte)
      } else {
        scalars.append(next)
        next += 1
      }
    }
    return scalars
  }()

  /// The UTF-8 of each byte's character.
  static let texts: [[UInt8]] = scalars.map { scalar in
    var text: [UInt8] = []
    UTF8Coding.append(scalar, to: &text)
    return text
  }

  /// The byte of each scalar up to U+0143.
  private static let bytes: [UInt32: UInt8] = Dictionary(
    uniqueKeysWithValues: scalars.enumerated().map { ($1, UInt8($0)) })

  static func byte(of scalar: UInt32) -> UInt8? { bytes[scalar] }
}
