import Analysis
import Documents
import Testing

@Suite("Answers from passages")
struct AnswerTests {
  static let notes = [
    """
    The monthly rent is 935 euros, due on the first of each month. The lease may be ended with 3 months' notice. \
    The storage room measures 11 m2.
    """,
    "Launch date: 14 September 2027\nOwner: Mireille Oduya\nRisks: audit, staffing",
    "The spare key is under flowerpot 5th. The gate stays shut at night because foxes come in.",
    "Bake at 190 degrees for 35 minutes. Let it cool before slicing.",
    "In chapter 3 the keeper counted 937 gulls and one fox. The lamp was lit at dusk.",
    "Anna Weber met Mr Okafor in Lisbon on 3 May 2024. Pets are not allowed in the house. Write to anna@example.org.",
  ]

  @Test(
    "the sentence that answers is quoted",
    arguments: [
      ("How much is the monthly rent?", "935"),
      ("How many months of notice does the lease need?", "3"),
      ("When is the launch date?", "14 September 2027"),
      ("Who owns the project?", "Mireille Oduya"),
      ("Where is the spare key?", "flowerpot 5th"),
      ("At what temperature should it bake?", "190"),
      ("How long should it bake?", "35 minutes"),
      ("How many gulls did the keeper count in chapter 3?", "937"),
      ("Why does the gate stay shut?", "because foxes"),
      ("When did Anna Weber meet Mr Okafor?", "3 May 2024"),
      ("How big is the storage room?", "11 m2"),
    ])
  func quotes(question: String, expected: String) throws {
    let evidence = Sample.evidence(Self.notes)
    let answer = try Sample.analyst().answer(Question(question), evidence: evidence)
    #expect(answer.refusal == nil)
    #expect(answer.plainText(evidence).contains(expected))
    #expect(answer.quotes.count <= 2)
  }

  @Test("under a heading that is asked for, the text is quoted and not the heading")
  func headings() throws {
    let evidence = Sample.evidence([
      "## Methods\nParticipants were 21 to 45 years old.\n## Limitations\nTen days are short. Nobody slept at home."
    ])
    let answer = try Sample.analyst().answer(Question("What are the limitations?"), evidence: evidence)
    #expect(answer.plainText(evidence).contains("Ten days are short."))
    #expect(!answer.plainText(evidence).contains("#"))
    let meeting = Sample.evidence(["# Meeting 14 May\nPresent were Anna and Tom.\nThe budget was approved."])
    let date = try Sample.analyst().answer(Question("When was the meeting?"), evidence: meeting)
    #expect(date.plainText(meeting).contains("14 May"))
    let contract = Sample.evidence(["§ 2 Miete\nSie beträgt 980 EUR.\n§ 3 Kaution\nSie beträgt 2.940 EUR."])
    let deposit = try Sample.analyst().answer(Question("Wie hoch ist die Kaution?"), evidence: contract)
    #expect(deposit.plainText(contract).contains("2.940") && !deposit.plainText(contract).contains("§ 3"))
  }

  @Test("the answering words are pointed out")
  func highlights() throws {
    let evidence = Sample.evidence(Self.notes)
    let answer = try Sample.analyst().answer(Question("When did Anna Weber meet Mr Okafor?"), evidence: evidence)
    #expect(Sample.highlights(answer, evidence).contains("3 May 2024"))
  }

  @Test("a row is quoted with its header, and the cell pointed out")
  func tables() throws {
    let evidence = Sample.evidence(
      ["name | city | phone\nAnsel Brook, Jr. | Porto | +351 555 0142\nIda Voss, Jr. | Graz | +43 555 0199"],
      form: .table)
    let answer = try Sample.analyst().answer(Question("What is Ansel Brook's phone number?"), evidence: evidence)
    #expect(answer.plainText(evidence).contains("+351 555 0142"))
    #expect(!answer.plainText(evidence).contains("0199"))
    #expect(Sample.highlights(answer, evidence).contains("+351 555 0142"))
  }

  @Test("yes and no come with the sentence")
  func yesNo() throws {
    let evidence = Sample.evidence(Self.notes)
    let answer = try Sample.analyst().answer(Question("Are pets allowed in the house?"), evidence: evidence)
    #expect(answer.plainText(evidence).hasPrefix("No:"))
    #expect(answer.plainText(evidence).contains("Pets are not allowed"))
  }

