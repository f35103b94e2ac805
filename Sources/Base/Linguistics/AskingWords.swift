/// Thing that a question asks for, as far as its question words tell.
package enum Asked: Sendable {
  case person, date, place, quantity, duration, money, temperature, time, name, clause
}

/// Question words and the measure words behind them ("*how long*", "*wie hoch*", "*quelle* est la *date*"), which are
/// not looked for: the answer seldom repeats them.
package enum AskingWords {
  /// Thing asked for, and the places of the words that say so.
  package struct Reading: Sendable, Equatable {
    /// Thing asked for; nil where no word tells.
    package var asked: Asked?
    /// Indices of those words.
    package var places: Set<Int>
  }

  /// Reads the first question word and the measure words behind it, which stop words may separate from it.
  /// - Parameter words: folded words of a question.
  package static func read(_ words: [String], in language: Language) -> Reading {
    var reading = Reading(asked: nil, places: [])
    guard let table = AskingWordsTable.languages[language] else { return reading }
    // "Darf ich", "puedo": permission is expressed in many ways.
    if let first = words.first, table.openers.contains(first) { reading.places.insert(0) }
    guard let start = words.firstIndex(where: { table.askers[$0] != nil }) else { return reading }
    reading.asked = table.askers[words[start]]
    reading.places.insert(start)
    for place in words.indices.dropFirst(start + 1) {
      if let measure = table.measures[words[place]] {
        reading.places.insert(place)
        // "Who lies there" asks for a person, "how high lies it" for a height.
        let isTold =
          [.person, .date, .place].contains(reading.asked) || measure == .place && reading.places.count > 2
        if !isTold { reading.asked = measure }
      } else if table.openers.contains(words[place]) {
        // "Wann muss die Miete gezahlt werden": the answer seldom repeats the modal verb.
        reading.places.insert(place)
      } else if language == .english || !StopWords.contains(words[place], in: language) {
        // "How is the long wall built": in English only "how long" asks for a length.
        break
      }
    }
    return reading
  }

  /// Returns the measure that a word behind an English "how" asks for.
  package static func englishMeasure(_ word: String) -> Asked? {
    AskingWordsTable.languages[.english]?.measures[word]
  }
}
