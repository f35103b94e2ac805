/// The words of a sentence while the router reads them.
struct RoutedRequest {
  /// In small letters; commas, colons and the like are words of their own.
  private(set) var words: [String]
  /// Indicates whether it ends with a question mark.
  private(set) var isQuestion: Bool

  init(_ sentence: String) {
    var words: [String] = []
    var word = ""
    for character in sentence.prefix(4000).lowercased() {
      if character.isLetter || character.isNumber || character == "-" {
        word.append(character)
      } else if character == "'" || character == "’" {
        word.append("'")
      } else {
        if !word.isEmpty { words.append(word) }
        word = ""
        if ",:;.!?".contains(character) { words.append(String(character)) }
      }
    }
    if !word.isEmpty { words.append(word) }
    isQuestion = words.last == "?"
    while let last = words.last, [".", "!", "?", ";"].contains(last) { words.removeLast() }
    self.words = words
  }

  func dropping(_ count: Int) -> RoutedRequest {
    var rest = self
    rest.words = Array(words.dropFirst(count))
    return rest
  }

  mutating func dropFillers() {
    while let first = words.first, RouterTable.fillers.contains(first) { words.removeFirst() }
  }

  /// Drops the recipient: "… me", "… for my brother".
  mutating func dropRecipient() {
    if words.count > 2, words[0] == "for", ["me", "us", "him", "her", "them"].contains(words[1]) {
      words.removeFirst(2)
    }
    while let first = words.first,
      ["me", "us", "him", "them", "mir", "uns", "moi", "nous", "please", "just", "up"].contains(first)
    {
      if first == "up" { break }
      words.removeFirst()
    }
  }

  /// Beginnings of a request before its own words.
  struct Opening {
    /// "could you please": a deed follows.
    var asks: [String]?
    /// "i would like": a thing follows.
    var wish: [String]?
  }

  /// Removes greetings, courtesies and the opening of the request.
  mutating func takeOpening() -> Opening {
    dropFillers()
    if let wish = takeOpening(RouterTable.wishes) { return Opening(wish: wish) }
    let asks = takeOpening(RouterTable.openings)
    dropFillers()
    return Opening(asks: asks, wish: takeOpening(RouterTable.wishes))
  }

  /// Removes one of some beginnings.
  private mutating func takeOpening(_ openings: [[String]]) -> [String]? {
    guard let found = openings.first(where: { words.starts(with: $0) }) else { return nil }
    words.removeFirst(found.count)
    return found
  }

  /// Indicates whether it begins with one of some phrases.
  func begins(with phrases: [String]) -> Bool {
    phrases.contains { words.starts(with: $0.split(separator: " ").map(String.init)) }
  }

  // MARK: Pictures

  /// Position of the word for a picture that the phrase is about; nil where it is about something else.
  var mediumPlace: Int? {
    for (place, word) in words.enumerated().prefix(8) {
      if place > 0,
        ["of", ":", ",", "that", "with", "for", "from", "in", "on", "about", "to", "at", "and"].contains(word)
      {
        return nil
      }
      guard RouterTable.media.contains(word) else { continue }
      guard place + 1 < words.count else { return place }
      let next = words[place + 1]
      if RouterTable.afterMedia.contains(next) { return place }
      // "A pencil drawing", "an oil painting", "a comic portrait": the last one counts.
      if !RouterTable.media.contains(next) { return nil }
    }
    return nil
  }

  /// The phrase that says what the picture shows.
  var pictureObject: RoutedRequest? {
    guard let place = mediumPlace, place + 2 < words.count,
      ["of", "about", "showing", "depicting", "illustrating", "representing"].contains(words[place + 1])
    else { return nil }
    return dropping(place + 2)
  }

  /// Indicates whether a picture is meant figuratively: "the big picture", "an overall picture".
  var isFigurative: Bool {
    guard let place = mediumPlace, ["picture", "image"].contains(words[place]) else { return false }
    return words[..<place].contains { RouterTable.figurative.contains($0) }
  }

  /// Indicates whether a medium follows, which makes it a picture whatever it shows: "… as a comic", "… in
  /// watercolour".
  var namesMediumLater: Bool {
    for (place, word) in words.enumerated() where place > 1 && RouterTable.media.contains(word) {
      if words[max(0, place - 4)..<place].contains(where: { ["as", "into", "in"].contains($0) }) { return true }
    }
    return false
  }

  /// Indicates whether something is to be turned into a picture: "turn this into a picture".
  var turnsIntoPicture: Bool {
    guard let into = words.firstIndex(of: "into") else { return false }
    return words[into...].prefix(5).contains { RouterTable.media.contains($0) }
  }

  var namesChart: Bool {
    guard let place = words.prefix(6).firstIndex(where: { RouterTable.charts.contains($0) }) else { return false }
    guard !words[..<place].contains(where: { ["of", "for", "with", "in", "about", "from", ","].contains($0) })
    else { return false }
    return ["bar", "pie", "line", "scatter", "column", "example", "sample"].contains {
      words[..<place].contains($0)
    }
  }

  /// Indicates whether the look of something is asked for: "show me what a dragon would look like".
  var saysLooksLike: Bool {
    guard words.count > 2, RouterTable.indefinite.contains(words[1]) else { return false }
    return zip(words, words.dropFirst()).contains { ["look", "looks"].contains($0) && $1 == "like" }
      || (words[0] == "how" && words.last.map { ["look", "looks"].contains($0) } ?? false)
  }

  // MARK: Things

