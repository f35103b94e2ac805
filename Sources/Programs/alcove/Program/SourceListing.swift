import Assistant
import Documents
import Terminal

/// Text of a citation in a listing.
@MainActor
enum SourceListing {
  /// One line, or with its quote a few.
  static func text(of source: Source, _ program: Program, withQuote: Bool) -> String {
    let ink = program.output.ink
    var text = ink("[\(source.number)]", .reference) + " " + Place(source).text
    if source.isMatched == true { text += ink(" (matched, not cited by the model)", .dim) }
    text += "\n"
    guard withQuote else { return text }
    let quote = TextSanitizer.line(source.citation.quote.replacing("\n", with: " "))
    for line in WordWrap.lines(quote, columns: program.width - 6) { text += "    " + ink(line, .dim) + "\n" }
    return text
  }
}
