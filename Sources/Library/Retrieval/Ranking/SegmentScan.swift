/// Scores the passages of one segment that can be among the best: MaxScore with block maxima, window by window.
///
/// In each window the terms that together cannot exceed the threshold are only looked up in passages that hold one of
/// the others (Turtle and Flood 1995; with block maxima, Ding and Suel, SIGIR 2011). A window in which all terms
/// together cannot exceed it is skipped. Scores are added in the order of the terms, so that they do not depend on
/// what was skipped.
struct SegmentScan {
  /// Term with its posting lists in this segment, one for each form.
  struct Term {
    var weight: Float
    var cursors: [PostingsCursor]
  }

  static let windowLength = 2_048
  /// Margin of the bounds: they are summed in another order than scores and may round differently.
  static let slack: Float = 1.000_1

  let segment: KeywordSegment
  let lengths: UnsafeBufferPointer<UInt32>
  let terms: [Term]
  let filter: PassageBits?
  let scorer: FieldScorer
  /// Indicates whether passages that cannot be among the best are skipped; false only to test that this makes no
  /// difference.
  let prunes: Bool
  private let correction: BoundCorrection
  /// Frequencies by term and passage of the window.
  private let counts: UnsafeMutableBufferPointer<UInt32>

  /// Scans a segment for passages better than those found.
  static func run(
    _ segment: KeywordSegment, terms: [Term], filter: PassageBits?, scorer: FieldScorer, prunes: Bool,
    into best: inout TopPassages
  ) throws(SegmentError) {
    guard !terms.isEmpty else { return }
    let counts = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: terms.count * windowLength)
    defer { counts.deallocate() }
    let scan = SegmentScan(
      segment: segment, lengths: try segment.lengths(), terms: terms, filter: filter, scorer: scorer,
      prunes: prunes,
      correction: BoundCorrection(segment: segment.meta.means, search: scorer.means, penalty: scorer.penalty),
      counts: counts)
    var part = [Float](repeating: 0, count: terms.count)
    for start in stride(from: 0, to: segment.passageCount, by: windowLength) {
      let window = UInt32(start)..<UInt32(min(start + windowLength, segment.passageCount))
      scan.scan(window, part: &part, into: &best)
    }
  }

  private func scan(_ window: Range<UInt32>, part: inout [Float], into best: inout TopPassages) {
    var candidates = (0..<(window.count + 63) / 64).map { filter?.words[Int(window.lowerBound) / 64 + $0] ?? ~0 }
    guard candidates.contains(where: { $0 != 0 }) else { return }
    let bounds = terms.map { bound($0, in: window) }
    let order = bounds.indices.filter { bounds[$0] > 0 }.sorted { (bounds[$0], $0) < (bounds[$1], $1) }
    // Number of terms that together cannot reach the threshold, and their summed bounds.
    var (optional, reach): (Int, Float) = (0, 0)
    while prunes, optional < order.count, (reach + bounds[order[optional]]) * Self.slack <= best.threshold {
      reach += bounds[order[optional]]
      optional += 1
    }
    guard optional < order.count else { return }
    var found = [UInt64](repeating: 0, count: candidates.count)
    for term in order[optional...] { gather(term, in: window, found: &found) }
    for place in candidates.indices { candidates[place] &= found[place] }
    let needed = Array(order[optional...])
    let extra = Array(order[..<optional].reversed())
    for place in candidates.indices {
      var bits = candidates[place]
      while bits != 0 {
        let offset = place * 64 + bits.trailingZeroBitCount
        bits &= bits &- 1
        score(offset, window: window, needed: needed, extra: extra, bounds: bounds, reach: reach, &part, &best)
      }
    }
  }

  private func bound(_ term: Term, in window: Range<UInt32>) -> Float {
    var maxima: BlockMaxima?
    for cursor in term.cursors {
      guard let found = cursor.maxima(from: window.lowerBound, until: window.upperBound) else { continue }
      if let sum = maxima {
        maxima?.title = sum.title + found.title
        maxima?.headings = sum.headings + found.headings
        maxima?.body = sum.body + found.body
      } else {
        maxima = found
      }
    }
    guard let maxima else { return 0 }
    // A frequency in a field without a block maximum is still a match.
    return max(term.weight * scorer.bound(maxima, correction), .leastNormalMagnitude)
  }

  /// Decodes a term's postings in the window.
  private func gather(_ term: Int, in window: Range<UInt32>, found: inout [UInt64]) {
    guard let row = counts.baseAddress.map({ $0 + term * Self.windowLength }) else { return }
    row.update(repeating: 0, count: Self.windowLength)
    for (number, cursor) in terms[term].cursors.enumerated() {
      cursor.leave(before: window.lowerBound)
      while cursor.decode() {
        var place = cursor.place
        let (ordinals, values, length) = (cursor.ordinals, cursor.counts, cursor.length)
        while place < length, ordinals[place] < window.lowerBound { place += 1 }
        while place < length, ordinals[place] < window.upperBound {
          let offset = Int(ordinals[place] &- window.lowerBound)
          row[offset] = number == 0 ? values[place] : FieldCounts.sum(row[offset], values[place])
          found[offset &>> 6] |= 1 &<< UInt64(offset & 63)
          place += 1
        }
        cursor.place = place
        // The rest of the block belongs to the next window.
        guard place == length, cursor.block + 1 < cursor.list.blocks.count else { break }
        cursor.leave(before: cursor.list.blocks[cursor.block].last &+ 1)
      }
    }
  }

  @inline(__always)
  private func score(
    _ offset: Int, window: Range<UInt32>, needed: [Int], extra: [Int], bounds: [Float], reach: Float,
    _ part: inout [Float], _ best: inout TopPassages
  ) {
    let ordinal = window.lowerBound + UInt32(offset)
    let length = lengths[Int(ordinal)]
    for place in part.indices { part[place] = 0 }
    var sum: Float = 0
    for term in needed {
      let count = counts[term * Self.windowLength + offset]
      guard count != 0 else { continue }
      part[term] = terms[term].weight * scorer.score(count, lengths: length)
      sum += part[term]
    }
    var left = reach
    for term in extra {
      if (sum + left) * Self.slack <= best.threshold { return }
      var count: UInt32 = 0
      for cursor in terms[term].cursors {
        if let place = cursor.find(ordinal) { count = FieldCounts.sum(count, cursor.counts[place]) }
      }
      left -= bounds[term]
      guard count != 0 else { continue }
      part[term] = terms[term].weight * scorer.score(count, lengths: length)
      sum += part[term]
    }
    var score: Float = 0
    for value in part { score += value }
    guard score > best.threshold else { return }
    best.insert(row: segment.row(of: ordinal), score: score)
  }
}
