import Linguistics

/// A question as the rules read it: what it asks for and which words to look for.
package struct Question: Sendable, Equatable {
  /// The question as it was put.
  package let text: String
  /// What it asks one to do.
  package let kind: QuestionKind
  /// What kind of thing would answer it.
  package let expects: AnswerType
  /// The words to look for, folded and stemmed, in order of appearance.
  package let terms: [String]
  /// What stands in quotation marks, as written.
  package let phrases: [String]
  /// The noun that the question word goes with ("which *engine*"), folded; nil where there is none.
  package let focus: String?
  /// What a definition explains or a comparison sets side by side, as written.
  package let subjects: [String]
  /// Whether a complete answer needs every passage: counting, or listing all.
  package let needsAllPassages: Bool
  /// Whether a good answer draws on several documents: a comparison, or a question which documents say something.
  package let spansDocuments: Bool
  /// The language in which it is put.
  let language: Language
  /// The words of the question.
  let words: [Token]
  /// The places in `words` that are looked for.
  let termIndices: [Int]

  /// Reads a question; any text will do.
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

  /// Whether a noun for documents stands behind a word that asks for several: "which of the contracts", "all letters".
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
