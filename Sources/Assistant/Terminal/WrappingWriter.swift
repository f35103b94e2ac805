/// Writes styled text to a terminal, wrapped between words at the window's width.
struct WrappingWriter {
  private let output: OutputChannel
  private var indent = 0
  private var style = Style.plain
  private var column = 0
  private var blanks = 0
  private var word: [(text: String, style: Style)] = []
  private var wordColumns = 0
  private var lastCharacter: Character?

  /// Widest text, in columns; wider lines are tiring to read.
  private static let widest = 110

  init(output: OutputChannel) { self.output = output }

  private var columns: Int { min(output.columns ?? Self.widest, Self.widest) }

  /// Begins a line with a mark; further rows are indented under the text behind it.
  mutating func begin(first: String, indent: Int, style: Style) {
    output.write(first)
    column = CharacterWidth.columns(of: first)
    self.indent = indent < columns / 2 ? indent : 0
    self.style = style
    (blanks, lastCharacter) = (0, nil)
  }

  /// Adds text; a word is written once its end is known.
  mutating func add(_ text: String, _ style: Style) {
    for character in text {
      if character == " " || character == "\t" {
        flushWord()
        blanks += character == " " ? 1 : 4
        lastCharacter = nil
        continue
      }
      if let lastCharacter, WordWrap.mayBreak(between: lastCharacter, and: character) { flushWord() }
      lastCharacter = character
      let whole = self.style.and(style)
      if word.last?.style == whole {
        word[word.count - 1].text.append(character)
      } else {
        word.append((String(character), whole))
      }
      wordColumns += CharacterWidth.columns(of: character)
    }
  }

  /// Writes the rest of the line and ends it.
  mutating func endLine() {
    flushWord()
    output.write("\n")
    (column, blanks, lastCharacter) = (0, 0, nil)
  }

  private mutating func flushWord() {
    if word.isEmpty { return }
    if column + blanks + wordColumns > columns, column > indent {
      breakLine()
    } else {
      output.write(String(repeating: " ", count: blanks))
      column += blanks
    }
    blanks = 0
    if column + wordColumns <= columns {
      for (text, style) in word { output.write(output.ink(text, style)) }
      column += wordColumns
    } else {
      writeOverlong()
    }
    (word, wordColumns) = ([], 0)
  }

  /// Breaks a word wider than a row where the row ends.
  private mutating func writeOverlong() {
    for (text, style) in word {
      var part = ""
      for character in text {
        let width = CharacterWidth.columns(of: character)
        if column + width > columns {
          output.write(output.ink(part, style))
          part = ""
          breakLine()
        }
        part.append(character)
        column += width
      }
      output.write(output.ink(part, style))
    }
  }

  private mutating func breakLine() {
    output.write("\n" + String(repeating: " ", count: indent))
    column = indent
  }
}
