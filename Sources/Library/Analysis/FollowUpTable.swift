import Linguistics

/// The words by which a question leans on the one before it.
enum FollowUpTable {
  /// How one begins that asks the same of something else; the longest first.
  static let openings: [[String]] = [
    ["and", "what", "about"], ["and", "how", "about"], ["but", "what", "about"], ["what", "about"],
    ["how", "about"],
    ["and", "for"], ["and", "in"], ["and", "of"], ["and", "with"], ["and", "on"], ["and", "the"], ["and"],
    ["also"],
    ["same", "for"], ["the", "same", "for"], ["or"], ["und"], ["et"], ["y"], ["e"],
  ]

  /// Words that stand for something said before, wherever they stand.
  static let pronouns: Set<String> = [
    "it", "its", "they", "them", "their", "theirs", "he", "him", "his", "she", "her", "hers",
  ]

  /// Words that do so at the end of a question.
  static let pointers: Set<String> = ["this", "that", "these", "those", "one", "ones", "former", "latter"]

  /// Words that pick one of several.
  static let ordinals: Set<String> = [
    "first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "previous", "other", "former",
    "latter",
    "1st", "2nd", "3rd", "4th", "5th", "6th",
  ]

  /// Questions of a word or two that ask on.
  static let alone: Set<String> = ["why", "when", "where", "who", "how", "since"]

  static let questionWords = QuestionWords.english.union(QuestionTable.auxiliaries).union(["many", "much"])

  /// Words that add nothing to a search.
  static let fillers: Set<String> = [
    "please", "tell", "me", "exactly", "again", "also", "too", "about", "one", "ones",
  ]
}
