import Linguistics

/// The words that ask in languages other than English, and what they ask for; folded.
enum ForeignQuestionTable {
  /// What a question word of a language asks for.
  static func asked(by word: String, in language: Language) -> AnswerType? { words[language]?[word] }

  /// What a question in a script without spaces asks for, by the first of these that it has.
  static func asked(by text: String) -> AnswerType? { phrases.first { text.contains($0.0) }?.1 }

  private static let words: [Language: [String: AnswerType]] = [
    .german: table(
      person: "wer wen wem wessen", date: "wann", place: "wo wohin woher", quantity: "wieviel wieviele",
      clause: "was wie warum wieso weshalb", name: "welche welcher welches welchen welchem"),
    .french: table(
      person: "qui", date: "quand", place: "ou", quantity: "combien", clause: "que quoi comment pourquoi",
      name: "quel quelle quels quelles"),
    .spanish: table(
      person: "quien quienes", date: "cuando", place: "donde", quantity: "cuanto cuanta cuantos cuantas",
      clause: "que como porque", name: "cual cuales"),
    .italian: table(
      person: "chi", date: "quando", place: "dove", quantity: "quanto quanta quanti quante",
      clause: "che cosa come perche", name: "quale quali qual"),
    .portuguese: table(
      person: "quem", date: "quando", place: "onde", quantity: "quanto quanta quantos quantas",
      clause: "que como porque", name: "qual quais"),
    .dutch: table(
      person: "wie", date: "wanneer", place: "waar", quantity: "hoeveel", clause: "wat hoe waarom",
      name: "welke welk"),
    .russian: table(
      person: "кто кого кому кем", date: "когда", place: "где куда откуда", quantity: "сколько",
      clause: "что как почему зачем", name: "какои какая какое какие каков какова каково"),
  ]

  private static func table(
    person: String, date: String, place: String, quantity: String, clause: String, name: String
  ) -> [String: AnswerType] {
    var table: [String: AnswerType] = [:]
    let lists: [(AnswerType, String)] = [
      (.person, person), (.date, date), (.place, place), (.quantity, quantity), (.clause, clause), (.name, name),
    ]
    for (type, list) in lists { for word in list.split(separator: " ") { table[String(word)] = type } }
    return table
  }

  private static let phrases: [(String, AnswerType)] = [
    ("什么时候", .date), ("甚麼時候", .date), ("何时", .date), ("何時", .date), ("いつ", .date), ("何日", .date), ("언제", .date),
    ("谁", .person), ("誰", .person), ("だれ", .person), ("누구", .person), ("哪里", .place), ("哪裡", .place),
    ("哪儿", .place), ("什么地方", .place), ("どこ", .place), ("어디", .place), ("多少", .quantity), ("多久", .duration),
    ("几", .quantity), ("いくら", .quantity), ("いくつ", .quantity), ("何人", .quantity), ("얼마", .quantity),
  ]
}
