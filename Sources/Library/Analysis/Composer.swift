import Documents

/// Selects ranked sentences and joins them into an answer.
struct Composer {
  let question: Question
  let evidence: [Evidence]
  let ranking: Ranking
  let phrases: Phrases
  let sentenceLimit: Int

  typealias Part = RuleBasedAnswer.Part

  private func unit(_ ranked: RankedUnit) -> ReadPassage.Unit {
    ranking.meter.passages[ranked.passage].units[ranked.unit]
  }

  private func stems(_ ranked: RankedUnit) -> Set<String> {
    Set(ranking.meter.passages[ranked.passage].tokens[unit(ranked).tokens].lazy.map(\.stem))
  }

  /// Indicates whether a sentence nearly repeats a chosen one.
  private func isRepeated(_ candidate: Set<String>, in chosen: [Set<String>]) -> Bool {
    chosen.contains { other in
      let common = candidate.intersection(other).count
      return common * 10 >= 8 * min(candidate.count, other.count)
        && common * 10 >= 6 * max(candidate.count, other.count)
    }
  }

  /// Returns the best sentences without repetitions.
  func best(_ count: Int, among units: [RankedUnit]? = nil, within margin: Double = .infinity) -> [RankedUnit] {
    var chosen: [RankedUnit] = []
    var seen: [Set<String>] = []
    for found in units ?? ranking.units {
      if chosen.count >= count { break }
      let candidate = below(found) ?? found
      if let first = chosen.first, first.score - candidate.score > margin { break }
      let words = stems(candidate)
      if isRepeated(words, in: seen) { continue }
      chosen.append(candidate)
      seen.append(words)
    }
    return chosen
  }

  /// Returns the text below a heading that adds only its number to the words of the question; nil for other headings.
  private func below(_ heading: RankedUnit) -> RankedUnit? {
    let passage = ranking.meter.passages[heading.passage]
    let units = passage.units
    guard units[heading.unit].isHeading else { return nil }
    let said = passage.tokens[units[heading.unit].tokens].drop {
      $0.isNumber || ReadPassage.parts.contains($0.folded)
    }
    let asked = Set(ranking.meter.matcher.terms.map(\.stem))
    guard said.allSatisfy({ $0.isStopWord || asked.contains($0.stem) }) else { return nil }
    guard let place = units.indices.first(where: { $0 > heading.unit && !units[$0].isHeading }) else { return nil }
    return ranking.units.first { $0.passage == heading.passage && $0.unit == place }
      .map { RankedUnit(passage: $0.passage, unit: $0.unit, measured: $0.measured, score: heading.score) }
  }

  private func quote(_ ranked: RankedUnit) -> RuleBasedAnswer.Quote {
    let unit = unit(ranked)
    let highlight = ranking.meter.answerCell(in: ranked) ?? ranked.measured.span?.range
    return RuleBasedAnswer.Quote(evidence: ranked.passage, range: unit.range, highlight: highlight)
  }

  /// Sentences shown where nothing answers: a few, best first.
  var nearest: [RuleBasedAnswer.Quote] {
    best(3).map { RuleBasedAnswer.Quote(evidence: $0.passage, range: unit($0).range) }
  }

  /// Returns quotes of sentences: in reading order where they come from one document, joined where they are adjacent.
  func quotes(_ chosen: [RankedUnit]) -> [Part] {
    guard let first = chosen.first else { return [] }
    let isOneDocument = chosen.allSatisfy { evidence[$0.passage].document == evidence[first.passage].document }
    let ordered = isOneDocument ? chosen.sorted(by: comesBefore) : chosen
    var parts: [Part] = []
    for ranked in ordered {
      if !parts.isEmpty { parts.append(.text(evidence[ranked.passage].passage.form == .prose ? " " : "\n")) }
      if let header = ranking.meter.header(of: ranked) {
        parts.append(.quote(RuleBasedAnswer.Quote(evidence: ranked.passage, range: header)))
        parts.append(.text("\n"))
      }
      parts.append(.quote(quote(ranked)))
    }
    return parts
  }

  /// Orders by document number, then by place in the document.
  private func comesBefore(_ left: RankedUnit, _ right: RankedUnit) -> Bool {
    let (one, other) = (evidence[left.passage], evidence[right.passage])
    if one.document != other.document { return one.document < other.document }
    return (one.passage.span.start, left.passage, left.unit) < (
      other.passage.span.start, right.passage, right.unit
    )
  }

