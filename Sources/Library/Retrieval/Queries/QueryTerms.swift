import Linguistics

/// Term of a query with the forms under which the index may have it.
struct QueryTerm: Hashable {
  /// Text as typed, folded.
  var text: String
  /// Indexed forms: stems in the languages of the documents, the word itself, a number in digits or letters.
  var forms: [String]
  /// Phrases that stand for the term: the long forms of an acronym.
  var phrases: [[String]] = []
  /// Number of times that the query has it.
  var weight: Double
}

/// Terms of a query or of free text.
enum QueryTerms {
  /// Largest number of terms that are looked up: a pasted page is not a question.
  static let most = 96

  /// Returns the terms that tell passages apart: stop words are dropped unless nothing else is left.
  /// - Parameter languages: the languages of the documents.
  static func terms(of text: String, in languages: [Language]) -> [QueryTerm] {
    grouped(words(of: text), in: languages)
  }

  /// Returns the first form of each word that is no stop word, in the order of the text.
  static func sequence(of text: String) -> [String] {
    words(of: text).filter { !$0.kind.isAdditional }.map { TextAnalyzer.term(for: $0, in: .english) }
  }

  /// Indicates whether a query is in English, as far as its words tell.
  static func isEnglish(_ text: String) -> Bool {
    Language.ofQuestion(Words.split(text).lazy.filter { !$0.kind.isAdditional }.map(\.text)) == .english
  }

  private static func words(of text: String) -> [Word] {
    let text = QuestionParticles.blanked(text)
    let words = Words.split(text).filter { $0.kind != .shortGram }
    let language = Language.guess(from: words.lazy.map(\.text))
    let bytes = Array(text.utf8)
    let asking = asking(in: words)
    let telling = words.filter { word in
      if isName(bytes[word.range]) { return true }
      return !StopWords.contains(word.text, in: .english)
        && !(language != .english && StopWords.contains(word.text, in: language))
    }
    // "How much?" has nothing but question words.
    let kept = telling.filter { !asking.contains($0.range.lowerBound) }
    return [kept, telling].first { !$0.isEmpty } ?? words
  }

  /// Returns the offsets of words that only say what is asked for: "long" in "How long is the notice period?"
  private static func asking(in words: [Word]) -> Set<Int> {
    let plain = words.filter { !$0.kind.isAdditional }
    let folded = plain.map(\.text)
    return Set(AskingWords.read(folded, in: .ofQuestion(folded)).places.map { plain[$0].range.lowerBound })
  }

  /// Indicates whether a word in capitals is an acronym ("WHO", "US", "IT"), not a stop word.
  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    word.count > 1 && word.allSatisfy { $0 &- 0x41 < 26 || $0 == UInt8(ascii: ".") }
  }

  private static func grouped(_ words: [Word], in languages: [Language]) -> [QueryTerm] {
    var terms: [QueryTerm] = []
    var places: [String: Int] = [:]
    for word in words {
      let forms = forms(of: word, in: languages)
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

  private static func forms(of word: Word, in languages: [Language]) -> [String] {
    var forms = [TextAnalyzer.term(for: word, in: .english)]
    if forms[0] != word.text { forms.append(word.text) }
    for language in languages {
      let form = TextAnalyzer.term(for: word, in: language)
      if !forms.contains(form) { forms.append(form) }
    }
    if let other = NumberWordsTable.otherForm[word.text], !forms.contains(other) { forms.append(other) }
    return forms
  }
}
