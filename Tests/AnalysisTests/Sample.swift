import Analysis
import Documents
import Foundation

/// The rules of this checkout and evidence made of plain texts.
enum Sample {
  static let rules = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/Rules").standardizedFileURL

  static func analyst() throws -> Analyst {
    try Analyst(
      phrases: Phrases(parsing: String(contentsOf: rules.appending(path: "phrases.txt"), encoding: .utf8)))
  }

  static func conversation() throws -> Conversation {
    try Conversation(parsing: String(contentsOf: rules.appending(path: "replies.txt"), encoding: .utf8))
  }

  /// Passages, best first, each a document of its own unless its title is that of one before.
  static func evidence(_ texts: [String], title: String = "Notes", form: PassageForm = .prose) -> [Evidence] {
    texts.enumerated().map { index, text in
      let span = TextSpan(
        start: TextPosition(page: 1, line: index * 10 + 1, byte: 0),
        end: TextPosition(page: 1, line: index * 10 + 2, byte: 0))
      return Evidence(
        id: Int64(index), document: 1, title: title, passage: Passage(text: text, span: span, form: form),
        score: 10 - Double(index))
    }
  }

  /// The words that an answer points out.
  static func highlights(_ answer: RuleBasedAnswer, _ evidence: [Evidence]) -> [String] {
    answer.quotes.compactMap { quote in
      quote.highlight.map { range in
        String(decoding: Array(evidence[quote.evidence].passage.text.utf8)[range], as: UTF8.self)
      }
    }
  }
}