  // MARK: Kinds of answer

  /// Answers a question for a fact, a reason or a definition by the best sentences.
  func fact() -> [Part] {
    var chosen = best(sentenceLimit, within: 4)
    if let first = chosen.first, first.measured.isRow {
      // Another row is about something else, unless it covers as much of the question.
      chosen.removeAll { $0.measured.isRow && $0.measured.coverage < first.measured.coverage - 0.001 }
    }
    if chosen.count == 1, sentenceLimit > 1, let before = leadIn(to: chosen[0]) { chosen.append(before) }
    return quotes(chosen)
  }

  /// Returns the sentence before one that begins with a pronoun and would not be understood alone.
  private func leadIn(to ranked: RankedUnit) -> RankedUnit? {
    guard ranked.unit > 0, ranked.measured.features[SentenceFeature.pronounLed.rawValue] > 0 else { return nil }
    return ranking.units.first { $0.passage == ranked.passage && $0.unit == ranked.unit - 1 }
  }

  /// Answers yes or no where the best sentence covers nearly all of the question; otherwise quotes the sentence.
  func yesNo() -> [Part] {
    let chosen = best(sentenceLimit, within: 3)
    guard let first = chosen.first else { return [] }
    let words = Set(ranking.meter.passages[first.passage].tokens[unit(first).tokens].map(\.folded))
    let isNegated = first.measured.features[SentenceFeature.negation.rawValue] > 0
    // A negated question, or one whose word the sentence negates, has no plain yes or no.
    let isTwisted = question.words.contains {
      Polarity.denials.contains($0.folded)
        || !words.contains($0.folded) && Polarity.isOpposite($0.folded, of: words)
    }
    let lead: Phrases.Key = first.measured.coverage < 0.85 || isTwisted ? .unsure : isNegated ? .no : .yes
    let shown = lead == .unsure ? chosen : [first]
    return [.text(phrases[lead] + " ")] + quotes(shown)
  }

  /// Answers a comparison by the best sentence for each side.
  func comparison() -> [Part] {
    var parts: [Part] = []
    var chosen: [RankedUnit] = []
    for subject in question.subjects {
      let side = Ranking(question: Question(subject), evidence: evidence)
      let candidates = side.units.filter { $0.measured.coverage >= 0.75 }
      let fresh = candidates.first { candidate in
        !chosen.contains { $0.passage == candidate.passage && $0.unit == candidate.unit }
      }
      if !parts.isEmpty { parts.append(.text("\n")) }
      if let best = fresh {
        chosen.append(best)
        parts.append(.text(phrases[.side, ["subject": subject]] + " "))
        parts.append(.quote(RuleBasedAnswer.Quote(evidence: best.passage, range: unit(best).range)))
      } else {
        parts.append(.text(phrases[.sideMissing, ["subject": subject]]))
      }
    }
    return chosen.isEmpty ? quotes(best(sentenceLimit)) : parts
  }

  /// Answers by the sentences, items and rows that belong to the list asked for.
  func list() -> [Part] {
    guard let first = ranking.units.first else { return [] }
    let passage = ranking.meter.passages[first.passage]
    // "The ports are:" followed by items.
    let text = evidence[first.passage].passage.text
    let opens = text.utf8Slice(unit(first).range).hasSuffix(":")
    if opens, first.unit + 1 < passage.units.count {
      var parts: [Part] = [.quote(quote(first))]
      for item in passage.units[(first.unit + 1)...].prefix(12) {
        if item.startsParagraph && passage.form == .prose && item.tokens.count > 25 { break }
        parts.append(.text("\n"))
        parts.append(.quote(RuleBasedAnswer.Quote(evidence: first.passage, range: item.range)))
      }
      return parts
    }
    guard question.needsAllPassages else { return quotes(best(sentenceLimit, within: 4)) }
    let wide = best(21, within: 3)
    let shown = wide.prefix(20)
    var parts: [Part] = []
    for ranked in shown.sorted(by: comesBefore) {
      parts.append(.text((parts.isEmpty ? "" : "\n") + phrases[.item] + " "))
      parts.append(.quote(quote(ranked)))
    }
    return parts
  }
}
