import Documents
import Linguistics

/// Features of a sentence in view of a question. The names are the rows of ``ScoringTable``.
enum SentenceFeature: Int, CaseIterable {
  case coverage, weight, neighbourCoverage, passageCoverage, headingCoverage, pairs, closeness, order
  case nameCoverage, missingName, numberCoverage, missingNumber, focus, rarest, missingRarest
  case personFit, placeFit, dateFit, amountFit, nameFit, otherFit, fitCloseness, noFit
  case length, short, long, rank, score, firstUnit, startsParagraph, pronounLed
  case definition, reason, manner, novelty, question, quotedPhrase, negation
}

/// Computes the features of the sentences of passages for one question.
struct SentenceMeter {
  let question: Question
  let matcher: TermMatcher
  let passages: [ReadPassage]
  let topScore: Double
  let scores: [Double]

  /// Features of one sentence.
  struct Measured {
    var features: [Double]
    /// Span that answers, where one of the expected type was found.
    var span: TypedSpan?
    /// Shares of the question's weight that the sentence, and its whole passage, cover.
    var coverage: Double
    var passageCoverage: Double
    /// Indicates whether it is a row of a table.
    var isRow: Bool
    /// Indicates whether it is a line "key: value" whose key the question names.
    var isKeyed: Bool
  }

  init(question: Question, passages: [ReadPassage], scores: [Double]) {
    self.question = question
    self.passages = passages
    self.scores = scores
    matcher = TermMatcher(question: question, passages: passages)
    topScore = max(scores.max() ?? 1, 1e-9)
  }

  /// Returns the best match of each term among some tokens, with its index.
  func matches(in tokens: ArraySlice<Token>) -> [(value: Double, place: Int)] {
    matcher.terms.map { term in
      var best = (value: 0.0, place: -1)
      for place in tokens.indices {
        let value = matcher.match(term, tokens[place])
        if value > best.value { best = (value, place) }
        if value == 1 { break }
      }
      return best
    }
  }

  /// Computes the features of all sentences of one passage.
  /// - Parameter met: raised to the best match of each term here.
  func measure(_ passage: ReadPassage, met: inout [Double]) -> [Measured] {
    let perUnit = passage.units.map { matches(in: passage.tokens[$0.tokens]) }
    let count = matcher.terms.count
    var inPassage = [Double](repeating: 0, count: count)
    for unit in perUnit { for term in 0..<count { inPassage[term] = max(inPassage[term], unit[term].value) } }
    let inHeading = matcher.terms.map { term in
      passage.headingStems.contains(term.stem)
        ? 1.0 : passage.headingStems.isDisjoint(with: term.synonyms) ? 0 : 0.5
    }
    for term in 0..<count { met[term] = max(met[term], inPassage[term], inHeading[term]) }
    return passage.units.indices.map { index in
      measure(passage, index, perUnit: perUnit, inPassage: inPassage, inHeading: inHeading)
    }
  }

  private func measure(
    _ passage: ReadPassage, _ index: Int, perUnit: [[(value: Double, place: Int)]], inPassage: [Double],
    inHeading: [Double]
  ) -> Measured {
    let unit = passage.units[index]
    let found = perUnit[index]
    let terms = matcher.terms
    let total = max(matcher.totalWeight, 1e-9)
    var f = [Double](repeating: 0, count: SentenceFeature.allCases.count)
    func set(_ feature: SentenceFeature, _ value: Double) { f[feature.rawValue] = value }

    // Coverage of the question's words.
    var (own, near, wide, above) = (0.0, 0.0, 0.0, 0.0)
    var (names, namesMet, namesMissing, numbers, numbersMet) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (rarest, rarestMet) = (0.0, 0.0)
    let isRow = passage.hasHeaderRow && index > 0
    for (place, term) in terms.enumerated() {
      // A row inherits the words of its header.
      let here = isRow ? max(found[place].value, 0.9 * perUnit[0][place].value) : found[place].value
      var beside = here
      if index > 0 { beside = max(beside, perUnit[index - 1][place].value) }
      if index + 1 < perUnit.count { beside = max(beside, 0.5 * perUnit[index + 1][place].value) }
      own += term.weight * here
      near += term.weight * (beside - here)
      wide += term.weight * (max(inPassage[place], beside) - beside)
      let everywhere = max(inPassage[place], beside)
      above += term.weight * (max(inHeading[place], everywhere) - everywhere)
      if term.isName {
        names += 1
        namesMet += here
        namesMissing += 1 - max(everywhere, inHeading[place])
      }
      if term.isNumber {
        numbers += 1
        numbersMet += here
      }
      if term.weight > rarest { (rarest, rarestMet) = (term.weight, here) }
      if term.isFocus { set(.focus, here) }
    }
    set(.coverage, own / total)
    set(.weight, own / 10)
    set(.neighbourCoverage, near / total)
    set(.passageCoverage, wide / total)
    set(.headingCoverage, above / total)
    set(.nameCoverage, names > 0 ? namesMet / names : 0)
    set(.missingName, names > 0 ? namesMissing / names : 0)
    set(.numberCoverage, numbers > 0 ? numbersMet / numbers : 0)
    set(.missingNumber, numbers > 0 ? 1 - numbersMet / numbers : 0)
    set(.rarest, rarestMet)
    set(.missingRarest, 1 - rarestMet)
    measureOrder(found, set)
    let span = measureFit(passage, unit, found, set)
    measureShape(passage, index, set)
    return Measured(
      features: f, span: span, coverage: own / total, passageCoverage: (own + near + wide) / total,
      isRow: passage.form == .table, isKeyed: isKeyed(passage, unit, found))
  }