  static let numbers: Set<String> = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "dozen", "hundred",
  ]

  /// Verbs that make a sentence of a phrase.
  static let verbs: Set<String> = [
    "is", "are", "was", "were", "has", "have", "had", "does", "did", "do", "can", "could", "should", "would",
    "will",
    "shows", "said", "says", "i", "we", "he", "she", "they", "you", "explain", "describe", "find", "search",
    "list", "tell",
    "write", "compare", "summarise", "summarize", "delete", "remove", "open", "read", "translate", "count", "add",
    "take", "took",
  ]

  /// Indicates whether the phrase's head, that of its first noun phrase, is abstract.
  var isAbstract: Bool {
    for (place, word) in words.enumerated().prefix(7) {
      if word.hasSuffix("'s"), RouterTable.abstract.contains(String(word.dropLast(2))) { return true }
      if ["line", "lines"].contains(word), place + 1 < words.count, words[place + 1] == "between" { return true }
      if RouterTable.abstract.contains(word) {
        // "A company picnic" is a picnic, "a floor plan" is drawn.
        if place > 0, RouterTable.drawnPlans.contains(words[place - 1]) { return false }
        let isHead = place + 1 == words.count || Self.abstractEnds.contains(words[place + 1])
        if isHead { return true }
      } else if Self.phraseEnds.contains(word) || (place > 0 && word.hasSuffix("ing")) {
        return false
      }
    }
    return false
  }

  /// Indicates whether a clause begins rather than a thing: "… of how the merger went".
  var beginsClause: Bool { begins(with: ["how", "what", "why", "when", "where", "whether", "who"]) }

  /// Indicates whether the phrase's head is a document.
  var isDocument: Bool {
    guard let first = words.first, RouterTable.definite.contains(first) else { return false }
    return words.prefix(4).contains { RouterTable.documentWords.contains($0) }
  }

  /// Indicates whether documents are named: "… in the report", "… on page 3", "… from my notes".
  var isAboutDocuments: Bool {
    for (place, word) in words.enumerated() where ["in", "on", "from", "of", "about", "for"].contains(word) {
      let next = words[(place + 1)...].prefix(4)
      guard let found = next.firstIndex(where: { RouterTable.documentWords.contains($0) }) else { continue }
      let isNamed =
        next.contains { RouterTable.definite.contains($0) }
        || ["page", "chapter", "section", "pages", "slide"].contains(words[found])
      if isNamed { return true }
    }
    return false
  }

  /// Indicates whether a thing of a set is among the first words, in the singular or plural.
  /// - Parameter asHead: only as the last word of the first noun phrase.
  func names(_ things: Set<String>, within count: Int, asHead: Bool = false) -> Bool {
    let phrase = Array(words.prefix(count))
    for place in phrase.indices {
      if asHead, place > 0, Self.phraseEnds.contains(phrase[place]) { return false }
      for length in [3, 2, 1] where place + length <= phrase.count {
        let text = phrase[place..<place + length].joined(separator: " ")
        let singulars =
          [text] + (text.hasSuffix("s") ? [String(text.dropLast())] : [])
          + (text.hasSuffix("es") ? [String(text.dropLast(2))] : [])
        guard singulars.contains(where: { things.contains($0) }) else { continue }
        let end = place + length
        if !asHead || end == words.count || Self.phraseEnds.contains(words[end]) { return true }
      }
    }
    return false
  }

  private static let abstractEnds = phraseEnds.union([
    "about", "between", "to", "as", "now", "how", "is", "are", "if", "when", "because", "through", "during",
    "after", "before",
    "within", "without", "today", "here", "out", "than", "not", "or", "but", "using", "based", "into", "across",
    "among", ".", ";", "yourself",
    "what", "why", "where", "we", "you", "i", "upon", "behind",
  ])

  /// Indicates whether a style ends it: "a cat on the moon, watercolour".
  var endsWithStyle: Bool {
    guard let first = words.first,
      RouterTable.indefinite.contains(first) || Int(first) != nil || Self.numbers.contains(first),
      let comma = words.lastIndex(of: ","), words.count - comma <= 4, let last = words.last
    else { return false }
    return RouterTable.styles.contains(last)
  }

  private static let phraseEnds: Set<String> = [
    "of", "with", "on", "in", "and", "that", "who", "which", ",", ":", "under", "at", "riding", "holding",
    "wearing", "flying", "by",
    "near", "next", "beside", "behind", "sitting", "standing", "over", "above", "between", "please", "eating",
    "running", "jumping", "sleeping",
    "playing", "dancing", "driving", "reading", "landing", "swimming", "from", "for", "at", "made", "against",
    "inside", "around", "fighting",
  ]

  /// Indicates whether it asks or orders something besides naming a thing: "imagine a firm; what would it owe?".
  var asksSomething: Bool {
    if isQuestion { return true }
    guard let mark = words.firstIndex(where: { [",", ":", ";", ".", "and"].contains($0) }) else { return false }
    let next = words[(mark + 1)...].prefix(2)
    return next.contains {
      RouterTable.questionWords.contains($0)
        || [
          "explain", "describe", "tell", "calculate", "compute", "list", "write", "summarise", "summarize",
          "compare",
        ].contains($0)
    }
  }

  /// Indicates whether a verb follows that makes it a statement.
  var hasFiniteVerb: Bool {
    let ends = words.firstIndex { ["that", "which", "who", "where", "as"].contains($0) } ?? words.count
    return words[..<ends].contains {
      ["is", "are", "was", "were", "has", "had", "does", "did", "shows", "showed", "hangs", "costs"].contains($0)
    }
  }
}
