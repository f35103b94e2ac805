import Tokenization

/// The tokens of a vocabulary by their bytes: a tree laid out in the order of a walk.
package struct VocabularyTrie: Sendable {
  /// Byte that leads to each node, its depth (1 at the top), and the node after all that follow from it.
  let bytes: [UInt8]
  let depths: [Int32]
  let ends: [Int32]
  /// Index in ``tokens`` of each node's first token; one more than there are nodes.
  let tokenStarts: [Int32]
  let tokens: [TokenID]
  /// The tokens that end an answer.
  let ending: TokenMask
  /// The number of tokens, those included that no text becomes.
  let tokenCount: Int
  /// The depth of the deepest node.
  let depth: Int
  /// Depth of the deepest node below each node.
  let reaches: [Int32]
  /// Length in bytes that few tokens exceed, so that walks over those that do are cheap.
  let usualLength: Int

  /// Takes the tokens that stand for text; control tokens and those that end an answer do not.
  package init(_ tokenizer: Tokenizer) {
    var pieces: [UInt8] = []
    var ranges: [(token: TokenID, start: Int, end: Int)] = []
    var ending = TokenMask(count: tokenizer.count)
    for token in 0..<TokenID(tokenizer.count) {
      if tokenizer.endsGeneration(token) {
        ending.insert(token)
        continue
      }
      let piece = tokenizer.piece(of: token)
      guard !piece.isEmpty else { continue }
      ranges.append((token, pieces.count, pieces.count + piece.count))
      pieces.append(contentsOf: piece)
    }
    self.ending = ending
    tokenCount = tokenizer.count
    pieces.withUnsafeBufferPointer { pieces in
      ranges.sort { one, other in
        let (first, second) = (pieces[one.start..<one.end], pieces[other.start..<other.end])
        let (length, otherLength) = (first.count, second.count)
        for index in 0..<min(length, otherLength) where pieces[one.start + index] != pieces[other.start + index] {
          return pieces[one.start + index] < pieces[other.start + index]
        }
        return (length, one.token) < (otherLength, other.token)
      }
    }
    var (bytes, depths, ends, tokenStarts, tokens) = ([UInt8](), [Int32](), [Int32](), [Int32](), [TokenID]())
    var path: [Int] = []
    func close(to depth: Int) {
      while path.count > depth { ends[path.removeLast()] = Int32(bytes.count) }
    }
    var before: ArraySlice<UInt8> = []
    for range in ranges {
      let piece = pieces[range.start..<range.end]
      let common = zip(before, piece).prefix { $0 == $1 }.count
      close(to: common)
      for (index, byte) in piece.enumerated().dropFirst(common) {
        path.append(bytes.count)
        bytes.append(byte)
        depths.append(Int32(index + 1))
        ends.append(0)
        tokenStarts.append(Int32(tokens.count))
      }
      tokens.append(range.token)
      before = piece
    }
    close(to: 0)
    tokenStarts.append(Int32(tokens.count))
    (self.bytes, self.depths, self.ends, self.tokenStarts, self.tokens) = (
      bytes, depths, ends, tokenStarts, tokens
    )
    depth = Int(depths.max() ?? 0)
    var reaches = depths
    // Behind each node come those below it, so that from the end on each finds them done.
    for node in reaches.indices.reversed() {
      var child = node + 1
      while child < Int(ends[node]) {
        reaches[node] = max(reaches[node], reaches[child])
        child = Int(ends[child])
      }
    }
    self.reaches = reaches
    var counts = [Int](repeating: 0, count: depth + 1)
    for reach in reaches { counts[Int(reach)] += 1 }
    var beyond = reaches.count
    usualLength =
      counts.indices.first { length in
        beyond -= counts[length]
        return length >= Self.leastLength && beyond * Self.shareBeyond <= reaches.count
      } ?? depth
  }

  private static let leastLength = 8
  private static let shareBeyond = 24

  /// Number of nodes.
  var count: Int { bytes.count }
}
