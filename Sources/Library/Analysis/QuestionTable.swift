/// Words by which a question is read: nouns with the type of answer they imply.
enum QuestionTable {
  static let auxiliaries: Set<String> = [
    "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would",
    "shall", "should", "may", "might", "must", "isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt",
    "hasnt", "havent", "hadnt", "cant", "couldnt", "wont", "wouldnt", "shouldnt", "ought", "cannot",
  ]

  static let articles: Set<String> = ["a", "an", "the", "this", "that", "these", "those"]

  /// Nouns for documents, plural: "which contracts mention …".
  static let documentNouns: Set<String> = [
    "documents", "files", "contracts", "agreements", "letters", "reports", "invoices", "papers", "emails",
    "leases",
    "policies", "receipts", "manuals", "memos", "proposals", "offers", "presentations",
  ]

  /// Nouns that imply the expected answer, singular.
  static let nouns: [String: AnswerType] = {
    var table: [String: AnswerType] = [:]
    for (type, words) in lists { for word in words.split(separator: " ") { table[String(word)] = type } }
    return table
  }()

  private static let lists: [(AnswerType, String)] = [
    (
      .person,
      """
      person man woman boy girl people king queen emperor empress prince princess duke duchess count earl baron lord \
      president minister chancellor mayor governor senator ambassador pope bishop archbishop priest monk abbot saint \
      author writer poet novelist playwright journalist editor composer musician singer conductor artist painter \
      sculptor architect actor actress director producer host comedian scientist physicist chemist biologist \
      mathematician astronomer engineer inventor philosopher historian economist scholar researcher professor teacher \
      student doctor dentist physician nurse surgeon lawyer judge officer general admiral commander captain colonel \
      soldier leader ruler founder owner creator developer designer discoverer explorer chief head boss ceo chairman \
      chairwoman chairperson manager employee worker colleague secretary treasurer landlord tenant contact father \
      mother brother sister son daughter wife husband spouse child parent uncle aunt cousin nephew niece grandfather \
      grandmother friend neighbour neighbor rival successor predecessor heir khan sultan shah tsar czar kaiser \
      sovereign monarch politician activist celebrity athlete player coach winner champion sponsor speaker guest \
      recipient individual figure keeper applicant candidate plaintiff defendant heroine hero
      """
    ),
    (
      .organisation,
      """
      organisation organization company corporation firm business manufacturer publisher agency institution institute \
      university college school department ministry government council committee commission court parliament party \
      union association society club team band group bank insurer supplier vendor employer charity foundation church \
      army navy brand airline railway hospital museum laboratory lab
      """
    ),
    (
      .place,
      """
      place country nation state city town village capital province region county district area location continent \
      island river lake sea ocean mountain street road address building room site port harbour harbor airport station \
      territory colony kingdom empire border valley desert destination birthplace hometown neighbourhood \
      neighborhood campus venue
      """
    ),
    (
      .date,
      """
      date year day month century decade era period season weekday deadline birthday anniversary
      """
    ),
    (.time, "time hour"),
    (.duration, "duration age lifespan"),
    (
      .money,
      """
      price cost rent salary wage fee fine budget revenue profit income amount sum payment deposit tax bill total \
      premium endowment tuition value worth
      """
    ),
    (
      .quantity,
      """
      distance height length width depth weight mass size volume speed velocity pressure power capacity dimension \
      elevation altitude dose dosage horsepower
      """
    ),
    (.percent, "percent percentage proportion share rate fraction"),
    (.temperature, "temperature degree"),
    (.number, "number quantity population score count figure"),
    (.ordinal, "rank ranking position"),
    (.language, "language dialect tongue"),
    (.nationality, "nationality ethnicity citizenship"),
    (.email, "email mail"),
    (.phone, "phone telephone fax"),
    (.link, "website url link homepage"),
    (
      .name,
      """
      name title term word name nickname treaty law act article book novel film movie song album battle war event \
      theorem theory concept type kind sort form religion dynasty school style engine device machine system network \
      material metal substance element chemical gas liquid animal species plant colour color class group \
      category part section chapter product model brand method technique process algorithm problem
      """
    ),
  ]

  /// Nouns behind "how much" or "how many" whose answer is more than a bare number.
  static let measured: [String: AnswerType] = [
    "dollars": .money, "euros": .money, "pounds": .money, "yen": .money, "money": .money, "cents": .money,
    "francs": .money, "years": .duration, "days": .duration, "hours": .duration, "minutes": .duration,
    "seconds": .duration, "weeks": .duration, "months": .duration, "decades": .duration, "time": .duration,
    "centuries": .duration, "percent": .percent, "degrees": .temperature, "miles": .quantity,
    "kilometres": .quantity, "kilometers": .quantity, "metres": .quantity, "meters": .quantity, "feet": .quantity,
    "inches": .quantity, "kilograms": .quantity, "grams": .quantity, "tons": .quantity, "tonnes": .quantity,
    "litres": .quantity, "liters": .quantity, "gallons": .quantity, "watts": .quantity, "acres": .quantity,
    "hectares": .quantity, "gigabytes": .quantity, "megabytes": .quantity,
  ]

  /// Verbs that make "how much" ask for money.
  static let moneyVerbs: Set<String> = [
    "cost", "costs", "pay", "pays", "paid", "spend", "spent", "charge", "charged", "owe", "owed", "earn", "earned",
    "worth", "rent", "price", "priced", "sell", "sold", "donate", "donated", "raise", "raised", "salary", "fee",
    "budget", "fine", "fined", "invest", "invested", "deposit", "tax", "taxes", "bill", "refund",
  ]

  /// Verbs in questions for a reason: "what caused …", "what led to …".
  static let causeWords: Set<String> = [
    "caused", "cause", "causes", "reason", "reasons", "prompted", "triggered", "motivated", "motivation",
  ]

  /// Words that only phrase the request and are not looked for in the text.
  static let requestWords: Set<String> = [
    "tell", "give", "show", "find", "list", "name", "describe", "explain", "summarize", "summarise", "compare",
    "please", "document", "documents", "file", "files", "text", "passage", "according", "mention", "mentioned",
    "mentions", "example", "examples", "kind", "kinds", "type", "types", "sort", "sorts", "called", "named",
    "term",
    "difference", "differences", "define", "definition", "mean", "meaning", "enumerate", "overview", "summary",
  ]
}
