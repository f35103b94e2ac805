import Linguistics

/// Question as the rules read it: its kind, the type of its answer, and the terms to look for.
package struct Question: Sendable, Equatable {
  /// Question as asked.
  package let text: String
  /// Kind of question.
  package let kind: QuestionKind
  /// Expected type of the answer.
  package let expects: AnswerType
  /// Terms to look for, folded and stemmed, in order of appearance.
  package let terms: [String]
  /// Text in quotation marks, as written.
  package let phrases: [String]
  /// Noun that belongs to the question word ("which *engine*"), folded; nil where there is none.
  package let focus: String?
  /// Subjects of a definition or a comparison, as written.
  package let subjects: [String]
  /// Indicates whether a complete answer needs every passage: counting, or listing all.
  package let needsAllPassages: Bool
  /// Indicates whether a good answer draws on several documents: a comparison, or a question for documents that say
  /// something.
  package let spansDocuments: Bool
  /// Language of the question.
  let language: Language
  /// Words of the question.
  let words: [Token]
  /// Indices in `words` of the terms.
  let termIndices: [Int]

  /// Reads a question; any text is valid.
  package init(_ text: String) {
    self.text = text
    let plain = QuestionParticles.blanked(text)
    let language = Language.ofQuestion(Words.split(plain).lazy.filter { !$0.kind.isAdditional }.map(\.text))
    self.language = language
    let words = Token.scan(plain, in: language)
    self.words = words
    let reading = QuestionReading(words: words, text: text, language: language)
    kind = reading.kind
    expects = reading.expects
    focus = reading.focus
    subjects = reading.subjects
    needsAllPassages = reading.needsAllPassages
    spansDocuments = reading.kind == .compare || Self.asksForDocuments(words.map(\.folded))
    phrases = QuestionReading.quotedPhrases(in: text)
    var indices = words.indices.filter { !words[$0].isStopWord && !reading.asking.contains($0) }
    if indices.isEmpty { indices = words.indices.filter { !words[$0].isStopWord } }
    termIndices = indices
    var seen: Set<String> = []
    terms = indices.map { words[$0].stem }.filter { seen.insert($0).inserted }
  }

  /// Indicates whether a noun for documents follows a word that asks for several: "which of the contracts", "all
  /// letters".
  private static func asksForDocuments(_ words: [String]) -> Bool {
    let asking: Set<String> = ["which", "what", "all", "every", "each", "across", "list", "many", "any"]
    return words.indices.contains { place in
      QuestionTable.documentNouns.contains(words[place])
        && words[..<place].suffix(3).contains(where: asking.contains)
    }
  }

  /// Compares the texts.
  package static func == (left: Question, right: Question) -> Bool { left.text == right.text }
}
