import Foundation

/// Largest length-normalised term frequency of each field within a block of postings, eight bits each, rounded up.
///
/// The maxima are taken with the segment's own mean field lengths and ``lengthPenalty``; ``BoundCorrection`` turns
/// them into upper bounds for the mean lengths and the length penalty of a search.
struct BlockMaxima {
  /// Length penalty (b of BM25) that the stored maxima are taken with.
  static let lengthPenalty: Float = 0.75

  var title: Float = 0
  var headings: Float = 0
  var body: Float = 0

  /// Decoded values: logarithmic, twelve steps to a doubling, 1 at code 128.
  private static let values: [Float] = [0] + (1...255).map { Float(exp2(Double($0 - 128) / 12)) }

  private static func code(_ value: Float) -> UInt32 {
    guard value > 0 else { return 0 }
    let code = min(max(Int((log2(Double(value)) * 12).rounded(.up)) + 128, 1), 255)
    // The logarithm may have been rounded down.
    return UInt32(values[code] < value ? min(code + 1, 255) : code)
  }

  var packed: UInt32 { Self.code(title) | Self.code(headings) << 8 | Self.code(body) << 16 }

  init() {}

  init(packed: UInt32) {
    title = Self.values[Int(packed & 0xff)]
    headings = Self.values[Int(packed >> 8 & 0xff)]
    body = Self.values[Int(packed >> 16 & 0xff)]
  }

  mutating func formUnion(_ other: BlockMaxima) {
    title = max(title, other.title)
    headings = max(headings, other.headings)
    body = max(body, other.body)
  }
}

/// Factor by which a stored maximum is multiplied to bound the normalised frequencies of a search.
///
/// With x a length in means of the segment, the stored frequency is divided by 1 − b₀ + b₀x and that of the
/// search by 1 − b + bx·m₀/m. Their quotient is monotonic in x, so one of its ends at 0 and ∞ bounds it.
struct BoundCorrection {
  let title: Float
  let headings: Float
  let body: Float

  init(segment: SegmentMeans, search: SegmentMeans, penalty: Float) {
    func factor(_ own: Float, _ sought: Float) -> Float {
      let stored = BlockMaxima.lengthPenalty
      let short = penalty < 1 ? (1 - stored) / (1 - penalty) : .greatestFiniteMagnitude
      let long = penalty > 0 ? stored * sought / (penalty * own) : .greatestFiniteMagnitude
      // Rounding in the search's own divisions must not exceed the bound.
      return max(short, long) * 1.000_01
    }
    title = factor(segment.title, search.title)
    headings = factor(segment.headings, search.headings)
    body = factor(segment.body, search.body)
  }
}

/// Mean lengths of the fields, in terms.
struct SegmentMeans: BitwiseCopyable {
  var title: Float
  var headings: Float
  var body: Float

  init(_ totals: IndexTotals) {
    title = totals.mean(totals.title)
    headings = totals.mean(totals.headings)
    body = totals.mean(totals.body)
  }
}
