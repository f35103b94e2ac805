import Documents

/// An answer made of quotes and a few joining words.
package struct RuleBasedAnswer: Sendable, Equatable {
  /// A piece of the answer; the pieces are shown one behind the other as they are.
  package enum Part: Sendable, Equatable {
    case quote(Quote)
    case text(String)
  }

  /// A stretch of a passage.
  package struct Quote: Sendable, Hashable {
    /// The place of the passage in the evidence.
    package var evidence: Int
    /// The stretch of the passage's running text, in UTF-8 offsets.
    package var range: Range<Int>
    /// The words inside it that answer the question, where they could be told, in the same offsets.
    package var highlight: Range<Int>?

    /// Makes a quote.
    package init(evidence: Int, range: Range<Int>, highlight: Range<Int>? = nil) {
      self.evidence = evidence
      self.range = range
      self.highlight = highlight
    }
  }

  /// Why there is no answer.
  package enum Refusal: Sendable, Equatable {
    /// The text holds no word.
    case emptyQuestion
    /// Nothing was found at all.
    case noPassages
    /// What was found is too far from the question.
    case far
    /// Words without which the question is another, and which nothing found has.
    case wordsMissing([String])
  }

  /// What to show, in order.
  package var parts: [Part]
  /// Why the question is not answered; nil where it is.
  package var refusal: Refusal?
  /// How likely the answer is to be one, from 0 to 1.
  package var confidence: Double
  /// The sentences that come nearest, best first.
  package var nearest: [Quote]

  /// Makes an answer.
  package init(parts: [Part], refusal: Refusal? = nil, confidence: Double, nearest: [Quote] = []) {
    self.parts = parts
    self.refusal = refusal
    self.confidence = confidence
    self.nearest = nearest
  }

  /// The quotes in order.
  package var quotes: [Quote] {
    parts.compactMap { if case .quote(let quote) = $0 { quote } else { nil } }
  }

  /// The answer as plain text, without marks of citation.
  package func plainText(_ evidence: [Evidence]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .quote(let quote): evidence[quote.evidence].passage.text.utf8Slice(quote.range)
      }
    }.joined()
  }
}

/// How much of the material was read for an answer.
package struct ReadingCoverage: Sendable, Hashable {
  /// How many passages were read.
  package var read: Int
  /// How many there are.
  package var total: Int

  /// Makes a coverage.
  package init(read: Int, total: Int) {
    self.read = read
    self.total = total
  }
}

extension String {
  /// The text of some UTF-8 offsets, cut to what lies within.
  func utf8Slice(_ range: Range<Int>) -> String {
    let count = utf8.count
    let range = range.clamped(to: 0..<count)
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(decoding: utf8[start..<utf8.index(start, offsetBy: range.count)], as: UTF8.self)
  }
}
