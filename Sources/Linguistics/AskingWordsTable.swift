/// The words that ``AskingWords`` knows, by language.
struct AskingWordsTable {
  /// The words that measures stand behind.
  let askers: Set<String>
  let measures: [String: AskedMeasure]
  /// Words that open a question without a question word and say nothing of what it is about.
  let openers: Set<String>

  static let languages: [Language: AskingWordsTable] = [
    .english: AskingWordsTable(
      askers: "how", duration: "long old soon",
      quantity:
        "far tall high deep wide heavy fast large big small thick often frequently strong quickly loud bright many",
      money: "expensive", temperature: "hot cold warm", time: "late early"),
    .german: AskingWordsTable(
      askers: "wie was wann wo wer welches welcher welche welchem wieviel",
      duration: "lang lange dauert dauern alt",
      quantity: "viel viele hoch gross weit oft schwer breit tief schnell stark", money: "teuer kostet kosten",
      time: "spat uhrzeit", date: "datum tag", place: "liegt liegen befindet befinden",
      name: "heisst heissen lautet nennt", openers: "darf durfen kann konnen muss mussen soll sollen gibt"),
    .french: AskingWordsTable(
      askers: "combien quel quelle quels quelles comment ou quand que qui",
      duration: "temps dure durent duree age",
      quantity: "grand grande", money: "coute coutent cout", time: "heure", date: "date jour",
      place: "trouve trouvent situe situee", name: "appelle nomme", openers: "puis peut"),
    .spanish: AskingWordsTable(
      askers: "cuanto cuanta cuantos cuantas como que cual donde cuando quien", duration: "tiempo dura duran edad",
      quantity: "grande alto alta", money: "cuesta cuestan vale", time: "hora", date: "fecha dia",
      place: "encuentra encuentran ubicado ubicada", name: "llama llaman", openers: "puedo puede debo debe"),
    .italian: AskingWordsTable(
      askers: "quanto quanta quanti quante come che quale qual dove quando chi", duration: "tempo dura durano eta",
      quantity: "grande alto alta", money: "costa costano", time: "ora", date: "data giorno",
      place: "trova trovano", name: "chiama chiamano", openers: "posso puo devo deve"),
    .portuguese: AskingWordsTable(
      askers: "quanto quanta quantos quantas como que qual onde quando quem", duration: "tempo dura duram idade",
      quantity: "grande alto alta", money: "custa custam", time: "hora horas", date: "data dia",
      place: "fica ficam encontra", name: "chama chamam", openers: "posso pode devo deve"),
    .dutch: AskingWordsTable(
      askers: "hoe wat waar wanneer wie welke hoeveel", duration: "lang duurt oud",
      quantity: "hoog groot ver vaak zwaar breed diep veel", money: "duur kost kosten", time: "laat",
      date: "datum dag", place: "ligt liggen bevindt", name: "heet heten", openers: "mag mogen kan moet moeten"),
    .russian: AskingWordsTable(
      askers: "как какои какая какое какие каков какова сколько что где когда кто", duration: "долго длится",
      quantity: "часто далеко", money: "стоит стоят", date: "дата число",
      place: "находится находятся расположен расположена", name: "зовут называется", openers: "можно нужно надо"),
    // Arabic, Persian and Hindi, which no question in Latin letters is taken for.
    .other: AskingWordsTable(
      askers: "متى أين اين من ما ماذا كم كيف هل کی چه چند کجا कितना कितनी कितने कौन कहाँ कब क्या कैसे",
      quantity: "كم कितना कितनी कितने چند", date: "متى کی कब", place: "أين اين کجا कहाँ"),
  ]

  private init(
    askers: String, duration: String = "", quantity: String, money: String = "", temperature: String = "",
    time: String = "",
    date: String = "", place: String = "", name: String = "", openers: String = ""
  ) {
    func list(_ words: String) -> [String] { words.split(separator: " ").map { Folding.fold(String($0)) } }
    self.askers = Set(list(askers))
    self.openers = Set(list(openers))
    var measures: [String: AskedMeasure] = [:]
    let lists: [(AskedMeasure, String)] = [
      (.duration, duration), (.quantity, quantity), (.money, money), (.temperature, temperature), (.time, time),
      (.date, date), (.place, place), (.name, name),
    ]
    for (measure, words) in lists { for word in list(words) { measures[word] = measure } }
    self.measures = measures
  }
}
