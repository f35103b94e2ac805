import Documents
import Linguistics

/// Builds a keyword segment from passages.
struct SegmentBuilder {
  /// Longest indexed term, in bytes: the dictionary stores lengths in one byte.
  static let longestTerm = 250

  private var table = TermTable()
  /// Postings by term: for each passage the ordinal, the counts, the number of positions, and the positions.
  private var occurrences: [[UInt32]] = []
  private(set) var lengths: [UInt32] = []
  private(set) var totals = IndexTotals()
  /// State by term: offset of its entry for the current passage, and the last position in the current field.
  private var open: [(entry: Int, field: Int, position: UInt32)] = []
  /// Terms of the current passage.
  private var touched: [Int] = []

  var passageCount: Int { lengths.count }

  /// Adds a passage.
  /// - Parameter title: the terms of the document's title, analysed once for all of its passages.
  mutating func add(
    text: String, headings: String, title: TextAnalyzer.Terms, language: Language, stems: inout StemCache
  ) {
    let headings = TextAnalyzer.terms(of: headings, in: language, stems: &stems)
    let body = TextAnalyzer.terms(of: text, in: language, stems: &stems)
    for (field, terms) in [title.sequence, headings.sequence, body.sequence].enumerated() {
      for (position, term) in terms.enumerated() { count(term, field: field, position: UInt32(position)) }
    }
    for terms in [title.compounds, headings.compounds, body.compounds] {
      for term in terms { count(term, field: 3, position: 0) }
    }
    for term in touched { open[term].entry = -1 }
    touched.removeAll(keepingCapacity: true)
    let length = PassageLengths.pack(
      title: title.sequence.count, headings: headings.sequence.count, body: body.sequence.count)
    lengths.append(length)
    totals.add(length)
  }

  private mutating func count(_ term: String, field: Int, position: UInt32) {
    guard term.utf8.count <= Self.longestTerm, !term.isEmpty else { return }
    let number = table.number(of: term)
    if number == occurrences.count {
      occurrences.append([])
      open.append((-1, 0, 0))
    }
    if open[number].entry < 0 {
      open[number] = (occurrences[number].count, -1, 0)
      occurrences[number].append(UInt32(lengths.count))
      occurrences[number].append(0)
      occurrences[number].append(0)
      touched.append(number)
    }
    let entry = open[number].entry
    let shift = UInt32(8 * field)
    guard occurrences[number][entry + 1] >> shift & 0xff < FieldCounts.most else { return }
    occurrences[number][entry + 1] += 1 << shift
    guard field < 3 else { return }
    // Positions are stored as gaps from the previous one in the same field.
    let last = open[number].field == field ? open[number].position : 0
    occurrences[number].append(position - last)
    occurrences[number][entry + 2] += 1
    open[number].field = field
    open[number].position = position
  }

  /// Makes the writer of the segment.
  func writer(rows: [UInt32]) -> SegmentWriter {
    precondition(rows.count == lengths.count, "one row a passage")
    var assembler = SegmentAssembler(lengths: lengths, rows: rows)
    var positions: [UInt8] = []
    for number in table.sorted() {
      let entries = occurrences[number]
      var (place, count) = (0, 0)
      while place < entries.count {
        positions.removeAll(keepingCapacity: true)
        let end = place + 3 + Int(entries[place + 2])
        for position in entries[place + 3..<end] { Varint.append(position, to: &positions) }
        positions.withUnsafeBytes {
          assembler.encoder.add(entries[place], counts: entries[place + 1], positions: $0)
        }
        place = end
        count += 1
      }
      assembler.endTerm(table.bytes(of: number), count: count)
    }
    return assembler.writer()
  }
}

/// Numbers terms in the order in which they first occur.
struct TermTable {
  private var arena: [UInt8] = []
  private var starts: [Int] = [0]
  private var hashes: [UInt64] = []
  /// Hash table with open addressing: numbers plus one; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 1_024)

  /// Returns the number of a term; a new term gets the next one.
  mutating func number(of term: String) -> Int {
    var term = term
    return term.withUTF8 { bytes in
      let hash = SegmentChecksum.of(UnsafeRawBufferPointer(bytes))
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 {
        let number = Int(slots[slot]) - 1
        if hashes[number] == hash, holds(bytes, number) { return number }
        slot = (slot + 1) & (slots.count - 1)
      }
      arena.append(contentsOf: bytes)
      starts.append(arena.count)
      hashes.append(hash)
      slots[slot] = UInt32(hashes.count)
      if hashes.count * 2 > slots.count { grow() }
      return hashes.count - 1
    }
  }

  func bytes(of number: Int) -> [UInt8] { Array(arena[starts[number]..<starts[number + 1]]) }

  /// Returns all numbers, sorted by their terms' bytes.
  func sorted() -> [Int] {
    arena.withUnsafeBufferPointer { bytes in
      hashes.indices.sorted {
        bytes[starts[$0]..<starts[$0 + 1]].lexicographicallyPrecedes(bytes[starts[$1]..<starts[$1 + 1]])
      }
    }
  }

  private func holds(_ bytes: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == bytes.count else { return false }
    for place in 0..<bytes.count where arena[start + place] != bytes[place] { return false }
    return true
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }
}
