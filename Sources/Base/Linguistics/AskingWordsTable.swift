/// Words that ``AskingWords`` recognises in one language.
struct AskingWordsTable {
  /// Question words.
  let askers: [String: Asked]
  /// Measure words behind them.
  let measures: [String: Asked]
  /// Words that open a question without a question word and do not say what it is about.
  let openers: Set<String>

  static let languages: [Language: AskingWordsTable] = [
    .english: AskingWordsTable(
      [.quantity: "how"],
      [
        .duration: "long old soon", .money: "expensive", .temperature: "hot cold warm", .time: "late early",
        .quantity: """
        far tall high deep wide heavy fast large big small thick often frequently strong quickly loud bright many
        """,
      ]),
    .german: AskingWordsTable(
      [
        .person: "wer wen wem wessen", .date: "wann", .place: "wo wohin woher", .quantity: "wieviel wieviele",
        .clause: "was wie warum wieso weshalb", .name: "welche welcher welches welchen welchem",
      ],
      [
        .duration: "lang lange dauert dauern alt", .money: "teuer kostet kosten", .time: "spat uhrzeit",
        .quantity: "viel viele hoch gross weit oft schwer breit tief schnell stark", .date: "datum tag",
        .place: "liegt liegen befindet befinden", .name: "heisst heissen lautet nennt",
      ], openers: "darf durfen kann konnen muss mussen soll sollen gibt"),
    .french: AskingWordsTable(
      [
        .person: "qui", .date: "quand", .place: "ou", .quantity: "combien", .clause: "que quoi comment pourquoi",
        .name: "quel quelle quels quelles",
      ],
      [
        .duration: "temps dure durent duree age", .money: "coute coutent cout", .time: "heure",
        .quantity: "grand grande", .date: "date jour", .place: "trouve trouvent situe situee",
        .name: "appelle nomme",
      ], openers: "puis peut peuvent pouvez doit doivent dois faut"),
    .spanish: AskingWordsTable(
      [
        .person: "quien quienes", .date: "cuando", .place: "donde", .quantity: "cuanto cuanta cuantos cuantas",
        .clause: "que como porque", .name: "cual cuales",
      ],
      [
        .duration: "tiempo dura duran edad", .money: "cuesta cuestan vale", .time: "hora",
        .quantity: "grande alto alta", .date: "fecha dia", .place: "encuentra encuentran ubicado ubicada",
        .name: "llama llaman",
      ], openers: "puedo puede pueden debo debe deben"),
    .italian: AskingWordsTable(
      [
        .person: "chi", .date: "quando", .place: "dove", .quantity: "quanto quanta quanti quante",
        .clause: "che cosa come perche", .name: "quale quali qual",
      ],
      [
        .duration: "tempo dura durano eta", .money: "costa costano", .time: "ora", .quantity: "grande alto alta",
        .date: "data giorno", .place: "trova trovano", .name: "chiama chiamano",
      ], openers: "posso puo possono devo deve devono bisogna"),
    .portuguese: AskingWordsTable(
      [
        .person: "quem", .date: "quando", .place: "onde", .quantity: "quanto quanta quantos quantas",
        .clause: "que como porque", .name: "qual quais",
      ],
      [
        .duration: "tempo dura duram idade", .money: "custa custam", .time: "hora horas",
        .quantity: "grande alto alta", .date: "data dia", .place: "fica ficam encontra", .name: "chama chamam",
      ], openers: "posso pode podem devo deve devem"),
    .dutch: AskingWordsTable(
      [
        .person: "wie", .date: "wanneer", .place: "waar", .quantity: "hoeveel", .clause: "wat hoe waarom",
        .name: "welke welk",
      ],
      [
        .duration: "lang duurt oud", .money: "duur kost kosten", .time: "laat",
        .quantity: "hoog groot ver vaak zwaar breed diep veel", .date: "datum dag", .place: "ligt liggen bevindt",
        .name: "heet heten",
      ], openers: "mag mogen kan kunnen moet moeten"),
    .russian: AskingWordsTable(
      [
        .person: "кто кого кому кем", .date: "когда", .place: "где куда откуда", .quantity: "сколько",
        .clause: "что как почему зачем", .name: "какой какая какое какие каков какова каково",
      ],
      [
        .duration: "долго длится", .money: "стоит стоят", .quantity: "часто далеко", .date: "дата число",
        .place: "находится находятся расположен расположена", .name: "зовут называется",
      ], openers: "можно нужно надо"),
    // Arabic, Persian and Hindi, which no question in Latin letters is taken for.
    .other: AskingWordsTable(
      [
        .date: "متى کی कब", .place: "أين کجا कहाँ", .quantity: "كم چند कितना कितनी कितने",
        .clause: "من ما ماذا كيف هل چه कौन क्या कैसे",
      ], [:]),
  ]

  private init(_ askers: [Asked: String], _ measures: [Asked: String], openers: String = "") {
    func list(_ words: String) -> [String] {
      words.split(whereSeparator: \.isWhitespace).map { Folding.fold(String($0)) }
    }
    func table(_ lists: [Asked: String]) -> [String: Asked] {
      Dictionary(lists.flatMap { asked, words in list(words).map { ($0, asked) } }) { first, _ in first }
    }
    self.askers = table(askers)
    self.measures = table(measures)
    self.openers = Set(list(openers))
  }
}