  /// Indicates whether the unit is a short line "key: value" whose key is one of the question's words.
  private func isKeyed(
    _ passage: ReadPassage, _ unit: ReadPassage.Unit, _ found: [(value: Double, place: Int)]
  ) -> Bool {
    guard unit.tokens.count <= 16 else { return false }
    let tokens = passage.tokens[unit.tokens]
    guard let value = tokens.dropFirst().prefix(5).firstIndex(where: { $0.leading.first == 0x3A }) else {
      return false
    }
    return found.contains { $0.value >= 0.6 && $0.place >= 0 && $0.place < value }
  }

  /// Measures the distance and the order of the question's words.
  private func measureOrder(
    _ found: [(value: Double, place: Int)], _ set: (SentenceFeature, Double) -> Void
  ) {
    let places = found.filter { $0.value > 0 }.map(\.place)
    guard found.count > 1 else { return }
    var (pairs, ordered) = (0.0, 0.0)
    for (left, right) in zip(found, found.dropFirst()) where left.value > 0 && right.value > 0 {
      let distance = right.place - left.place
      if distance > 0 { ordered += 1 }
      if (1...3).contains(distance) { pairs += 1 }
    }
    set(.pairs, pairs / Double(found.count - 1))
    set(.order, ordered / Double(found.count - 1))
    if places.count > 1, let low = places.min(), let high = places.max() {
      set(.closeness, Double(places.count) / Double(high - low + 1))
    }
  }

  /// Looks for the expected type among the words that are not in the question.
  private func measureFit(
    _ passage: ReadPassage, _ unit: ReadPassage.Unit, _ found: [(value: Double, place: Int)],
    _ set: (SentenceFeature, Double) -> Void
  ) -> TypedSpan? {
    guard question.expects != .clause else { return nil }
    let places = found.filter { $0.value > 0 }
    let taken = Set(places.map(\.place))
    var best: (span: TypedSpan, fit: Double, value: Double)?
    var bestFit = 0.0
    for span in TypedSpan.find(in: passage.tokens, at: unit.tokens) {
      let fit = span.fit(question.expects)
      guard fit > 0 else { continue }
      let fresh = span.tokens.filter { place in
        !taken.contains(place) && !matcher.terms.contains { matcher.match($0, passage.tokens[place]) >= 0.7 }
      }
      guard !fresh.isEmpty else { continue }
      var near = 0.0
      for match in places {
        let distance =
          match.place < span.tokens.lowerBound
          ? span.tokens.lowerBound - match.place : max(match.place - span.tokens.upperBound + 1, 0)
        near += match.value / (2 + Double(distance))
      }
      let share = Double(fresh.count) / Double(span.tokens.count)
      let value = fit * (0.5 + 0.5 * share) * (0.3 + near)
      bestFit = max(bestFit, fit)
      if value > best?.value ?? 0 { best = (span, fit, value) }
    }
    let feature: SentenceFeature =
      switch question.expects {
      case .person: .personFit
      case .place: .placeFit
      case .date, .time: .dateFit
      case .money, .quantity, .number, .percent, .temperature, .duration, .ordinal: .amountFit
      case .name, .organisation: .nameFit
      default: .otherFit
      }
    set(feature, bestFit)
    set(.fitCloseness, min(best?.value ?? 0, 1.5))
    set(.noFit, bestFit == 0 ? 1 : 0)
    return best?.span
  }

