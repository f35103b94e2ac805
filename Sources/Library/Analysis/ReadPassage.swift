import Documents
import Linguistics

/// Passage split into sentences (or rows and items) and words.
struct ReadPassage: Sendable {
  /// Sentence, row or item.
  struct Unit: Sendable {
    /// Range of bytes in the passage's text.
    let range: Range<Int>
    /// Range of the passage's tokens.
    let tokens: Range<Int>
    /// Indicates whether a paragraph begins with it.
    let startsParagraph: Bool
    /// Indicates whether it is the heading of the following text.
    let isHeading: Bool
  }

  /// Index of the passage in the evidence.
  let index: Int
  let form: PassageForm
  let text: String
  /// Row that names the columns of a table, where one is known.
  let header: String?
  /// Indicates whether ``header`` is the first unit; otherwise it stands above, in an earlier passage.
  let hasHeaderRow: Bool
  let tokens: [Token]
  let units: [Unit]
  /// Stems of the title and the headings.
  let headingStems: Set<String>
  /// Stems of the text.
  let stems: Set<String>

  init(_ evidence: Evidence, index: Int, language: Language = .english) {
    self.index = index
    form = evidence.passage.form
    let text = evidence.passage.text
    self.text = text
    let tokens = Token.scan(text, in: language)
    self.tokens = tokens
    stems = Set(tokens.map(\.stem))
    headingStems = Set(
      (evidence.passage.headings + [evidence.title]).flatMap { Token.scan($0, in: language) }.map(\.stem))
    let units = Self.units(of: text, form: form, tokens: tokens, headings: evidence.passage.headings)
    self.units = units
    let above = evidence.passage.headings.last
    if form == .table, let above, above.contains(" | ") {
      (header, hasHeaderRow) = (above, false)
    } else if form == .table, units.count > 1, let first = units.first,
      !tokens[first.tokens].contains(where: \.isNumber)
    {
      (header, hasHeaderRow) = (text.utf8Slice(first.range), true)
    } else {
      (header, hasHeaderRow) = (nil, false)
    }
  }

  /// Splits a text into units in order, each with its tokens.
  private static func units(
    of text: String, form: PassageForm, tokens: [Token], headings: [String]
  ) -> [Unit] {
    let bytes = Array(text.utf8)
    // A passage of any form may hold paragraphs; a line that is no row or item is split into sentences.
    let ranges = form == .prose || form == .list ? Sentences.split(text) : lines(of: bytes)
    var units: [Unit] = []
    var token = 0
    for range in ranges {
      while token < tokens.count, tokens[token].range.lowerBound < range.lowerBound { token += 1 }
      let first = token
      while token < tokens.count, tokens[token].range.lowerBound < range.upperBound { token += 1 }
      guard first < token else { continue }
      var before = range.lowerBound - 1
      while before >= 0, bytes[before] == 0x20 { before -= 1 }
      let startsParagraph = before < 0 || bytes[before] == 0x0A
      // In code "#" begins a comment.
      let isParagraph =
        (form == .prose || form == .list) && startsParagraph
        && range.upperBound < bytes.count && bytes[range.upperBound] == 0x0A
      units.append(
        Unit(
          range: range, tokens: first..<token, startsParagraph: startsParagraph,
          isHeading: isParagraph && isHeading(text.utf8Slice(range), headings)))
    }
    return units
  }

  /// Indicates whether a paragraph is a heading: by its marks in Markdown, by a clause number as in contracts and
  /// laws, or because it is one of the headings above the passage.
  private static func isHeading(_ paragraph: String, _ headings: [String]) -> Bool {
    let marks = paragraph.prefix { $0 == "#" }.count
    if (1...6).contains(marks), paragraph.dropFirst(marks).first == " " { return true }
    let words = paragraph.split(separator: " ", maxSplits: 8)
    if words.count > 1, words.count <= 8, parts.contains(words[0].lowercased()),
      words[1].first?.isNumber == true || words[1].allSatisfy({ "IVXLivxl.".contains($0) }),
      words.last?.last.map({ ".!?;,".contains($0) }) == false
    {
      return true
    }
    return headings.contains(paragraph)
  }

  /// Names for the parts of contracts and laws.
  static let parts: Set = [
    "§", "article", "section", "clause", "chapter", "schedule", "artikel", "abschnitt", "kapitel", "paragraf",
    "chapitre",
    "artículo", "capítulo", "articolo", "capitolo", "artigo",
  ]

  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == 0x0A {
      if start < end { ranges.append(start..<end) }
      start = end + 1
    }
    return ranges
  }
}
