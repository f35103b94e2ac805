import Documents
import Linguistics
import Retrieval

/// Checks a model's answer against the passages it was given while it is generated, and cuts a quote for each number
/// cited.
///
/// Text is let through until a number or a name; from there on it waits for the citation, or for the line's end. While
/// the model has cited nothing, each sentence's end waits too, for the matching passage may have to be cited there.
package struct AnswerCiter {
  /// Passages in the prompt by the number the model knows them by.
  package private(set) var places: [Int: PassagePlace] = [:]
  /// Sources of the numbers cited so far.
  package var sources: [Source] {
    windows.keys.sorted().compactMap { number in
      var source = quoted[number]
      if !cited.contains(number) { source?.isMatched = true }
      return source
    }
  }
  /// Numbers and names that were marked, and citations of nothing.
  package private(set) var unverified: [String] = []
  /// Number of sentences with numbers or names that cite nothing and match no passage.
  package private(set) var uncitedCount = 0
  /// Number of sentences that cite nothing and were given a matching passage.
  package private(set) var matchedCount = 0
  /// The text let through so far.
  package private(set) var text = ""

  private let library: Library
  private let question: String
  private var held = ""
  private var windows: [Int: Range<Int>] = [:]
  private var quoted: [Int: Source] = [:]
  /// Numbers that the model cited itself.
  private var cited: Set<Int> = []
  private let checker = CitationChecker()
  private let matching: SentenceMatching

  /// Makes a citer for the answer to a question.
  package init(library: Library, question: String) {
    (self.library, self.question) = (library, question)
    matching = SentenceMatching(question: question)
  }

  /// Gives passages the next numbers.
  /// - Returns: their numbers.
  package mutating func number(_ passages: [PassagePlace]) -> [Int] {
    passages.map { passage in
      if let known = places.first(where: { $0.value.passage.id == passage.passage.id }) { return known.key }
      let number = places.count + 1
      places[number] = passage
      return number
    }
  }

  /// Takes the next piece of the answer.
  /// - Returns: the text that may be shown now.
  package mutating func take(_ piece: String) async throws -> String {
    if places.isEmpty {
      text += piece
      return piece
    }
    held += piece
    var shown = ""
    // The last stretch may go on; everything before it is whole.
    let stretches = stretches(of: held)
    for stretch in stretches.dropLast() { shown += try await check(stretch) }
    held = stretches.last?.text ?? ""
    if let last = stretches.last, held.last?.isNewline == true {
      shown += try await check(last)
      held = ""
    }
    while let end = uncitedEnd(of: held) {
      shown += try await check(CitedSentence(text: String(held[..<end]), citations: []))
      held = String(held[end...])
    }
    let free = freeEnd(of: held)
    shown += held[..<free]
    passed += held[..<free]
    held = String(held[free...])
    text += shown
    return shown
  }

  /// Takes the end of the answer.
  package mutating func finish() async throws -> String {
    var shown = ""
    for stretch in stretches(of: held) { shown += try await check(stretch) }
    held = ""
    passed = ""
    text += shown
    return shown
  }

  /// Part of the present stretch that was let through already, for its meaning.
  private var passed = ""
  /// Indicates whether the model has cited anything itself.
  private var hasCited = false

  /// End of the first sentence behind which another one has begun: while the model has cited nothing, each sentence is
  /// matched to its passage by itself.
  private func uncitedEnd(of text: String) -> String.Index? {
    guard !hasCited else { return nil }
    let sentences = Sentences.split(passed + text)
    let offset = passed.utf8.count
    guard let place = sentences.firstIndex(where: { $0.upperBound > offset }), place + 1 < sentences.count else {
      return nil
    }
    let next = text.utf8.index(text.startIndex, offsetBy: max(0, sentences[place + 1].lowerBound - offset))
    // A citation behind a sentence is a part of it.
    guard next < text.endIndex, text[next] != "[" else { return nil }
    return text.utf8.index(text.startIndex, offsetBy: sentences[place].upperBound - offset)
  }

  /// End of the part that holds no number, no name, no sentence's end and no beginning of a citation.
  private func freeEnd(of text: String) -> String.Index {
    var end = text.firstIndex(of: "[") ?? text.endIndex
    if !hasCited, let stop = text.firstIndex(where: { ".!?".contains($0) }) { end = min(end, stop) }
    let whole = passed + text
    let offset = passed.count
    if let claim = Claim.all(in: whole).first(where: {
      whole.distance(from: whole.startIndex, to: $0.range.upperBound) > offset
    }) {
      let place = max(0, whole.distance(from: whole.startIndex, to: claim.range.lowerBound) - offset)
      end = min(end, text.index(text.startIndex, offsetBy: place))
    }
    // A word that is not complete may become a name's first part or a number.
    if end == text.endIndex, let space = text.lastIndex(where: \.isWhitespace) { end = space }
    if end == text.endIndex, !text.isEmpty { end = text.startIndex }
    // A capital at a sentence's end may begin a name of two words.
    while end > text.startIndex {
      let before = text[..<end]
      let start = before.lastIndex(where: \.isWhitespace).map { text.index(after: $0) } ?? text.startIndex
      guard let first = before[start...].first(where: { $0.isLetter || $0.isNumber }), first.isUppercase else {
        break
      }
      end = start
      while end > text.startIndex, text[text.index(before: end)].isWhitespace { end = text.index(before: end) }
    }
    return end
  }

  private mutating func check(_ stretch: CitedSentence) async throws -> String {
    let whole = passed + stretch.text
    defer { passed = "" }
    guard !stretch.citations.isEmpty else {
      let matched = try await match(whole, behind: passed)
      return String(matched.dropFirst(passed.count))
    }
    hasCited = true
    let claims = Claim.all(in: whole)
    for number in stretch.citations {
      cited.insert(number)
      try await widen(number, for: whole, claims)
    }
    let outcome = checker.check(
      [CitedSentence(text: whole, citations: stretch.citations)],
      sources: stretch.citations.compactMap { quoted[$0] },
      context: Dictionary(
        stretch.citations.map { ($0, context(of: $0)) }, uniquingKeysWith: { first, _ in first }),
      opens: { $0.quote })
    unverified += outcome.unverified + outcome.broken.map { "[\($0)]" }
    // The text let through had no claims, so it stands unchanged at the beginning.
    return String(outcome.answer.dropFirst(passed.count))
  }

  /// Stretches of an answer. A number that no passage has may be one of their own, as papers number their references.
  func stretches(of answer: String) -> [CitedSentence] {
    CitedSentence.split(answer) { number in
      places[number] == nil
        && places.values.contains { place in
          CitedSentence.split(place.passage.passage.text).contains { $0.citations.contains(number) }
        }
    }
  }

  /// Finds the matching passage of each sentence that cites nothing, and marks numbers and names that match none.
  /// - Parameter shown: the beginning that was let through; nothing is inserted into it.
  private mutating func match(_ whole: String, behind shown: String) async throws -> String {
    var result = ""
    var written = whole.startIndex
    for range in Sentences.split(whole) where range.upperBound > shown.utf8.count {
      let start = whole.utf8.index(whole.startIndex, offsetBy: range.lowerBound)
      let end = whole.utf8.index(whole.startIndex, offsetBy: range.upperBound)
      let sentence = String(whole[start..<end])
      let claims = Claim.all(in: sentence)
      if let number = matching.place(of: sentence, claims, among: places) {
        try await widen(number, for: sentence, claims)
        matchedCount += 1
        result += whole[written..<end] + " [\(number)]"
        written = end
        continue
      }
      guard !claims.isEmpty else { continue }
      uncitedCount += 1
      for claim in claims where !matching.knows(claim, among: places) {
        let claimEnd = whole.utf8.index(start, offsetBy: sentence[..<claim.range.upperBound].utf8.count)
        guard whole.utf8.distance(from: whole.startIndex, to: claimEnd) > shown.utf8.count else { continue }
        result += whole[written..<claimEnd] + " " + CitationChecker.mark
        written = claimEnd
        unverified.append(String(sentence[claim.range]))
      }
    }
    return result + whole[written...]
  }

  private func context(of number: Int) -> String {
    ((places[number]?.passage.passage.headings ?? []) + [question]).joined(separator: "\n")
  }

  /// Widens the quote of a number to cover one more sentence that cites it, and cuts it from the stored text.
  private mutating func widen(_ number: Int, for sentence: String, _ claims: [Claim]) async throws {
    guard let place = places[number] else { return }
    let found = QuoteWindow.range(for: sentence, claims: claims, in: place.passage.passage.text)
    let window = windows[number].map {
      min($0.lowerBound, found.lowerBound)..<max($0.upperBound, found.upperBound)
    }
    if let window, window == windows[number] { return }
    var writer = CitationWriter(library: library)
    _ = try await writer.cite(window ?? found, of: place)
    guard var source = writer.sources.first else { return }
    source.number = number
    windows[number] = window ?? found
    quoted[number] = source
  }
}

