import Linguistics
import Persistence

/// Finds the library's word that a misspelt one was meant to be.
struct Speller {
  let index: KeywordIndex

  /// Returns the nearest term of the index and a word with that term; nil where none is near enough.
  ///
  /// The edit distance (optimal string alignment) may be one for words of five letters, two for words of nine; in an
  /// ending, which no term of the index has, one. The nearest wins, then the one with the same first letter, then the
  /// most frequent.
  func nearest(to word: String) throws(SegmentError) -> (term: String, word: String)? {
    let letters = Array(word.unicodeScalars)
    guard (5...30).contains(letters.count), letters.allSatisfy(\.properties.isAlphabetic) else { return nil }
    var found: [String: Candidate] = [:]
    for stem in stems(of: word) { try addTerms(near: stem, to: &found) }
    try addWords(near: word, to: &found)
    func rank(_ candidate: Candidate) -> (Int, Int, Int) {
      (candidate.distance, candidate.term.unicodeScalars.first == letters[0] ? 0 : 1, -candidate.count)
    }
    let ranked = found.values.sorted { left, right in
      let (one, other) = (rank(left), rank(right))
      return one == other ? left.term < right.term : one < other
    }
    for candidate in ranked.prefix(4) {
      if let word = try self.word(of: candidate.term, guess: candidate.word) { return (candidate.term, word) }
    }
    return nil
  }

  private struct Candidate {
    var term: String
    var distance: Int
    var count = 0
    /// Word that has the term, where one is known.
    var word: String?
  }

  private func stems(of word: String) -> Set<String> {
    let word = Word(range: 0..<0, text: word, kind: .word)
    return Set(([.english] + index.languages).map { TextAnalyzer.term(for: word, in: $0) })
  }

  /// Adds the terms of the index near to a stem.
  private func addTerms(near stem: String, to found: inout [String: Candidate]) throws(SegmentError) {
    let (bytes, letters) = (Array(stem.utf8), Array(stem.unicodeScalars))
    guard letters.count >= 5 else { return }
    let most = letters.count >= 9 ? 2 : 1
    for part in index.parts {
      var reader = try TermReader(part.segment)
      // A letter takes up to two bytes in the scripts that have letters.
      var distance = EditDistance(bytes, most: bytes.count > letters.count ? 2 * most : most)
      while try reader.next() {
        guard distance.isNear(reader.term, shared: reader.shared) else { continue }
        let term = String(decoding: reader.term, as: UTF8.self)
        let real = EditDistance.between(letters, Array(term.unicodeScalars))
        guard real <= most else { continue }
        let known = found[term, default: Candidate(term: term, distance: real)]
        found[term] = Candidate(
          term: term, distance: min(known.distance, real), count: known.count + reader.place.count)
      }
    }
  }

  /// Adds the terms of words that differ by one letter, also where the difference is in an ending.
  private func addWords(near word: String, to found: inout [String: Candidate]) throws(SegmentError) {
    var looked = Set(found.keys)
    for other in Self.neighbours(of: word) {
      for stem in stems(of: other) where stem != other && looked.insert(stem).inserted {
        var count = 0
        for part in index.parts { count += try part.segment.find(stem)?.count ?? 0 }
        if count > 0 { found[stem] = Candidate(term: stem, distance: 1, count: count, word: other) }
      }
    }
  }

  /// Returns every word of plain letters at edit distance one.
  private static func neighbours(of word: String) -> [String] {
    let letters = Array(word.utf8)
    guard letters.allSatisfy({ $0 &- 0x61 < 26 }) else { return [] }
    var words: [String] = []
    func add(_ letters: [UInt8]) { words.append(String(decoding: letters, as: UTF8.self)) }
    for place in letters.indices {
      add(Array(letters[..<place] + letters[(place + 1)...]))
      if place + 1 < letters.count, letters[place] != letters[place + 1] {
        var swapped = letters
        swapped.swapAt(place, place + 1)
        add(swapped)
      }
    }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      for place in 0...letters.count {
        add(Array(letters[..<place] + [letter] + letters[place...]))
        if place < letters.count, letters[place] != letter {
          add(Array(letters[..<place] + [letter] + letters[(place + 1)...]))
        }
      }
    }
    return words
  }

  /// Returns a word of the documents that has a term; nil where no passage with it is left.
  private func word(of term: String, guess: String?) throws(SegmentError) -> String? {
    for part in index.parts {
      guard let list = try part.segment.postings(of: term) else { continue }
      let cursor = PostingsCursor(list)
      guard cursor.decode() else { continue }
      for place in 0..<cursor.length {
        let row = part.segment.row(of: cursor.ordinals[place])
        guard !part.removed.contains(row) else { continue }
        // A term that occurs only in a title or a heading is shown as it is.
        let text = (try? passage(row)) ?? ""
        let word = Words.split(text).first { !$0.kind.isAdditional && stems(of: $0.text).contains(term) }
        return word?.text ?? guess ?? term
      }
    }
    return nil
  }

  private func passage(_ row: UInt32) throws(DatabaseError) -> String {
    try index.database.first("SELECT text FROM passages WHERE id=?", Int(row)) { row throws(DatabaseError) in
      row.text(0)
    } ?? ""
  }
}

/// Optimal string alignment distance from one word to a sorted sequence of words, each of which shares a prefix with
/// the one before.
struct EditDistance<Letter: Equatable> {
  private let sought: [Letter]
  private let most: Int
  /// Rows of the dynamic programme: by letter of the other word, the distances to each prefix of the searched one.
  private var rows: [[Int]]
  private var other: [Letter] = []
  /// Letter after which no word can be near any more.
  private var hopeless = Int.max

  init(_ sought: [Letter], most: Int) {
    self.sought = sought
    self.most = most
    rows = [Array(0...sought.count)]
  }

  /// Indicates whether a word is near; its first `shared` bytes are those of the word before.
  mutating func isNear(_ word: [Letter], shared: Int) -> Bool {
    let kept = min(shared, other.count, rows.count - 1)
    rows.removeLast(rows.count - 1 - kept)
    if hopeless >= kept { hopeless = .max }
    other.removeLast(other.count - kept)
    if hopeless < .max { return false }
    for place in kept..<word.count {
      other.append(word[place])
      let row = next(place)
      rows.append(row)
      if (row.min() ?? 0) > most, (rows[rows.count - 2].min() ?? 0) > most {
        hopeless = place
        return false
      }
    }
    return (rows.last?.last ?? .max) <= most
  }

  private func next(_ place: Int) -> [Int] {
    let above = rows[place]
    var row = [place + 1]
    for column in sought.indices {
      var best = min(
        above[column + 1] + 1, row[column] + 1, above[column] + (other[place] == sought[column] ? 0 : 1))
      if place > 0, column > 0, other[place] == sought[column - 1], other[place - 1] == sought[column] {
        best = min(best, rows[place - 1][column - 1] + 1)
      }
      row.append(best)
    }
    return row
  }

  /// Returns the distance of two words.
  static func between(_ left: [Letter], _ right: [Letter]) -> Int {
    var distance = EditDistance(left, most: .max - 1)
    _ = distance.isNear(right, shared: 0)
    return distance.rows.last?.last ?? .max
  }
}
