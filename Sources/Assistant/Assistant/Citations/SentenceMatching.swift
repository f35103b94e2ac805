import Documents
import Linguistics
import Retrieval

/// Finds the passage behind a sentence that cites none, by its words, numbers and names.
struct SentenceMatching {
  private let question: QuotedWords
  private let asked: Set<String>

  init(question: String) {
    self.question = QuotedWords([question])
    asked = Self.terms(question)
  }

  /// Number of the passage that matches a sentence best; nil where none does.
  ///
  /// Every number and name has to stand in the passage or in the question, one of them in the passage, together with
  /// words that they share; a sentence without numbers and names has to share most of its words.
  func place(of sentence: String, _ claims: [Claim], among places: [Int: PassagePlace]) -> Int? {
    let terms = Self.terms(sentence)
    var best: (number: Int, score: Int)?
    for (number, place) in places.sorted(by: { $0.key < $1.key }) {
      let words = Self.words(of: place)
      let held = claims.count { words.supports($0) || Self.stands($0, at: place) }
      guard held > 0 || claims.isEmpty,
        claims.allSatisfy({ words.supports($0) || Self.stands($0, at: place) || question.supports($0) })
      else { continue }
      let own = Self.terms(place.passage.passage.text)
      let shared = terms.intersection(own).count
      let isEnough =
        claims.isEmpty
        ? terms.count >= 3 && shared * 10 >= terms.count * 6
        : shared * 3 >= terms.count && (shared > 0 || !asked.isDisjoint(with: own))
      guard isEnough else { continue }
      let score = 2 * held + 2 * shared + asked.intersection(own).count
      if score > best?.score ?? 0 { best = (number, score) }
    }
    return best?.number
  }

  /// Indicates whether a number or a name stands in the question or in any of the passages.
  func knows(_ claim: Claim, among places: [Int: PassagePlace]) -> Bool {
    question.supports(claim)
      || places.values.contains { Self.words(of: $0).supports(claim) || Self.stands(claim, at: $0) }
  }

  private static func words(of place: PassagePlace) -> QuotedWords {
    let passage = place.passage.passage
    return QuotedWords([passage.text, place.document.title ?? place.document.name] + passage.headings)
  }

  /// Indicates whether a number is that of a page or line of the passage.
  private static func stands(_ claim: Claim, at place: PassagePlace) -> Bool {
    guard let number = Int(claim.folded) else { return false }
    let (start, end) = (place.passage.passage.span.start, place.passage.passage.span.end)
    switch claim.kind {
    case .page: return place.document.kind.hasPages && (start.page...max(start.page, end.page)).contains(number)
    case .line: return start.page == end.page && (start.line...max(start.line, end.line)).contains(number)
    default: return false
    }
  }

  /// Stems of the words that carry meaning.
  private static func terms(_ text: String) -> Set<String> {
    var terms: Set<String> = []
    for word in Words.split(text) where !word.kind.isAdditional {
      let folded = Folding.fold(word.text)
      if folded.count > 2, !StopWords.contains(folded) { terms.insert(Stemmer.stem(folded)) }
    }
    return terms
  }
}
