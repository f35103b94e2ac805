import Linguistics

/// Matches the terms of a question with the words of a text, and weighs them.
struct TermMatcher: Sendable {
  /// Terms of the question, each once.
  let terms: [Term]
  /// Sum of the terms' weights.
  let totalWeight: Double
  /// Indicates whether the question's language puts the head of a compound last: "Miete", "Kaltmiete".
  private let hasCompounds: Bool

  struct Term: Sendable {
    let stem: String
    let folded: String
    /// Term as the question writes it.
    let written: String
    /// Weight: high where few sentences hold it.
    let weight: Double
    let isName: Bool
    let isNumber: Bool
    let isFocus: Bool
    /// Indicates whether it is a single character of a script without spaces.
    let isCharacter: Bool
    let synonyms: Set<String>
  }

  /// Weighs a question's terms against the given sentences.
  init(question: Question, passages: [ReadPassage]) {
    var counts: [String: Int] = [:]
    var unitCount = 0
    for passage in passages {
      for unit in passage.units {
        unitCount += 1
        for stem in Set(passage.tokens[unit.tokens].lazy.map(\.stem)) { counts[stem, default: 0] += 1 }
      }
    }
    var seen: Set<String> = []
    var terms: [Term] = []
    for place in question.termIndices {
      let token = question.words[place]
      guard seen.insert(token.stem).inserted else { continue }
      let synonyms = SynonymTable.synonyms(of: token.stem, in: question.language)
      let count = Double(counts[token.stem] ?? 0)
      let rarity = Logarithm.natural(1 + (Double(unitCount) + 1) / (count + 0.5))
      terms.append(
        Term(
          stem: token.stem, folded: token.folded, written: token.text, weight: rarity,
          isName: token.isCapitalised && place > 0 && question.language != .german, isNumber: token.hasDigit,
          isFocus: token.folded == question.focus,
          isCharacter: token.folded.utf8.count >= 3 && token.folded.unicodeScalars.count == 1, synonyms: synonyms))
    }
    self.terms = terms
    hasCompounds = [.german, .dutch].contains(question.language)
    totalWeight = terms.reduce(0) { $0 + $1.weight }
  }

  /// Returns the strength of the match of a token with a term, from 0 to 1.
  func match(_ term: Term, _ token: Token) -> Double {
    if token.stem == term.stem || token.folded == term.folded { return 1 }
    if term.isNumber || token.hasDigit { return 0 }
    // A single character in the question is a part of a bigram in the text.
    if term.isCharacter {
      return token.folded.unicodeScalars.contains { term.folded.unicodeScalars.first == $0 } ? 1 : 0
    }
    if term.synonyms.contains(token.stem) { return 0.6 }
    if hasCompounds, term.folded.utf8.count > 4, token.folded.utf8.count > term.folded.utf8.count + 2,
      token.folded.hasSuffix(term.folded)
    {
      return 0.8
    }
    let (left, right) = (term.folded.utf8, token.folded.utf8)
    guard left.count >= 4, right.count >= 4, left.first == right.first else { return 0 }
    let common = zip(left, right).prefix { $0 == $1 }.count
    let (short, long) = (min(left.count, right.count), max(left.count, right.count))
    // "religion" and "religious", "norm" and "norman"
    if common >= 5 && common * 10 >= long * 6 || common == short && common >= 4 && long - short <= 3 { return 0.6 }
    // "Dyrrachium" and "Dyrrhachium"
    if short >= 6, long - short <= 1, EditDistance.isWithinOne(Array(left), Array(right)) { return 0.7 }
    return 0
  }
}

/// Edit distance of at most one.
enum EditDistance {
  static func isWithinOne(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left.count > right.count { return isWithinOne(right, left) }
    guard right.count - left.count <= 1 else { return false }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let rest = left.count - start
    if left.count == right.count { return rest <= 1 || left.suffix(rest - 1) == right.suffix(rest - 1) }
    return left.suffix(rest) == right.suffix(rest)
  }
}