/// Finds the sentences of a passage that a sentence of an answer rests on.
enum QuoteWindow {
  /// Stretch, in UTF-8 offsets of the passage's text, from the first to the last sentence needed.
  static func range(for sentence: String, claims: [Claim], in passage: String) -> Range<Int> {
    let units = Sentences.split(passage)
    guard !units.isEmpty else { return 0..<passage.utf8.count }
    let bytes = Array(passage.utf8)
    let texts = units.map { String(decoding: bytes[$0], as: UTF8.self) }
    let wanted = terms(sentence)
    let scores = texts.map { text in terms(text).intersection(wanted).count }
    var needed: Set<Int> = []
    if let best = scores.max(), best > 0, let place = scores.firstIndex(of: best) { needed.insert(place) }
    for claim in claims {
      let holding = texts.indices.filter { QuotedWords([texts[$0]]).supports(claim) }
      // The sentence that is needed anyway, else the one with most words in common.
      if !holding.isEmpty, needed.isDisjoint(with: holding) {
        needed.insert(holding.max { (scores[$0], $1) < (scores[$1], $0) } ?? holding[0])
      }
    }
    guard let first = needed.min(), let last = needed.max() else { return 0..<passage.utf8.count }
    return units[first].lowerBound..<units[last].upperBound
  }

  private static func terms(_ text: String) -> Set<String> {
    Set(
      Words.split(text).filter { !$0.kind.isAdditional }.map { Folding.fold($0.text) }.filter { $0.count > 2 })
  }
}
