import Grammars
import Tokenization

/// The tokens of a vocabulary by their bytes: a tree laid out in the order of a walk.
package struct VocabularyTrie: Sendable {
  let tree: ByteTree
  /// Index in ``tokens`` of each node's first token; one more than there are nodes.
  let tokenStarts: [Int32]
  let tokens: [TokenID]
  /// The tokens that end an answer.
  let ending: TokenMask
  /// The number of tokens, those included that no text becomes.
  let tokenCount: Int
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
    let tree = ByteTree(bytes: bytes, depths: depths, ends: ends)
    self.tree = tree
    (self.tokenStarts, self.tokens) = (tokenStarts, tokens)
    var counts = [Int](repeating: 0, count: tree.depth + 1)
    for reach in tree.reaches { counts[Int(reach)] += 1 }
    var beyond = tree.count
    usualLength =
      counts.indices.first { length in
        beyond -= counts[length]
        return length >= Self.leastLength && beyond * Self.shareBeyond <= tree.count
      } ?? tree.depth
  }

  private static let leastLength = 8
  private static let shareBeyond = 24
}
