/// What a measure word of a question asks for.
public enum AskedMeasure: Sendable {
  case duration, quantity, money, temperature, time, date, place, name
}

/// The words of a question that say what is asked for ("how *long*", "wie *hoch*", "quelle *date*") and are not looked for: the
/// answer seldom repeats them.
public enum AskingWords {
  /// What is asked for, and where the words stand that say so.
  public struct Reading: Sendable, Equatable {
    /// Of the last of the measure words; nil where there is none.
    public var measure: AskedMeasure?
    /// The places of the question word and of its measure words; empty where there is no question word.
    public var places: Set<Int>
  }

  /// Reads the first question word and the measure words behind it, which stop words may part from it.
  /// - Parameter words: folded words of a question.
  public static func read(_ words: [String], in language: Language) -> Reading {
    var reading = Reading(measure: nil, places: [])
    guard let table = AskingWordsTable.languages[language] else { return reading }
    // "Darf ich", "may I": what is allowed is said in many ways.
    if let first = words.first, table.openers.contains(first) { reading.places.insert(0) }
    guard let opener = words.firstIndex(where: table.askers.contains) else { return reading }
    reading.places.insert(opener)
    reading.measure = table.measures[words[opener]]
    for place in words.indices.dropFirst(opener + 1) {
      if let measure = table.measures[words[place]] {
        reading.measure = measure
        reading.places.insert(place)
      } else if language == .english || !StopWords.contains(words[place], in: language) {
        // "How is the long wall built": in English only "how long" asks for a length.
        break
      }
    }
    return reading
  }

  /// What a word behind an English "how" asks for.
  public static func englishMeasure(_ word: String) -> AskedMeasure? {
    AskingWordsTable.languages[.english]?.measures[word]
  }
}
