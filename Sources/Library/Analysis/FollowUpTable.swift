import Linguistics

/// Words by which a question refers to the one before it.
enum FollowUpTable {
  /// Openings that ask the same of something else; the longest first.
  static let openings: [[String]] = [
    ["and", "what", "about"], ["and", "how", "about"], ["but", "what", "about"], ["what", "about"],
    ["how", "about"],
    ["and", "for"], ["and", "in"], ["and", "of"], ["and", "with"], ["and", "on"], ["and", "the"], ["and"],
    ["also"],
    ["same", "for"], ["the", "same", "for"], ["or"], ["und"], ["et"], ["y"], ["e"],
  ]

  /// Pronouns that refer to something said before, anywhere in a question.
  static let pronouns: Set<String> = [
    "it", "its", "they", "them", "their", "theirs", "he", "him", "his", "she", "her", "hers",
  ]

  /// Words that refer to something said before at the end of a question.
  static let pointers: Set<String> = ["this", "that", "these", "those", "one", "ones", "former", "latter"]

  /// Words that select one of several.
  static let ordinals: Set<String> = [
    "first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "previous", "other", "former",
    "latter",
    "1st", "2nd", "3rd", "4th", "5th", "6th",
  ]

  /// Question words that continue the last question when they stand alone.
  static let alone: Set<String> = ["why", "when", "where", "who", "how", "since"]

  static let questionWords = QuestionWords.english.union(QuestionTable.auxiliaries).union(["many", "much"])

  /// Words that add nothing to a search.
  static let fillers: Set<String> = [
    "please", "tell", "me", "exactly", "again", "also", "too", "about", "one", "ones",
  ]
}
