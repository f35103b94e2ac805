import Linguistics

/// Analysis of one question by its question word and the words that follow it.
struct QuestionReading {
  private(set) var kind = QuestionKind.about
  private(set) var expects = AnswerType.clause
  private(set) var focus: String?
  private(set) var subjects: [String] = []
  private(set) var needsAllPassages = false
  /// Indices of words that only ask and are not looked for.
  private(set) var asking: Set<Int> = []

  private let words: [Token]
  private let text: String

  init(words: [Token], text: String, language: Language = .english) {
    self.words = words
    self.text = text
    guard !words.isEmpty else { return }
    if language != .english, readForeign(language) { return }
    if readRequest() { return }
    guard let place = questionWord() else {
      readWithoutQuestionWord()
      return
    }
    asking.insert(place)
    switch word(place) {
    case "who", "whom", "whose", "whos": readWho(place)
    case "when": set(.fact, .date)
    case "where", "wheres": set(.fact, .place)
    case "why": set(.reason, .clause)
    case "how": readHow(place)
    default: readWhat(place)
    }
  }

  /// Reads only the answer type of a question in another language, from its question word.
  private mutating func readForeign(_ language: Language) -> Bool {
    if let type = ForeignQuestionTable.asked(by: text) {
      set(.fact, type)
      return true
    }
    let reading = AskingWords.read(words.map(\.folded), in: language)
    guard !reading.places.isEmpty else { return false }
    asking = reading.places
    // "Darf ich …" has no word that tells the type.
    if let asked = reading.asked { set(.fact, AnswerType(asked)) }
    return true
  }

  // MARK: Finding the question word

  private static let questionWords = QuestionWords.english.union(["whats", "whos", "wheres"])

  /// Returns the index of the question word: the first, unless it opens a clause before the main question ("When the
  /// war ended, who ruled?") or is a relative pronoun ("… of Rome, which …").
  private func questionWord() -> Int? {
    let places = words.indices.filter { Self.questionWords.contains(word($0)) }
    guard let first = places.first else { return nil }
    if QuestionTable.auxiliaries.contains(word(0)), first > 0 {
      // "Is it known who …" asks yes or no.
      return nil
    }
    let opensClause =
      ["when", "where", "while", "how"].contains(word(first))
      && !(QuestionTable.auxiliaries.contains(word(first + 1)) || word(first) == "how")
    if opensClause || (first > 0 && ["which", "who", "whose", "where", "when"].contains(word(first))) {
      let later = places.dropFirst().first { ["what", "who", "which", "how"].contains(word($0)) }
      if let later, opensClause || word(later) == "what" { return later }
    }
    return first
  }

