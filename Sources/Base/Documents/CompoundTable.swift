/// Words that tell a hyphen within a compound from one that breaks a word at a line's end.
enum CompoundTable {
  /// First parts that keep their hyphen.
  static let firstParts: Set<String> = [
    "all", "cross", "double", "eight", "eighty", "fifty", "first", "five", "forty", "four", "full", "half", "high",
    "ill", "large", "long", "low", "medium", "mid", "nine", "ninety", "non", "one", "quasi", "second", "self",
    "seven",
    "seventy", "short", "single", "six", "sixty", "small", "ten", "third", "thirty", "three", "twenty", "two",
    "well",
  ]

  /// Last parts before which a hyphen is kept.
  static let lastParts: Set<String> = [
    "based", "dimensional", "driven", "known", "level", "like", "scale", "specific", "style", "term", "wide",
  ]

  /// Endings that form one word with any first part.
  static let endings: Set<String> = [
    "able", "al", "ally", "ance", "ation", "ed", "en", "ence", "er", "ers", "es", "est", "ful", "ible", "ic",
    "ing",
    "ings", "ion", "ions", "ish", "ity", "ive", "less", "ly", "ment", "ments", "ness", "ous", "sion", "th", "tion",
    "tions", "ty",
  ]

  /// Words before which a hyphen stands for an omitted part.
  static let conjunctions: Set<String> = [
    "and", "as", "bis", "bzw", "e", "en", "et", "nor", "och", "oder", "og", "or", "ou", "sowie", "to", "und", "y",
  ]
}
