import Documents
import Foundation

/// Checks an answer against its citations: promise 2 of the design.
///
/// A citation must open to exactly its quote, and a number or a name in a sentence must stand in one of the quotes
/// that the sentence cites; one that does not is marked `[unverified]` where it stands. Sentences that cite nothing
/// are left alone.
package struct CitationChecker: Sendable {
  /// Result of the check.
  package struct Outcome: Sendable, Equatable {
    /// The answer, with marks where something could not be verified.
    package var answer: String
    /// The numbers and names that were marked.
    package var unverified: [String]
    /// Numbers of citations that do not exist or do not open to their quote.
    package var broken: [Int]
  }

  /// Mark behind a number or name that could not be verified.
  package static let mark = "[unverified]"

  /// Makes a checker.
  package init() {}

  /// Checks an answer.
  /// - Parameters:
  ///   - sentences: the answer, cut behind its citations.
  ///   - sources: the sources of the numbers.
  ///   - context: by the source's number, text besides the quote whose names and numbers count as cited (the headings
  ///     above it).
  ///   - opens: the stored text of a citation's span, or nil where the document or the place is gone.
  package func check(
    _ sentences: [CitedSentence], sources: [Source], context: [Int: String] = [:], opens: (Citation) -> String?
  ) -> Outcome {
    var quotes: [Int: String] = [:]
    for source in sources where opens(source.citation) == source.citation.quote {
      // The title says what the quote is about, so a name may come from there.
      quotes[source.number] = source.citation.quote + "\n" + source.title + "\n" + (context[source.number] ?? "")
    }
    var outcome = Outcome(answer: "", unverified: [], broken: [])
    for sentence in sentences {
      let known = sentence.citations.compactMap { quotes[$0] }
      outcome.broken += sentence.citations.filter { quotes[$0] == nil }
      outcome.answer +=
        sentence.citations.isEmpty
        ? sentence.text
        : mark(
          sentence.text, against: QuotedWords(known), sources.filter { sentence.citations.contains($0.number) },
          into: &outcome.unverified)
    }
    return outcome
  }

  private func mark(
    _ sentence: String, against quoted: QuotedWords, _ sources: [Source], into unverified: inout [String]
  ) -> String {
    var marked = ""
    var written = sentence.startIndex
    for claim in Claim.all(in: sentence)
    where !quoted.supports(claim) && !sources.contains(where: { $0.stands(at: claim) }) {
      marked += sentence[written..<claim.range.upperBound]
      marked += " " + Self.mark
      written = claim.range.upperBound
      unverified.append(String(sentence[claim.range]))
    }
    return marked + sentence[written...]
  }
}

extension Source {
  /// Indicates whether a number is that of the page or of a line of the quote.
  fileprivate func stands(at claim: Claim) -> Bool {
    let (start, end) = (citation.span.start, citation.span.end)
    switch claim.kind {
    case .page:
      if pageLabel.map(Claim.folded) == claim.folded { return true }
      guard pageLabel != nil, let number = Int(claim.folded) else { return false }
      return (start.page...max(start.page, end.page)).contains(number)
    case .line:
      guard let number = Int(claim.folded), start.page == end.page else { return false }
      return (start.line...max(start.line, end.line)).contains(number)
    default: return false
    }
  }
}

/// A stretch of an answer with the citations behind it. Quoted text may hold numbers in brackets too.
package struct CitedSentence {
  package var text: String
  package var citations: [Int]

  /// Cuts an answer behind each group of citations and at each line's end; the pieces joined give the answer again.
  /// - Parameter isReference: whether a number in brackets is a reference of the quoted texts, and no citation.
  package static func split(_ answer: String, unless isReference: (Int) -> Bool = { _ in false })
    -> [CitedSentence]
  {
    var pieces: [CitedSentence] = []
    var start = answer.startIndex
    var index = answer.startIndex
    var citations: [Int] = []
    func finish(at end: String.Index) {
      if start < end { pieces.append(CitedSentence(text: String(answer[start..<end]), citations: citations)) }
      start = end
      citations = []
    }
    func citation(at index: String.Index) -> (numbers: [Int], end: String.Index)? {
      guard let found = Self.citation(in: answer, at: index), !found.numbers.allSatisfy(isReference) else {
        return nil
      }
      return found
    }
    while index < answer.endIndex {
      if let (numbers, end) = citation(at: index) {
        citations += numbers
        index = end
        // Another citation may follow at once or behind a space; then both support the same words.
        var next = end
        while next < answer.endIndex, answer[next] == " " { next = answer.index(after: next) }
        if next < answer.endIndex, citation(at: next) != nil { index = next } else { finish(at: end) }
      } else {
        let isBreak = answer[index].isNewline
        index = answer.index(after: index)
        if isBreak { finish(at: index) }
      }
    }
    finish(at: answer.endIndex)
    return pieces
  }

  /// Numbers of `[3]` or `[1, 2]` at a place, and the end of the brackets.
  private static func citation(in text: String, at index: String.Index) -> (numbers: [Int], end: String.Index)? {
    guard text[index] == "[", let close = text[index...].prefix(24).firstIndex(of: "]") else { return nil }
    let inside = text[text.index(after: index)..<close]
    let parts = inside.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      let digits = part.trimmingCharacters(in: .whitespaces)
      return digits.count <= 4 && digits.allSatisfy(\.isASCII) ? Int(digits) : nil
    }
    guard !numbers.isEmpty, numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    return (numbers, text.index(after: close))
  }
}

extension [CitedSentence] {
  /// Adds words or a quote to an answer. Words go with the citation that comes next in their line.
  mutating func add(_ next: CitedSentence) {
    guard let last, last.citations.isEmpty, last.text.last?.isNewline != true else { return append(next) }
    self[count - 1] = CitedSentence(text: last.text + next.text, citations: next.citations)
  }

  /// Adds words that cite nothing.
  mutating func add(_ words: String) {
    var rest = words[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(where: \.isNewline).map { rest.index(after: $0) } ?? rest.endIndex
      add(CitedSentence(text: String(rest[..<end]), citations: []))
      rest = rest[end...]
    }
  }
}
