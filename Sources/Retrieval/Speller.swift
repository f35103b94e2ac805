import Linguistics
import Persistence

/// Finds the word of the library that a misspelt one was meant to be.
struct Speller {
  let index: KeywordIndex

  /// The nearest term of the index, and a word that it is the term of; nil where none is near enough.
  ///
  /// One wrong, missing, superfluous or swapped letter is near for words of five letters, two for words of nine. The nearest counts,
  /// then the one with the same first letter, then the commonest.
  func nearest(to term: String) throws(SegmentError) -> (term: String, word: String)? {
    let sought = Array(term.utf8)
    guard sought.count >= 5, sought.count <= 30, sought.allSatisfy({ $0 &- 0x61 < 26 }) else { return nil }
    let most = sought.count >= 9 ? 2 : 1
    var counts: [[UInt8]: Int] = [:]
    for part in index.parts {
      var reader = try TermReader(part.segment)
      var distance = EditDistance(sought, most: most)
      while try reader.next() {
        guard distance.isNear(reader.term, shared: reader.shared) else { continue }
        counts[reader.term, default: 0] += reader.place.count
      }
    }
    func rank(_ entry: (key: [UInt8], value: Int)) -> (Int, Int, Int) {
      (EditDistance.between(sought, entry.key), entry.key.first == sought.first ? 0 : 1, -entry.value)
    }
    let ranked = counts.sorted { left, right in
      let (one, other) = (rank(left), rank(right))
      return one == other ? left.key.lexicographicallyPrecedes(right.key) : one < other
    }
    for candidate in ranked.prefix(4) {
      let term = String(decoding: candidate.key, as: UTF8.self)
      if let word = try word(of: term) { return (term, word) }
    }
    return nil
  }

  /// A word of the documents that has a term; nil where no passage with it is there any more.
  private func word(of term: String) throws(SegmentError) -> String? {
    for part in index.parts {
      guard let list = try part.segment.postings(of: term) else { continue }
      let cursor = PostingsCursor(list)
      guard cursor.decode() else { continue }
      for place in 0..<cursor.length {
        let row = part.segment.row(of: cursor.ordinals[place])
        guard !part.removed.contains(row) else { continue }
        // A term that only stands in a title or a heading is shown as it is.
        let text = (try? passage(row)) ?? ""
        let word = Words.split(text).first {
          !$0.kind.isAdditional && TextAnalyzer.term(for: $0, in: .english) == term
        }
        return word?.text ?? term
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

/// The optimal string alignment distance of one word to many that come in order, of which each shares its beginning with the one before.
struct EditDistance {
  private let sought: [UInt8]
  private let most: Int
  /// By letter of the other word, the distances to each beginning of the sought one.
  private var rows: [[Int]]
  private var other: [UInt8] = []
  /// The letter behind which no word can be near any more.
  private var hopeless = Int.max

  init(_ sought: [UInt8], most: Int) {
    self.sought = sought
    self.most = most
    rows = [Array(0...sought.count)]
  }

  /// Whether a word is near; `shared` bytes of it are those of the word before.
  mutating func isNear(_ word: [UInt8], shared: Int) -> Bool {
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

  /// The distance of two words.
  static func between(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var distance = EditDistance(left, most: .max - 1)
    _ = distance.isNear(right, shared: 0)
    return distance.rows.last?.last ?? .max
  }
}
