import Linguistics

/// One term of a query: the forms under which the index may have it.
struct QueryTerm: Hashable {
  /// As typed, folded.
  var text: String
  /// The indexed forms: the stem (English documents), the word itself (others), a number in digits or letters.
  var forms: [String]
  /// Terms that stand for it where they follow each other: what an acronym is short for.
  var phrases: [[String]] = []
  /// How often the query has it.
  var weight: Double
}

/// The terms of a query or of free text.
enum QueryTerms {
  /// More terms than this are not looked up: a pasted page is not a question.
  static let most = 96

  /// The terms that tell passages apart: stop words are dropped unless nothing else is left.
  static func terms(of text: String) -> [QueryTerm] { grouped(words(of: text)) }

  /// The first form of each word that tells passages apart, in the order of the text.
  static func sequence(of text: String) -> [String] {
    words(of: text).filter { !$0.kind.isAdditional }.map { forms(of: $0)[0] }
  }

  private static func words(of text: String) -> [Word] {
    let words = Words.split(text).filter { $0.kind != .shortGram }
    let language = Language.guess(from: words.lazy.map(\.text))
    let bytes = Array(text.utf8)
    let kept = words.filter { word in
      if isName(bytes[word.range]) { return true }
      return !StopWords.contains(word.text, in: .english)
        && !(language != .english && StopWords.contains(word.text, in: language))
    }
    return kept.isEmpty ? words : kept
  }

  /// Capitals are an acronym ("WHO", "US", "IT"), not a stop word.
  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    word.count > 1 && word.allSatisfy { $0 &- 0x41 < 26 || $0 == UInt8(ascii: ".") }
  }

  private static func grouped(_ words: [Word]) -> [QueryTerm] {
    var terms: [QueryTerm] = []
    var places: [String: Int] = [:]
    for word in words {
      let forms = forms(of: word)
      if let place = places[forms[0]] {
        terms[place].weight += 1
        for form in forms where !terms[place].forms.contains(form) { terms[place].forms.append(form) }
      } else if terms.count < most {
        places[forms[0]] = terms.count
        terms.append(QueryTerm(text: word.text, forms: forms, weight: 1))
      }
    }
    return terms
  }

  static func forms(of word: Word) -> [String] {
    var forms = [TextAnalyzer.term(for: word, in: .english)]
    if forms[0] != word.text { forms.append(word.text) }
    if let other = NumberWordsTable.otherForm[word.text], !forms.contains(other) { forms.append(other) }
    return forms
  }
}