  private static let pronouns: Set<String> = [
    "he", "she", "it", "they", "this", "these", "that", "those", "his", "her", "its", "their", "such", "however",
    "but",
  ]
  private static let reasons: Set<String> = [
    "because", "due", "therefore", "thus", "since", "result", "results", "resulted", "caused", "reason", "led",
    "order",
    "consequently", "owing", "hence", "cause", "prompted", "so",
  ]
  private static let manners: Set<String> = ["by", "through", "using", "via", "with", "means", "method"]
  private static let definers: Set<String> = [
    "is", "are", "was", "were", "means", "refers", "defined", "called", "known", "describes", "denotes", "stands",
  ]

  private static let openers: Set<String> = ["a", "an", "the", "in", "one"]

  /// Measures length, position and cue words.
  private func measureShape(_ passage: ReadPassage, _ index: Int, _ set: (SentenceFeature, Double) -> Void) {
    let unit = passage.units[index]
    let tokens = passage.tokens[unit.tokens]
    let length = Double(tokens.count)
    set(.length, Logarithm.natural(length + 1) / 4)
    set(.short, length < 6 ? 1 : 0)
    set(.long, length > 45 ? 1 : 0)
    set(.rank, 1 / Double(passage.index + 1))
    set(.score, scores[passage.index] / topScore)
    set(.firstUnit, index == 0 ? 1 : 0)
    set(.startsParagraph, unit.startsParagraph ? 1 : 0)
    if let first = tokens.first { set(.pronounLed, Self.pronouns.contains(first.folded) ? 1 : 0) }
    if question.kind == .reason { set(.reason, tokens.contains { Self.reasons.contains($0.folded) } ? 1 : 0) }
    if question.kind == .manner { set(.manner, tokens.contains { Self.manners.contains($0.folded) } ? 1 : 0) }
    if question.kind == .definition || question.kind == .about { set(.definition, definesSubject(tokens) ? 1 : 0) }
    let fresh = tokens.lazy.filter { token in
      !token.isStopWord && !matcher.terms.contains { $0.stem == token.stem }
    }.count
    set(.novelty, Logarithm.natural(Double(fresh) + 1) / 3)
    set(.question, tokens.last?.trailing.first == 0x3F ? 1 : 0)
    let negated = tokens.contains { Polarity.denials.contains($0.folded) }
    let asksNegated = question.words.contains { Polarity.denials.contains($0.folded) }
    set(.negation, negated != asksNegated ? 1 : 0)
    set(.quotedPhrase, holdsPhrase(passage.text.utf8Slice(unit.range)) ? 1 : 0)
  }

  /// Indicates whether the sentence holds a quoted phrase of the question, ignoring case.
  private func holdsPhrase(_ text: String) -> Bool {
    guard !question.phrases.isEmpty else { return false }
    let folded = Folding.fold(text)
    return question.phrases.contains { folded.contains(Folding.fold($0)) }
  }

  /// Indicates whether the sentence opens with the subject and a copula: "A steam engine is …".
  private func definesSubject(_ tokens: ArraySlice<Token>) -> Bool {
    let terms = matcher.terms
    guard !terms.isEmpty, let start = tokens.first.map({ Self.openers.contains($0.folded) ? 1 : 0 }) else {
      return false
    }
    var last = tokens.startIndex + start - 1
    for term in terms {
      let reach = tokens[min(last + 1, tokens.endIndex)...].prefix(3)
      guard let place = reach.firstIndex(where: { matcher.match(term, $0) >= 0.7 }) else { return false }
      last = place
    }
    // A name in another language or an abbreviation may stand between, in brackets.
    var place = last + 1
    while place < tokens.endIndex, place < last + 14 {
      if Self.definers.contains(tokens[place].folded) { return true }
      guard tokens[last + 1].followsBreak else { return false }
      place += 1
    }
    return false
  }
}
