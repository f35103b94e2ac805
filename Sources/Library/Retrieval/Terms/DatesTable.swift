/// Folded month names of the most common languages in Latin script, and words that scale numbers.
enum DatesTable {
  static let months: [String: Int] = {
    let names = [
      ["january", "jan", "januar", "janvier", "janv", "enero", "ene", "gennaio", "gen", "januari", "janeiro"],
      [
        "february", "feb", "februar", "fevrier", "fevr", "febrero", "febbraio", "februari", "fevereiro", "fev",
      ],
      ["march", "mar", "marz", "maerz", "mars", "marzo", "maart", "marco", "mrz"],
      ["april", "apr", "avril", "avr", "abril", "abr", "aprile"],
      ["may", "mai", "mayo", "maggio", "mei", "maio"],
      ["june", "jun", "juni", "juin", "junio", "giugno", "giu", "junho"],
      ["july", "jul", "juli", "juillet", "juil", "julio", "luglio", "julho"],
      ["august", "aug", "aout", "agosto", "ago", "augustus"],
      ["september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro"],
      ["october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "ott", "outubro", "out"],
      ["november", "nov", "novembre", "noviembre", "novembro"],
      ["december", "dec", "dezember", "dez", "decembre", "diciembre", "dic", "dicembre", "dezembro"],
    ]
    var months: [String: Int] = [:]
    for (place, names) in names.enumerated() {
      for name in names { months[name] = place + 1 }
    }
    return months
  }()

  /// Powers of ten of scale words.
  static let scales: [String: Int] = [
    "thousand": 3, "tausend": 3, "million": 6, "millions": 6, "millionen": 6, "mio": 6, "millones": 6,
    "milioni": 6,
    "billion": 9, "billions": 9, "bn": 9, "milliarde": 9, "milliarden": 9, "mrd": 9, "milliard": 9,
    "milliards": 9, "miliardi": 9, "trillion": 12, "trillions": 12,
  ]

  /// Words that may stand between a day and a month.
  static let links: Set<String> = ["of", "de", "di"]
}
