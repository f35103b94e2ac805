import Foundation
import Linguistics
import Persistence

/// Interprets a query with the library's own vocabulary: dates and numbers, acronyms, misspelt words.
struct QueryReader {
  let index: KeywordIndex
  private(set) var understanding = QueryUnderstanding()
  private(set) var terms: [QueryTerm]

  /// Reads the words of a query; acronyms are those that documents introduce.
  init(_ text: String, index: KeywordIndex) {
    self.index = index
    terms = QueryTerms.terms(of: text, in: index.languages)
    addValues(of: text)
    do throws(DatabaseError) {
      try addLongForms()
      try addShortForms(of: text)
    } catch {
      // Without the table of acronyms, the words are searched as they are.
    }
  }

  private mutating func addValues(of text: String) {
    let bytes = Array(text.utf8)
    for value in ValueReader.values(in: text).prefix(8)
    where !terms.contains(where: { $0.forms.contains(value.term) }) {
      let typed = String(decoding: bytes[value.range], as: UTF8.self)
      terms.append(QueryTerm(text: typed, forms: [value.term], weight: 1))
      let shown = value.term.hasPrefix("#") ? String(value.term.dropFirst()) : value.term
      understanding.expansions.append(.init(typed: typed, sought: [shown]))
    }
  }

  /// Adds the long forms of an acronym.
  private mutating func addLongForms() throws(DatabaseError) {
    for place in terms.indices.prefix(24) {
      let longs = try index.database.rows(
        "SELECT long FROM acronyms WHERE short=? GROUP BY long ORDER BY count(*) DESC, long LIMIT 3",
        terms[place].forms[0]
      ) { row throws(DatabaseError) in row.text(0) }
      guard !longs.isEmpty else { continue }
      terms[place].phrases = longs.map { $0.split(separator: " ").map(String.init) }
      understanding.expansions.append(.init(typed: terms[place].text, sought: longs))
    }
  }

  /// Adds the acronyms of a long form.
  private mutating func addShortForms(of text: String) throws(DatabaseError) {
    let words = Array(Acronym.terms(of: text).prefix(48))
    for start in words.indices {
      for end in start + 2...max(start + 8, start + 2) where end <= words.count {
        let long = words[start..<end].joined(separator: " ")
        let shorts = try index.database.rows(
          "SELECT short FROM acronyms WHERE long=? GROUP BY short ORDER BY count(*) DESC, short LIMIT 2", long
        ) { row throws(DatabaseError) in row.text(0) }
        for short in shorts where !terms.contains(where: { $0.forms.contains(short) }) {
          terms.append(QueryTerm(text: short, forms: [short], phrases: [Array(words[start..<end])], weight: 1))
          understanding.expansions.append(.init(typed: long, sought: [short]))
        }
      }
    }
  }

  /// Replaces a word that no document has by the nearest word of the library, where there is one.
  mutating func correct(_ place: Int) throws(SegmentError) {
    let term = terms[place]
    guard let best = try Speller(index: index).nearest(to: term.text) else { return }
    terms[place].forms = [best.term]
    understanding.corrections.append(.init(typed: term.text, sought: best.word))
  }
}
