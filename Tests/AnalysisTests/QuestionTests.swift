import Analysis
import Testing

@Suite("Reading questions")
struct QuestionTests {
  @Test(
    "kind and expected answer",
    arguments: [
      ("Who wrote the report?", QuestionKind.fact, AnswerType.person),
      ("Whose car was stolen?", .fact, .person),
      ("When was the Duchy of Normandy founded?", .fact, .date),
      ("In what year did the war end?", .fact, .date),
      ("What date is the meeting?", .fact, .date),
      ("Where is the spare key?", .fact, .place),
      ("In what country is Normandy located?", .fact, .place),
      ("What is the capital of Norway?", .fact, .place),
      ("How much is the monthly rent?", .fact, .money),
      ("How much water does it hold?", .fact, .quantity),
      ("How many gulls did the keeper count?", .count, .number),
      ("How many months of notice does the lease need?", .fact, .duration),
      ("How long do I hold the reset button?", .fact, .duration),
      ("How old is the tenant?", .fact, .duration),
      ("How far is the station?", .fact, .quantity),
      ("At what temperature should it bake?", .fact, .temperature),
      ("What percentage of students pass?", .fact, .percent),
      ("What is Ansel Brook's phone number?", .fact, .phone),
      ("What is her e-mail address?", .fact, .email),
      ("Which company built the bridge?", .fact, .organisation),
      ("What language is spoken there?", .fact, .language),
      ("What was the nationality of the inventor?", .fact, .nationality),
      ("What is the name of my dentist?", .fact, .person),
      ("What was the name of the king of France?", .fact, .person),
      ("Why was the meeting moved?", .reason, .clause),
      ("What caused the crisis?", .reason, .clause),
      ("How do I reset the router?", .manner, .clause),
      ("Is the deposit refundable?", .yesNo, .clause),
      ("Does the lease allow pets?", .yesNo, .clause),
      ("What is a steam engine?", .definition, .clause),
      ("What does vBNS stand for?", .definition, .clause),
      ("Who was Kublai Khan?", .definition, .clause),
      ("Define entropy", .definition, .clause),
      ("List all invoices from May", .list, .name),
      ("What are the ports of the router?", .list, .clause),
      ("Compare the old and the new lease", .compare, .clause),
      ("What is the difference between X.25 and ARPANET?", .compare, .clause),
      ("Summarise the contract", .summary, .clause),
      ("Tell me about the deposit", .about, .clause),
      ("The Social Chapter is a chapter of what treaty?", .fact, .name),
      ("When the war ended, who ruled the country?", .fact, .person),
    ])
  func classifies(text: String, kind: QuestionKind, type: AnswerType) {
    let question = Question(text)
    #expect(question.kind == kind)
    if kind == .fact || kind == .count { #expect(question.expects == type) }
  }

  @Test(
    "what is asked for in other languages, and what is looked for",
    arguments: [
      ("Wie hoch ist die Kaution?", AnswerType.quantity, ["kaution"]),
      ("Wie lange dauert die Probezeit?", .duration, ["probezeit"]),
      ("Wie viel kostet die Wohnung?", .money, ["wohnung"]),
      ("Wer liegt im Zimmer?", .person, ["zimm"]),
      ("Wie hoch liegt die Hütte?", .quantity, ["hutt"]),
      ("Ab wann gilt der Vertrag?", .date, ["gilt", "vertrag"]),
      ("Combien de temps dure la période d'essai ?", .duration, ["period", "essai"]),
      ("Quelle est la date de signature ?", .date, ["signatur"]),
      ("¿Cuánto tiempo dura el contrato?", .duration, ["contrat"]),
      ("Quanto costa il rifacimento del tetto?", .money, ["rifaciment", "tett"]),
      ("Hoe hoog is de huur?", .quantity, ["huur"]),
      ("Сколько стоит аренда?", .money, ["аренд"]),
    ])
  func readsOtherLanguages(text: String, type: AnswerType, terms: [String]) {
    let question = Question(text)
    #expect(question.expects == type)
    #expect(question.terms == terms)
  }

  @Test(
    "counting and listing all need every passage", arguments: ["How many invoices are there?", "List all tenants"])
  func needsAll(text: String) { #expect(Question(text).needsAllPassages) }

  @Test(
    "questions that draw on several documents",
    arguments: [
      ("Which contracts mention a deposit?", true), ("Compare the old and the new lease", true),
      ("List all the letters from May", true), ("How many invoices are unpaid?", true),
      ("What does the contract say about pets?", false), ("Who wrote the reports?", false),
    ])
  func spansDocuments(text: String, spans: Bool) { #expect(Question(text).spansDocuments == spans) }

  @Test("quoted phrases are kept as written")
  func phrases() {
    #expect(Question("Where does \"spare key\" stand, and “Big Key”?").phrases == ["spare key", "Big Key"])
  }

  @Test("the sides of a comparison")
  func sides() {
    #expect(
      Question("What is the difference between the old lease and the new lease?").subjects == [
        "old lease", "new lease",
      ])
  }

  @Test(
    "any text can be read",
    arguments: ["", " ", "?", "\u{0}\u{FEFF}", "how", "what is", "who is", "compare and", "名前は何ですか"])
  func survives(text: String) { _ = Question(text).terms }
}