  private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index].folded : "" }

  /// Indicates whether the question word is contracted with a copula: "what's", "who's".
  private func isContracted(_ place: Int) -> Bool {
    words[place].text.utf8.count > word(place).utf8.count || ["whats", "whos", "wheres"].contains(word(place))
  }

  private mutating func set(_ kind: QuestionKind, _ type: AnswerType) {
    self.kind = kind
    expects = type
  }

  // MARK: Requests: compare, summarise, list, define

  private mutating func readRequest() -> Bool {
    let folded = words.map(\.folded)
    if readComparison(folded) { return true }
    let opening = folded.prefix(4)
    let summaryWords: Set<String> = ["summarize", "summarise", "summary", "overview", "tldr", "gist", "outline"]
    if opening.contains(where: summaryWords.contains) || folded.joined(separator: " ").contains("main points")
      || folded.joined(separator: " ").contains("key points")
    {
      set(.summary, .clause)
      markRequestWords()
      needsAllPassages = true
      return true
    }
    var start = 0
    while start < folded.count, ["please", "can", "could", "you", "now", "and"].contains(folded[start]) {
      start += 1
    }
    guard start < folded.count else { return false }
    switch folded[start] {
    case "list", "enumerate":
      set(.list, .name)
      asking.formUnion(0...start)
    case "name" where folded.count > start + 1:
      set(.list, .name)
      asking.formUnion(0...start)
    case "count":
      set(.count, .number)
      asking.formUnion(0...start)
    case "define":
      set(.definition, .clause)
      asking.formUnion(0...start)
      subjects = [phrase(from: start + 1, to: words.count)]
    case "tell", "give", "show", "explain", "describe", "find":
      asking.formUnion(words.indices.filter { QuestionTable.requestWords.contains(folded[$0]) && $0 <= start + 2 })
      guard questionWord() == nil else { return false }
      let isAll = folded.contains("all") || folded.contains("every")
      set(isAll ? .list : .about, .clause)
    default: return false
    }
    needsAllPassages =
      kind == .count || folded.contains("all") || folded.contains("every") || folded.contains("each")
    if needsAllPassages {
      asking.formUnion(folded.indices.filter { ["all", "every", "each"].contains(folded[$0]) })
    }
    if kind == .list { readFocus(from: start + 1) }
    return true
  }

  private mutating func readComparison(_ folded: [String]) -> Bool {
    func sides(from start: Int, joinedBy joiners: Set<String>) -> [String]? {
      guard let middle = folded.indices.first(where: { $0 > start && joiners.contains(folded[$0]) }),
        middle + 1 < words.count
      else { return nil }
      let sides = [phrase(from: start, to: middle), phrase(from: middle + 1, to: words.count)]
      return sides.contains("") ? nil : sides
    }
    var found: [String]?
    var marks: Set<Int> = []
    if let place = folded.firstIndex(where: { ["difference", "differences", "distinction"].contains($0) }),
      let between = folded[place...].firstIndex(of: "between")
    {
      found = sides(from: between + 1, joinedBy: ["and"])
      marks = Set(0...between)
    } else if let place = folded.firstIndex(of: "compare"), place <= 3 {
      found = sides(from: place + 1, joinedBy: ["and", "with", "to", "versus", "against"])
      marks = Set(0...place)
    } else if let place = folded.firstIndex(where: { ["vs", "versus"].contains($0) }), place > 0 {
      found = sides(from: 0, joinedBy: ["vs", "versus"])
    } else if folded.first == "how",
      let differ = folded.firstIndex(where: { ["differ", "differs"].contains($0) }),
      let from = folded[differ...].firstIndex(of: "from"), from + 1 < words.count, differ > 2
    {
      found = [phrase(from: 2, to: differ), phrase(from: from + 1, to: words.count)]
      marks = [0, 1, differ, from]
    }
    guard let found else { return false }
    set(.compare, .clause)
    subjects = found
    asking = marks
    return true
  }

  private mutating func markRequestWords() {
    asking.formUnion(words.indices.filter { QuestionTable.requestWords.contains(word($0)) })
  }

  // MARK: By question word

  private mutating func readWithoutQuestionWord() {
    let first = word(0)
    if QuestionTable.auxiliaries.contains(first) {
      set(.yesNo, .clause)
      asking.insert(0)
      return
    }
    // "Capital of Norway?": a noun that implies a type.
    readFocus(from: 0)
    if let focus, let type = type(of: focus) { set(.fact, type) } else { set(.about, .clause) }
  }

  private mutating func readWho(_ place: Int) {
    set(.fact, .person)
    // "Who is Kublai Khan?" asks for a description.
    let rest = isContracted(place) ? place + 1 : place + 2
    guard ["is", "are", "was", "were"].contains(word(place + 1)) || isContracted(place), rest < words.count else {
      return
    }
    let named = words[rest...]
    if named.allSatisfy({ $0.isCapitalised }) && named.count <= 5 {
      set(.definition, .clause)
      subjects = [phrase(from: rest, to: words.count)]
    }
  }

  private mutating func readHow(_ place: Int) {
    let next = word(place + 1)
    switch next {
    case "many":
      set(.fact, .number)
      asking.insert(place + 1)
      if let type = QuestionTable.measured[word(place + 2)] {
        expects = type
      } else {
        kind = .count
        needsAllPassages = true
      }
      readFocus(from: place + 2)
    case "much":
      set(.fact, .quantity)
      asking.insert(place + 1)
      if let type = QuestionTable.measured[word(place + 2)] {
        expects = type
      } else if words.contains(where: { QuestionTable.moneyVerbs.contains($0.folded) }) {
        expects = .money
      }
    case "come": set(.reason, .clause)
    default:
      if let asked = AskingWords.englishMeasure(next) {
        set(.fact, AnswerType(asked))
        asking.insert(place + 1)
      } else {
        set(.manner, .clause)
      }
    }
  }

  private mutating func readWhat(_ place: Int) {
    set(.fact, .clause)
    let next = word(place + 1)
    let isCopula = ["is", "are", "was", "were"].contains(next) || isContracted(place)
    let folded = words.map(\.folded)
    // "What is the tenant called?" asks for a name.
    if isCopula, place + 2 < words.count, ["called", "named"].contains(folded.last) {
      asking.insert(words.count - 1)
      set(.fact, .name)
      return
    }
    if folded.contains(where: QuestionTable.causeWords.contains) || folded.contains("led") && folded.contains("to")
    {
      kind = .reason
    }
    if folded.last == "mean" || folded.last == "for" && folded.contains("stand") || folded.contains("meaning") {
      kind = .definition
      asking.formUnion(folded.indices.filter { ["mean", "stand", "for", "meaning"].contains(folded[$0]) })
      readSubject(behind: place)
      return
    }
    let behind = isCopula && !isContracted(place) ? place + 2 : place + 1
    if isCopula, ["a", "an"].contains(word(behind)), kind == .fact {
      readDefinition(behind)
      if kind == .definition { return }
    }
    readFocus(from: behind, stopsAtVerb: !isCopula)
    guard let focus else { return }
    // "What name of a king", "what is the name of the king": the noun behind "of" implies the type.
    var noun = focus
    if ["name", "term", "title", "type", "kind", "sort", "word", "names"].contains(noun),
      let of = folded[(place + 1)...].firstIndex(of: "of"), let inner = headNoun(from: of + 1, stopsAtVerb: true)
    {
      if type(of: inner) != nil { noun = inner }
      // "the name of my dentist": only the dentist is looked for.
      if let place = folded[place...].firstIndex(of: focus), place < of { asking.insert(place) }
    }
    if let type = type(of: noun) {
      expects = type
      if isPlural(focus) && kind == .fact && isCopula { kind = .list }
    } else if !isCopula {
      expects = .name
      if isPlural(focus) && kind == .fact { kind = .list }
    } else if kind == .fact {
      readDefinition(behind)
    }
  }

  /// Recognises a definition, "What is a steam engine?": a copula, a noun phrase and nothing else.
  private mutating func readDefinition(_ behind: Int) {
    let rest = words.indices.filter { $0 >= behind }
    let connectors: Set<String> = [
      "of", "in", "for", "that", "to", "by", "with", "from", "on", "at", "as", "when",
    ]
    guard rest.count <= 6, !rest.contains(where: { connectors.contains(word($0)) }) else { return }
    kind = .definition
    readSubject(behind: behind - 1)
  }

  private mutating func readSubject(behind place: Int) {
    let rest = words.indices.filter { $0 > place && !asking.contains($0) && !words[$0].isStopWord }
    guard let first = rest.first, let last = rest.last else { return }
    subjects = [phrase(from: first, to: last + 1)]
  }

  // MARK: Nouns

  private mutating func readFocus(from start: Int, stopsAtVerb: Bool = false) {
    focus = headNoun(from: start, stopsAtVerb: stopsAtVerb)
  }

  /// Returns the head of the noun phrase that begins at a place; the phrase ends before a preposition, verb or break.
  private func headNoun(from start: Int, stopsAtVerb: Bool) -> String? {
    let ends: Set<String> = [
      "of", "in", "on", "at", "for", "to", "from", "by", "with", "that", "which", "who", "and", "or", "between",
      "where", "when", "as", "into", "during", "before", "after", "about", "than", "under", "per", "through",
    ]
    var last: String?
    var index = start
    while index < words.count {
      let current = word(index)
      if index > start && words[index].followsBreak { break }
      if ends.contains(current) || QuestionTable.auxiliaries.contains(current) { break }
      if !QuestionTable.articles.contains(current) && !(words[index].isStopWord && last == nil) {
        if last != nil && stopsAtVerb && type(of: last ?? "") != nil && type(of: current) == nil { break }
        if last != nil && (current.hasSuffix("ed") || words[index].isStopWord) { break }
        last = current
        // "Ansel Brook's phone number": the possessor is not the head.
      }
      index += 1
    }
    return last
  }

  private func type(of noun: String) -> AnswerType? {
    if noun == "number", words.contains(where: { ["phone", "telephone", "fax", "mobile"].contains($0.folded) }) {
      return .phone
    }
    if ["address"].contains(noun), words.contains(where: { ["email", "e-mail", "mail"].contains($0.folded) }) {
      return .email
    }
    if let type = QuestionTable.nouns[noun] { return type }
    return Self.singulars(of: noun).lazy.compactMap { QuestionTable.nouns[$0] }.first
  }

  private func isPlural(_ noun: String) -> Bool {
    noun.hasSuffix("s") && !noun.hasSuffix("ss") && !noun.hasSuffix("us") && !noun.hasSuffix("is")
      || noun == "people"
      || noun == "men" || noun == "women" || noun == "children"
  }

  static func singulars(of noun: String) -> [String] {
    var forms: [String] = []
    if noun.hasSuffix("ies") { forms.append(noun.dropLast(3) + "y") }
    if noun.hasSuffix("es") { forms.append(String(noun.dropLast(2))) }
    if noun.hasSuffix("s") { forms.append(String(noun.dropLast())) }
    if noun.hasSuffix("men") { forms.append(noun.dropLast(3) + "man") }
    return forms
  }

  /// Returns the text from one word up to but not including another.
  private func phrase(from start: Int, to end: Int) -> String {
    guard start < end, end <= words.count else { return "" }
    var first = start
    while first < end - 1, QuestionTable.articles.contains(words[first].folded) { first += 1 }
    let utf8 = text.utf8
    let lower = utf8.index(utf8.startIndex, offsetBy: words[first].range.lowerBound)
    let upper = utf8.index(utf8.startIndex, offsetBy: words[end - 1].range.upperBound)
    return String(text[lower..<upper])
  }

  /// Returns the texts between quotation marks of one kind, without the marks.
  static func quotedPhrases(in text: String) -> [String] {
    let closing: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»"]
    var phrases: [String] = []
    var current: String?
    var closer: Character = "\""
    for character in text {
      if let phrase = current {
        if character == closer {
          if phrase.contains(where: { !$0.isWhitespace }) { phrases.append(phrase) }
          current = nil
        } else {
          current = phrase + String(character)
        }
      } else if let mark = closing[character] {
        closer = mark
        current = ""
      }
    }
    return phrases
  }
}
