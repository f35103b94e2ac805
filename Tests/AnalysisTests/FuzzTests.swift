import Analysis
import Documents
import Foundation
import Testing

@Suite("Any text at all")
struct FuzzTests {
  /// Number of random cases; `ALCOVE_FUZZ` multiplies it.
  static let count = 300 * (ProcessInfo.processInfo.environment["ALCOVE_FUZZ"].flatMap(Int.init) ?? 1)

  static let scraps = [
    "who", "what is", "how many", "when was", "list all", "compare", "and", "versus", "of", "the", "name", "\"",
    "“", "”",
    "+351", "555-0142", "3.5", "%", "€", "°C", "10:30", "2026-05-01", "5th", "century", "BC", "May", "a@b.c",
    "https://x.y/z",
    "|", " | ", "\n", "\t", ":", ",", ".", "?", "!", "(", ")", "-", "–", "U.S.", "O’Brien", "é", "\u{301}", "漢字",
    "かな", "ไทย",
    "עברית", "العربية", "🙂", "👩‍👩‍👧", "\u{200D}", "\u{0}", "\u{FEFF}", "\u{202E}", "ﬁ", "ß", "İ", "Ⅷ", "٣", "½", "²",
    "per", "cent",
    "Anna", "Mr", "Rome", "University", "river", "rent", "because", "not", "he", "it", "is", "hundred", "million",
    "euros",
  ]

  static func text(_ random: inout Xorshift, pieces: Int) -> String {
    var text = ""
    for _ in 0..<random.below(pieces + 1) {
      switch random.below(8) {
      case 0:
        if let scalar = Unicode.Scalar(UInt32(random.below(0x11_0000))) { text.unicodeScalars.append(scalar) }
      case 1:
        text += String(
          UInt8(random.below(128)) < 32 ? "\r\n" : Character(Unicode.Scalar(UInt8(random.below(128)))))
      default: text += scraps[random.below(scraps.count)]
      }
      if random.below(3) > 0 { text += " " }
    }
    return text
  }

  @Test("random questions and passages: no trap, quotes within the text, the same answer twice")
  func random() throws {
    let analyst = try Sample.analyst()
    let conversation = try Sample.conversation()
    var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
    let forms: [PassageForm] = [.prose, .list, .table, .code]
    for _ in 0..<Self.count {
      let message = Self.text(&random, pieces: 12)
      let texts = (0..<random.below(5)).map { _ in Self.text(&random, pieces: 60) }
      let evidence = Sample.evidence(texts, title: Self.text(&random, pieces: 3), form: forms[random.below(4)])
      let question = Question(message)
      let answer = analyst.answer(
        question, evidence: evidence, coverage: ReadingCoverage(read: 1, total: 2), sentenceLimit: random.below(4))
      let summary = analyst.summary(of: evidence, sentences: random.below(6))
      for quote in answer.quotes + summary.quotes {
        let bytes = Array(evidence[quote.evidence].passage.text.utf8)
        #expect(quote.range.upperBound <= bytes.count && !quote.range.isEmpty)
        // A quote begins and ends between characters.
        #expect(String(validating: bytes[quote.range], as: UTF8.self) != nil)
        if let highlight = quote.highlight {
          #expect(quote.range.contains(highlight.lowerBound) && highlight.upperBound <= quote.range.upperBound)
          #expect(String(validating: bytes[highlight], as: UTF8.self) != nil)
        }
      }
      #expect((0...1).contains(answer.confidence))
      #expect(
        analyst.answer(question, evidence: evidence).parts == analyst.answer(question, evidence: evidence).parts)
      _ = conversation.reply(to: message)
    }
  }

  @Test("long texts take time in proportion")
  func long() throws {
    let analyst = try Sample.analyst()
    let sentence = "The keeper counted 937 gulls in chapter 3 while Anna Weber, of Rome, paid 5 euros. "
    let evidence = Sample.evidence([
      String(repeating: sentence, count: 3000), String(repeating: "a", count: 200_000),
      String(repeating: "1 ", count: 50_000),
      String(repeating: "| ", count: 50_000), String(repeating: "A. ", count: 50_000),
      String(repeating: "\n", count: 100_000),
    ])
    let answer = analyst.answer(Question(String(repeating: "how many gulls ", count: 300)), evidence: evidence)
    #expect(answer.confidence >= 0)
    _ = analyst.summary(of: evidence, sentences: 5)
  }
}

/// A small random source, the same on every machine.
struct Xorshift {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(max(bound, 1)))
  }
}
