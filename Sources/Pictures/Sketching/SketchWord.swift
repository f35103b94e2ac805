/// Word of a prompt.
struct SketchWord {
  /// Text in lower case.
  let text: String
  /// Text as typed.
  let original: String
  /// Indicates whether the word is a punctuation mark that ends a phrase.
  var isBreak = false
  var isQuoted = false

  /// Largest number of words that are read.
  static let maximumWordCount = 240

  /// Splits a prompt into words; weights such as `(word:1.3)` and `<lora:…>` are left out.
  static func words(of prompt: String) -> [SketchWord] {
    var words: [SketchWord] = []
    var current = ""
    var quote: Character?
    func isWordCharacter(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    func close(isQuoted: Bool = false) {
      let bare = isQuoted ? current : current.trimmedOfMarks
      if !bare.isEmpty, words.count < maximumWordCount {
        var text = bare.lowercased()
        if text.hasSuffix("'s"), !isQuoted { text.removeLast(2) }
        words.append(SketchWord(text: text, original: bare, isQuoted: isQuoted))
      }
      current = ""
    }
    var characters = prompt.prefix(4000)[...]
    while let character = characters.popFirst() {
      if let open = quote {
        if character == open || (open == "“" && character == "”") {
          close(isQuoted: true)
          quote = nil
        } else {
          current.append(character)
        }
        continue
      }
      switch character {
      case "\"", "“":
        close()
        quote = character
      case "<":
        close()
        while let next = characters.popFirst(), next != ">" {}
      case ":":
        close()
        // A weight, as in "(boat:1.3)".
        while let next = characters.first, next.isNumber || next == "." { characters.removeFirst() }
      case ",", ".", ";", "!", "?", "\n", "—", "–":
        if character == ".", current.last?.isNumber ?? false, characters.first?.isNumber ?? false {
          current.append(character)
          continue
        }
        close()
        words.append(SketchWord(text: ",", original: ",", isBreak: true))
      case "’": current.append("'")
      case "-", "'": current.append(character)
      case "&":
        close()
        words.append(SketchWord(text: "and", original: "&"))
      default:
        if isWordCharacter(character) { current.append(character) } else { close() }
      }
    }
    close(isQuoted: quote != nil)
    return words
  }
}

extension String {
  fileprivate var trimmedOfMarks: String {
    var text = self[...]
    while let first = text.first, first == "-" || first == "'" { text.removeFirst() }
    while let last = text.last, last == "-" || last == "'" { text.removeLast() }
    return String(text)
  }
}
