import Linguistics

/// Everyday synonyms between questions and texts in other languages; folded.
enum ForeignSynonymTable {
  /// Returns the stems that may stand for a stem.
  static func synonyms(of stem: String, in language: Language) -> Set<String> { tables[language]?[stem] ?? [] }

  private static let tables: [Language: [String: Set<String>]] = Dictionary(
    uniqueKeysWithValues: groups.map { language, groups in
      var table: [String: Set<String>] = [:]
      for group in groups {
        let stems = Set(group.split(separator: " ").map { LightStemmer.stem(String($0), in: language) })
        for stem in stems { table[stem, default: []].formUnion(stems.subtracting([stem])) }
      }
      return (language, table)
    })

  private static let groups: [(Language, [String])] = [
    (
      .german,
      [
        "beginnt beginnen begann beginn anfang startet start besteht lauft gilt",
        "endet enden ende ablauf auslauft", "zahlt zahlen bezahlt tragt ubernimmt",
        "verdient verdienen gehalt lohn vergutung", "erlaubt gestattet zulassig", "verboten untersagt",
        "hund tier haustier haustiere", "katze tier haustier haustiere", "kundigen kundigung", "mieter mieterin",
        "vermieter vermieterin", "arzt arztin",
      ]
    ),
    (
      .french,
      [
        "commence commencer commencent debut debute compter effet", "finit finir fin termine expire echeance",
        "gagne gagner salaire remuneration", "paye payer verse versement regle",
        "embauche engage engagement recrute", "permis autorise", "interdit defendu", "chien animal animaux",
        "chat animal animaux",
      ]
    ),
    (
      .spanish,
      [
        "empieza comienza inicia inicio partir", "termina acaba fin vence vencimiento",
        "gana ganar salario sueldo", "paga pagar abona", "permitido permite", "prohibido prohibe",
        "perro animal animales mascota mascotas", "gato animal animales mascota mascotas",
      ]
    ),
    (
      .italian,
      [
        "inizia iniziano inizieranno inizio comincia cominciano decorre",
        "finisce finiscono termina fine scade scadenza", "guadagna guadagnare stipendio compenso retribuzione",
        "paga pagare versa", "cane animale animali", "gatto animale animali",
      ]
    ),
    (
      .portuguese,
      [
        "comeca comecam inicia inicio partir", "termina acaba fim expira", "ganha ganhar salario remuneracao",
        "paga pagar pago", "cao animal animais", "gato animal animais",
      ]
    ),
    (
      .dutch,
      [
        "begint beginnen begin gaat ingaat start", "eindigt eindigen einde loopt",
        "verdient verdienen salaris loon", "betaalt betalen betaald", "hond dier huisdier huisdieren",
        "kat dier huisdier huisdieren",
      ]
    ),
    (
      .russian,
      [
        "начинается начало начинает действует", "заканчивается конец окончание истекает", "платит оплата плата",
        "собака собаку животное животных", "кошка кошку животное животных", "разрешено можно", "запрещено нельзя",
      ]
    ),
  ]
}
