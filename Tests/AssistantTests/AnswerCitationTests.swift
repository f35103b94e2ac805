import Assistant
import Documents
import Foundation
import Retrieval
import TestSupport
import Testing

/// Sentences of a model about a passage, right and wrong, checked against the passage as they come.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct AnswerCitationTests {
  private struct Question: Decodable {
    var question: String
    var file: String
    var answers: [String]
  }

  /// A question, the passage that answers it, and the answer.
  private struct Case {
    var place: PassagePlace
    var question: String
    var answer: String
    var sentence: String
  }

  private static func cases(_ fixture: Fixture) async throws -> [Case] {
    let folder = SharedData.file("questions/squad2")
    let questions = try JSONDecoder().decode(
      [Question].self, from: Data(contentsOf: folder.appending(path: "questions.json")))
    var cases: [Case] = []
    var known: [String: [PassagePlace]] = [:]
    for question in questions {
      guard let answer = question.answers.first else { continue }
      if known[question.file] == nil {
        let name = question.file
        let id = try await fixture.add(
          name, String(contentsOf: folder.appending(path: "articles/\(name)"), encoding: .utf8))
        let document = try #require(try await fixture.workspace.library.document(id))
        known[question.file] = try await fixture.workspace.library.passages(of: id).map {
          PassagePlace(passage: $0, document: document)
        }
      }
      let pattern =
        #"(?<![\p{L}\p{N}.,])"# + NSRegularExpression.escapedPattern(for: answer) + #"(?![\p{L}\p{N}]|[.,]\p{N})"#
      guard
        let place = known[question.file]?.first(where: {
          $0.passage.passage.text.range(of: pattern, options: .regularExpression) != nil
        })
      else { continue }
      let text = place.passage.passage.text
      let sentences = text.components(separatedBy: ". ").filter {
        $0.range(of: pattern, options: .regularExpression) != nil && $0.count > answer.count && !$0.contains("\n")
      }
      guard let sentence = sentences.first else { continue }
      cases.append(Case(place: place, question: question.question, answer: answer, sentence: sentence))
    }
    return cases
  }

  private func cite(_ said: String, _ item: Case, _ fixture: Fixture, pieces: Int = 5) async throws -> AnswerCiter
  {
    var citer = AnswerCiter(library: fixture.workspace.library, question: item.question)
    #expect(citer.number([item.place]) == [1])
    var (shown, rest) = ("", said[...])
    while !rest.isEmpty {
      shown += try await citer.take(String(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
    }
    shown += try await citer.finish()
    #expect(shown == citer.text)
    // Nothing is left out; marks, and citations that the model forgot, are put in.
    var plain = shown.replacing(" [unverified]", with: "")
    if citer.matchedCount > 0 { plain = plain.replacing(" [1]", with: "") }
    #expect(plain == (citer.matchedCount > 0 ? said.replacing(" [1]", with: "") : said))
    return citer
  }

  @Test func noneOfTheRightOnesIsFlagged() async throws {
    let fixture = try await Fixture()
    let cases = try await Self.cases(fixture)
    var checked = 0
    for (place, item) in cases.enumerated() where place % max(1, cases.count / 300) == 0 {
      let page = item.place.passage.passage.span.start.page
      let forms = [
        "\(item.sentence). [1]", "The answer is \(item.answer) [1].",
        "According to page \(page), it is \(item.answer). [1]",
        "1. \(item.sentence). [1]\n2. This is all that the document says. [1]",
        "The passage says that the answer is “\(item.answer)”. [1]",
      ]
      let said = forms[place % forms.count]
      // A page is named only where the document has any.
      if said.hasPrefix("According"), item.place.document.kind.hasPages == false { continue }
      let citer = try await cite(said, item, fixture)
      #expect(citer.unverified == [], "\(said)\n\(citer.text)")
      checked += 1
      let source = try #require(citer.sources.first)
      let stored = try await fixture.workspace.library.text(
        of: source.citation.span, in: item.place.document.id)
      #expect(stored == source.citation.quote)
    }
    #expect(checked >= 200)
  }

  /// A model that cites nothing: the sentence goes with the passage that it was drawn from, and is said to be matched.
  @Test func whatTheModelForgotToCiteIsMatched() async throws {
    let fixture = try await Fixture()
    let cases = try await Self.cases(fixture)
    var (matched, right, asked) = (0, 0, 0)
    for (place, item) in cases.enumerated() where place % max(1, cases.count / 120) == 0 {
      // Among passages of other articles, so that finding it says something.
      let others = cases.filter { $0.place.passage.id != item.place.passage.id }
      let offered = [others[place % others.count].place, item.place, others[(place * 7 + 3) % others.count].place]
      var citer = AnswerCiter(library: fixture.workspace.library, question: item.question)
      let number = citer.number(offered)[1]
      var shown = try await citer.take(item.sentence + ".")
      shown += try await citer.finish()
      asked += 1
      if citer.matchedCount > 0 { matched += 1 }
      guard citer.sources.contains(where: { $0.number == number }) else { continue }
      right += 1
      #expect(citer.sources.allSatisfy { $0.isMatched == true })
      #expect(shown.contains("[\(number)]") && citer.unverified.isEmpty)
    }
    // Some passages say what another one says too.
    #expect(asked >= 100 && matched * 10 >= asked * 9)
    #expect(right * 100 >= matched * 95, "\(right) of \(matched) of \(asked)")
  }

  @Test func whatGoesWithNoPassageIsMarked() async throws {
    let fixture = try await Fixture()
    let item = try #require(try await Self.cases(fixture).first)
    for said in ["Zbigniew Varga paid 7391 crowns.", "It was in 1642 that Oduya left."] {
      var citer = AnswerCiter(library: fixture.workspace.library, question: "What else is there?")
      _ = citer.number([item.place])
      var shown = try await citer.take(said)
      shown += try await citer.finish()
      #expect(shown.contains("[unverified]") && citer.sources.isEmpty && citer.uncitedCount == 1, "\(shown)")
    }
    // Words alone, that nothing is claimed by, stay as they are.
    var citer = AnswerCiter(library: fixture.workspace.library, question: "What else is there?")
    _ = citer.number([item.place])
    var shown = try await citer.take("The documents do not answer this. Nothing more is known.")
    shown += try await citer.finish()
    #expect(shown == "The documents do not answer this. Nothing more is known." && citer.sources.isEmpty)
  }

  /// Sentences come one by one, each with its citation, however the pieces are cut.
  @Test func eachSentenceIsMatchedAsItComes() async throws {
    let fixture = try await Fixture()
    let text = """
      The monthly rent is 935 euros, due on the third working day.

      The tenant has to paint the walls and to clean the chimney once a year.
      """
    let id = try await fixture.add("lease.txt", text)
    let document = try #require(try await fixture.workspace.library.document(id))
    let places = try await fixture.workspace.library.passages(of: id).map {
      PassagePlace(passage: $0, document: document)
    }
    let said = "The rent is 935 euros a month. The tenant has to paint the walls. Ask me for more."
    for size in [1, 3, 8, 500] {
      var citer = AnswerCiter(library: fixture.workspace.library, question: "What must I pay?")
      _ = citer.number(places)
      var (shown, rest) = ("", said[...])
      while !rest.isEmpty {
        shown += try await citer.take(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      shown += try await citer.finish()
      #expect(
        shown == "The rent is 935 euros a month. [1] The tenant has to paint the walls. [1] Ask me for more.")
      #expect(citer.matchedCount == 2 && citer.uncitedCount == 0)
    }
  }

  @Test func everyPlantedErrorIsFlagged() async throws {
    let fixture = try await Fixture()
    let cases = try await Self.cases(fixture)
    var (numbers, names, pages) = (0, 0, 0)
    let invented = ["Zbigniew Varga", "Oduya", "Napoleonville", "Kestrel Holdings", "Brandywine", "Tarkovsky"]
    for (place, item) in cases.enumerated() {
      let text = item.place.passage.passage.text
      if item.answer.allSatisfy(\.isNumber), let number = Int(item.answer), numbers < 40 {
        let wrong = String(number + 13)
        guard !text.contains(wrong) else { continue }
        let said = item.sentence.replacing(item.answer, with: wrong) + ". [1]"
        let citer = try await cite(said, item, fixture)
        #expect(citer.unverified.contains { $0.contains(wrong) }, "\(said)\n\(text)")
        numbers += 1
      } else if names < 40, item.answer.first?.isUppercase == true {
        let wrong = invented[place % invented.count]
        guard !text.contains(wrong) else { continue }
        let forms = [
          "The answer is \(wrong). [1]", "\(wrong) did this in the end. [1]",
          item.sentence + ", said \(wrong). [1]",
        ]
        let said = forms[place % forms.count]
        let citer = try await cite(said, item, fixture, pieces: 3)
        #expect(!citer.unverified.isEmpty, "\(said)")
        names += 1
      } else if pages < 30 {
        let said = "On page \(41 + place % 7), it says \(item.answer). [1]"
        let citer = try await cite(said, item, fixture)
        #expect(citer.unverified.contains("\(41 + place % 7)"), "\(said)")
        pages += 1
      }
      if numbers >= 40, names >= 40, pages >= 30 { break }
    }
    #expect(numbers + names + pages >= 60)
    #expect(numbers >= 15 && names >= 15 && pages >= 15)
  }

  @Test func citationsOfNothingAndSentencesThatCiteNothingAreNoted() async throws {
    let fixture = try await Fixture()
    let item = try #require(try await Self.cases(fixture).first)
    let broken = try await cite("\(item.answer). [7]", item, fixture)
    #expect(broken.unverified.contains("[7]"))
    #expect(broken.sources.isEmpty)
    let uncited = try await cite("It was 1234 in all.\n\(item.sentence). [1]", item, fixture)
    #expect(uncited.uncitedCount == 1)
  }
}

/// Papers number what they refer to in brackets, as answers number their citations.
@Suite struct ReferenceNumberTests {
  private static let text = """
    The Zephyr model reaches 28.4 points on the test set [7], more than Mertens [2] measured in Lund.
    """

  @Test func whatIsQuotedMayHoldThem() async throws {
    let fixture = try await Fixture()
    try await fixture.add("paper.txt", Self.text)
    try await fixture.add("garden.txt", "The fence of the garden costs 340 euros.")
    let told = try await Told.collect(fixture.workspace.session(), "How many points does the Zephyr model reach?")
    #expect(told.text.contains("28.4 points on the test set [7], more than Mertens [2] measured in Lund. [1]"))
    #expect(!told.text.contains(CitationChecker.mark))
    #expect(told.notices == [])
  }

  @Test func aModelMayCopyThem() async throws {
    let fixture = try await Fixture()
    let document = try await fixture.add("paper.txt", Self.text)
    let stored = try #require(try await fixture.workspace.library.document(document))
    let passage = try #require(try await fixture.workspace.library.passages(of: document).first)
    func unverified(_ answer: String) async throws -> [String] {
      var citer = AnswerCiter(library: fixture.workspace.library, question: "How many points?")
      _ = citer.number([PassagePlace(passage: passage, document: stored)])
      _ = try await citer.take(answer)
      _ = try await citer.finish()
      return citer.unverified
    }
    #expect(try await unverified("Zephyr reaches 28.4 points [7]. [1]\nMertens measured less [2]. [1]\n") == [])
    #expect(try await unverified("Zephyr reaches 28.4 points. [9]\n").contains("[9]"))
    #expect(try await unverified("Zephyr reaches 31.5 points [7]. [1]\n") == ["31.5"])
    #expect(try await unverified("Zephyr reaches 28.4 points [7] [1].\n") == [])
  }
}

/// Numbers and names that count as the same, and those that do not.
@Suite struct ClaimTests {
  private func unverified(_ answer: String, _ quote: String, page: Int? = nil) -> [String] {
    let start = TextPosition(page: page ?? 1, line: 3, byte: 0)
    let source = Source(
      number: 1, path: "/a.pdf", title: "a", pageLabel: page.map(String.init),
      citation: Citation(documentHash: "0", span: TextSpan(start: start, end: start), quote: quote))
    return CitationChecker().check(CitedSentence.split(answer), sources: [source]) { $0.quote }.unverified
  }

  @Test(arguments: [
    ("The fee is 1,500,000 euros. [1]", "a fee of 1.5 million euros"),
    ("It took 2 years. [1]", "It took two years."),
    ("It cost 1.5 million. [1]", "a price of 1,500,000 dollars"),
    ("It is due on 2026-05-01. [1]", "due 1 May 2026"),
    ("It is due on 1 May 2026. [1]", "due: 2026-05-01"), ("It is 12.5 %. [1]", "a rate of 12.50%"),
    ("1. The rent is 935. [1]\n2. It is due monthly. [1]", "rent 935"),
    ("Payment is monthly. [1]", "paid each month"),
    ("Tenants may keep pets. [1]", "pets are allowed"), ("On page 4, it is allowed. [1]", "allowed"),
    ("See pages 4–4, line 3. [1]", "allowed"),
    ("See pages 7–9, lines 2 and 5. [1]", "(see pages 7–9, lines 2 and 5)"),
    ("It goes on on page 12. [1]", "goes on (pp. 11, 12)"), ("Page 4 says so. [1]", "so"),
    ("It is 1.234,50 euros. [1]", "1,234.50 euros"),
    ("Unfortunately, the lease ended. [1]", "ended"), ("The 10th of them won. [1]", "Number 10 won"),
  ])
  func theSameInOtherWords(answer: String, quote: String) {
    #expect(unverified(answer, quote, page: 4) == [])
  }

  @Test(arguments: [
    ("The fee is 1.6 million euros. [1]", "a fee of 1.5 million euros", "1.6"),
    ("Napoleon signed it. [1]", "It was signed.", "Napoleon"),
    ("On page 5, it is allowed. [1]", "allowed", "5"), ("Line 9 says so. [1]", "so 9", "9"),
    ("The time is 3:45. [1]", "at 3:30", "3:45"), ("It is flat B12. [1]", "flat A12", "B12"),
    ("It takes 12 days. [1]", "it takes 1/2 day", "12"), ("Paid in June. [1]", "paid 2026-05-01", "June"),
    ("Rent is 935.50. [1]", "Rent is 935", "935.50"),
    ("Mireille Smith owns it. [1]", "Mireille Oduya owns it", "Smith"),
    ("It was said in Berlin. [1]", "It was said in Bern", "Berlin"),
  ])
  func anotherThing(answer: String, quote: String, flagged: String) {
    #expect(unverified(answer, quote, page: 4) == [flagged])
  }
}
