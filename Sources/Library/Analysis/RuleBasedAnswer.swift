import Documents

/// Answer made of quotes and a few phrases between them.
package struct RuleBasedAnswer: Sendable, Equatable {
  /// Piece of the answer; the pieces are shown one after the other, unchanged.
  package enum Part: Sendable, Equatable {
    case quote(Quote)
    case text(String)
  }

  /// Part of a passage.
  package struct Quote: Sendable, Hashable {
    /// Index of the passage in the evidence.
    package var evidence: Int
    /// Range of the passage's running text, in UTF-8 offsets.
    package var range: Range<Int>
    /// Range of the words that answer the question, where they are known, in the same offsets.
    package var highlight: Range<Int>?

    /// Makes a quote.
    package init(evidence: Int, range: Range<Int>, highlight: Range<Int>? = nil) {
      self.evidence = evidence
      self.range = range
      self.highlight = highlight
    }
  }

  /// Reason that there is no answer.
  package enum Refusal: Sendable, Equatable {
    /// The text holds no word.
    case emptyQuestion
    /// The search found nothing.
    case noPassages
    /// The passages found are too far from the question.
    case far
    /// Essential words of the question occur in nothing that was found.
    case wordsMissing([String])
  }

  /// Pieces to show, in order.
  package var parts: [Part]
  /// Reason that the question is not answered; nil where it is.
  package var refusal: Refusal?
  /// Probability that the answer is right, from 0 to 1.
  package var confidence: Double
  /// Closest sentences, best first.
  package var nearest: [Quote]

  /// Makes an answer.
  package init(parts: [Part], refusal: Refusal? = nil, confidence: Double, nearest: [Quote] = []) {
    self.parts = parts
    self.refusal = refusal
    self.confidence = confidence
    self.nearest = nearest
  }

  /// Quotes in order.
  package var quotes: [Quote] {
    parts.compactMap { if case .quote(let quote) = $0 { quote } else { nil } }
  }

  /// Returns the answer as plain text, without citation marks.
  package func plainText(_ evidence: [Evidence]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .quote(let quote): evidence[quote.evidence].passage.text.utf8Slice(quote.range)
      }
    }.joined()
  }
}

/// Share of the material that was read for an answer.
package struct ReadingCoverage: Sendable, Hashable {
  /// Number of passages read.
  package var read: Int
  /// Number of passages in all.
  package var total: Int

  /// Makes a coverage.
  package init(read: Int, total: Int) {
    self.read = read
    self.total = total
  }
}

extension String {
  /// Returns the text of a range in UTF-8 offsets, clamped to the text.
  func utf8Slice(_ range: Range<Int>) -> String {
    let count = utf8.count
    let range = range.clamped(to: 0..<count)
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(decoding: utf8[start..<utf8.index(start, offsetBy: range.count)], as: UTF8.self)
  }
}
