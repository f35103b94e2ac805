/// Abbreviations by the words that may follow them.
enum SentencesTable {
  /// Abbreviations that never end a sentence: something always follows.
  static let titles: Set<String> = [
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "gen", "sen", "rep", "gov", "capt", "col", "lt", "sgt", "rev",
    "hon",
    "pres", "mt", "ft", "messrs", "mme", "mlle", "cf", "e.g", "i.e", "eg", "ie", "viz", "ca", "approx", "incl",
    "excl", "resp", "hr", "fr", "bzw", "z.b", "d.h", "u.a", "vgl", "usw", "nr", "abb", "bd", "mag", "ing", "sra",
    "sr",
    "ud", "p.ej", "p.ex", "dott", "sig", "dhr", "mevr", "bijv", "univ", "esp",
  ]

  /// Abbreviations that do not end a sentence before a number or a single letter.
  static let numbered: Set<String> = [
    "fig", "figs", "no", "nos", "vol", "vols", "pp", "p", "pg", "sec", "secs", "sect", "eq", "eqs", "ch", "chap",
    "art", "arts", "para", "paras", "tab", "ref", "refs", "ed", "eds", "al", "jan", "feb", "mar", "apr", "jun",
    "jul", "aug", "sep", "sept", "oct", "nov", "dec", "cl", "app", "ex", "op",
  ]

  /// Abbreviations that may end a sentence; they do where the next word commonly begins one.
  static let final: Set<String> = [
    "etc", "inc", "ltd", "co", "corp", "llc", "plc", "bros", "jr", "dept", "est", "ave", "blvd", "rd", "a.m",
    "p.m",
    "am", "pm", "b.c", "a.d", "u.s", "u.k", "u.n", "e.u", "ph.d", "m.d", "b.a", "m.a", "d.c", "assn", "intl",
    "mfg", "cm", "mm", "km", "kg", "lb", "lbs", "oz", "min", "max", "avg", "sq",
  ]

  /// Words that follow an ordinal in German: "am 31. März", "im 2. Stock".
  static let behindOrdinals: Set<String> = [
    "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
    "november", "dezember", "stock", "stockwerk", "etage", "obergeschoss", "untergeschoss", "og", "ug", "quartal",
    "halbjahr", "semester", "jahrhundert", "lebensjahr", "klasse", "platz", "auflage", "werktag",
  ]

  /// Words that commonly begin a sentence and rarely a name.
  static let starters: Set<String> = [
    "the", "a", "an", "it", "in", "he", "she", "they", "we", "this", "that", "these", "those", "there", "his",
    "her",
    "its", "their", "our", "on", "at", "by", "for", "from", "with", "as", "and", "but", "however", "when", "while",
    "after", "before", "since", "if", "although", "though", "some", "many", "most", "all", "each", "both", "such",
    "what", "where", "who", "why", "how", "which", "is", "are", "was", "were", "do", "does", "did", "no", "not",
    "you", "i", "my", "your", "one", "two", "also", "then", "thus", "so", "because", "during", "another", "other",
    "according", "please", "let", "see", "to", "of", "once", "until", "here", "it's", "may", "can", "will",
  ]
}