  @Test("a row answers though the table has not all of the question's words")
  func rows() throws {
    let evidence = Sample.evidence(
      ["Item | Month | Sum\nGroceries | May | 412.5\nHeating | May | 88"], form: .table)
    let answer = try Sample.analyst().answer(Question("How much was spent on Heating?"), evidence: evidence)
    #expect(answer.plainText(evidence).contains("Heating | May | 88"))
    let other = try Sample.analyst().answer(Question("What is the name of my dentist?"), evidence: evidence)
    #expect(other.refusal != nil)
  }

  @Test("a definition is preferred to a mention")
  func defines() throws {
    let evidence = Sample.evidence([
      "The most useful instrument for steam engines is the steam engine indicator. The duty of a steam engine is measured.",
      "A steam engine is a heat engine that works by steam. It was improved by Watt.",
      "Kublai Khan imposed the name Great Yuan in 1271. Kublai Khan (also Khubilai) was the fifth ruler of the Mongols.",
    ])
    let analyst = try Sample.analyst()
    let engine = analyst.answer(Question("What is a steam engine?"), evidence: evidence, sentenceLimit: 1)
    #expect(engine.plainText(evidence) == "A steam engine is a heat engine that works by steam.")
    let ruler = analyst.answer(Question("Who was Kublai Khan?"), evidence: evidence, sentenceLimit: 1)
    #expect(ruler.plainText(evidence).contains("fifth ruler"))
  }

  @Test("a comparison has a sentence for each side")
  func compares() throws {
    let evidence = Sample.evidence([
      "The old lease costs 900 euros. The new lease costs 935 euros. Nothing else changed."
    ])
    let answer = try Sample.analyst().answer(
      Question("Compare the old lease and the new lease"), evidence: evidence)
    #expect(answer.quotes.count == 2)
    #expect(answer.plainText(evidence).contains("900") && answer.plainText(evidence).contains("935"))
  }

  @Test(
    "what the passages do not hold is refused",
    arguments: [
      "What is the name of my dentist?", "Who won the cricket championship in Barbados?",
      "What is the airspeed of a swallow?", "When was the iPhone released?",
      "What is the boiling point of gallium?",
    ])
  func refuses(question: String) throws {
    let answer = try Sample.analyst().answer(Question(question), evidence: Sample.evidence(Self.notes))
    #expect(answer.refusal != nil)
    #expect(answer.quotes.isEmpty)
    #expect(!answer.nearest.isEmpty)
  }

  @Test(
    "a question for what is not so, or for the opposite, is not answered with what is",
    arguments: ["Who was not met by Anna Weber in Lisbon?", "What did the keeper not count in chapter 3?"])
  func refusesDenials(question: String) throws {
    let answer = try Sample.analyst().answer(Question(question), evidence: Sample.evidence(Self.notes))
    #expect(answer.refusal != nil)
  }

  @Test("without passages there is nothing to say")
  func nothing() throws {
    #expect(try Sample.analyst().answer(Question("Who?"), evidence: []).refusal == .noPassages)
    #expect(try Sample.analyst().answer(Question("?!"), evidence: []).refusal == .emptyQuestion)
  }

  @Test("what was not read is said")
  func coverage() throws {
    let evidence = Sample.evidence(Self.notes)
    let answer = try Sample.analyst().answer(
      Question("How many gulls did the keeper count?"), evidence: evidence,
      coverage: ReadingCoverage(read: 7, total: 212))
    #expect(answer.plainText(evidence).contains("7 of 212 passages"))
  }

  @Test("a repeated sentence is quoted once")
  func duplicates() throws {
    let evidence = Sample.evidence(["The rent is 935 euros.", "The rent is 935 euros.", "Rent goes up in May."])
    let answer = try Sample.analyst().answer(Question("How much is the rent?"), evidence: evidence)
    #expect(answer.plainText(evidence).components(of: "935").count == 2)
  }

  @Test("the same question has the same answer")
  func deterministic() throws {
    let evidence = Sample.evidence(Self.notes)
    let analyst = try Sample.analyst()
    let first = analyst.answer(Question("When is the launch date?"), evidence: evidence)
    for _ in 0..<5 { #expect(analyst.answer(Question("When is the launch date?"), evidence: evidence) == first) }
  }

  @Test("a summary quotes central sentences in order")
  func summary() throws {
    let evidence = Sample.evidence(Self.notes)
    let summary = try Sample.analyst().summary(of: evidence, sentences: 3)
    #expect(summary.quotes.count == 3)
    #expect(summary.quotes.map(\.evidence) == summary.quotes.map(\.evidence).sorted())
  }
}

extension String {
  func components(of separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
