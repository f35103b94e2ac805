import Linguistics

/// Rules for small talk and questions about Alcove itself, read from `Resources/Rules/replies.txt`.
package struct Conversation: Sendable {
  /// Answer that needs no document.
  package struct Reply: Sendable, Equatable {
    /// Name of the rule.
    package let topic: String
    /// Text of the answer.
    package let text: String
  }

  private struct Rule: Sendable {
    var topic: String
    var patterns: [WordPattern] = []
    var replies: [String] = []
  }

  private let rules: [Rule]
  private let never: Set<String>

  /// Parses a file of replies.
  package init(parsing text: String, file: String = "replies.txt") throws(AnalysisError) {
    var rules: [Rule] = []
    var never: Set<String> = []
    for (number, line) in RuleLines.split(text) {
      if line.hasPrefix("["), line.hasSuffix("]"), line.count > 2 {
        rules.append(Rule(topic: String(line.dropFirst().dropLast())))
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { throw .badRule(file: file, line: number) }
      let value = RuleLines.trim(line[line.index(after: colon)...])
      switch (line[..<colon], rules.isEmpty) {
      case ("never", true): never.formUnion(value.split(separator: " ").map { Folding.fold(String($0)) })
      case ("when", false):
        guard let pattern = WordPattern(value) else { throw .badRule(file: file, line: number) }
        rules[rules.count - 1].patterns.append(pattern)
      case ("say", false) where !value.isEmpty: rules[rules.count - 1].replies.append(value)
      default: throw .badRule(file: file, line: number)
      }
    }
    if let rule = rules.first(where: { $0.patterns.isEmpty || $0.replies.isEmpty }) {
      throw .incompleteTopic(file: file, topic: rule.topic)
    }
    self.rules = rules
    self.never = never
  }

  /// Returns the reply to a message that as a whole is small talk; nil for everything else, above all questions about
  /// documents.
  package func reply(to message: String) -> Reply? {
    // Small talk is short; a long message is a question, whatever its beginning.
    guard message.utf8.count <= 400 else { return nil }
    let words = Words.split(message).filter { !$0.kind.isAdditional }.map(\.text)
    guard (1...30).contains(words.count) else { return nil }
    for rule in rules where rule.patterns.contains(where: { $0.matches(words, never: never) }) {
      return Reply(topic: rule.topic, text: rule.replies[Self.choice(words, of: rule.replies.count)])
    }
    return nil
  }

  /// Chooses a variant by a hash of the words (FNV-1a), so that the same words get the same reply.
  private static func choice(_ words: [String], of count: Int) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(hash % UInt64(count))
  }
}

/// Pattern of words: `a|b` alternatives, `?a` optional, `*` up to ten words.
struct WordPattern: Sendable {
  private enum Element: Sendable {
    case words(Set<String>, isOptional: Bool)
    case any
  }

  private let elements: [Element]

  /// Parses a pattern; nil where it is empty or all of it is optional.
  init?(_ text: String) {
    var elements: [Element] = []
    var isBound = false
    for part in text.split(separator: " ") {
      if part == "*" {
        elements.append(.any)
        continue
      }
      let isOptional = part.hasPrefix("?")
      let words = (isOptional ? part.dropFirst() : part).split(separator: "|").map { Folding.fold(String($0)) }
      guard !words.isEmpty, !words.contains("*") else { return nil }
      if !isOptional { isBound = true }
      elements.append(.words(Set(words), isOptional: isOptional))
    }
    guard isBound else { return nil }
    self.elements = elements
  }

  /// Indicates whether all of the words match all of the pattern, in time proportional to words times elements.
  func matches(_ words: [String], never: Set<String>) -> Bool {
    var reached = [Bool](repeating: false, count: words.count + 1)
    reached[0] = true
    for element in elements {
      var next = [Bool](repeating: false, count: words.count + 1)
      for place in 0...words.count where reached[place] {
        switch element {
        case .words(let accepted, let isOptional):
          if isOptional { next[place] = true }
          if place < words.count, accepted.contains(words[place]) { next[place + 1] = true }
        case .any:
          var end = place
          next[end] = true
          while end < words.count, end < place + 10, !never.contains(words[end]) {
            end += 1
            next[end] = true
          }
        }
      }
      reached = next
    }
    return reached[words.count]
  }
}
