import Persistence

/// The passages that hold one term, by id, with how often each field does.
struct Postings {
  var rows: [UInt32] = []
  /// Eight bits a field: title, headings, body, compounds.
  var counts: [UInt32] = []

  var byteCount: Int { rows.count * 8 + 64 }

  /// The passages of either, with the counts added.
  static func union(_ left: Postings, _ right: Postings) -> Postings {
    if left.rows.isEmpty { return right }
    if right.rows.isEmpty { return left }
    var union = Postings()
    union.rows.reserveCapacity(left.rows.count + right.rows.count)
    union.counts.reserveCapacity(left.rows.count + right.rows.count)
    var (i, j) = (0, 0)
    while i < left.rows.count || j < right.rows.count {
      if j == right.rows.count || (i < left.rows.count && left.rows[i] < right.rows[j]) {
        union.rows.append(left.rows[i])
        union.counts.append(left.counts[i])
        i += 1
      } else if i == left.rows.count || right.rows[j] < left.rows[i] {
        union.rows.append(right.rows[j])
        union.counts.append(right.counts[j])
        j += 1
      } else {
        union.rows.append(left.rows[i])
        union.counts.append(FieldCounts.sum(left.counts[i], right.counts[j]))
        i += 1
        j += 1
      }
    }
    return union
  }
}

/// Counts of a term in four fields, eight bits each.
enum FieldCounts {
  /// From sixteen bits a field, as `tally` gives them.
  static func pack(_ tally: Int) -> UInt32 {
    var packed: UInt32 = 0
    for field in 0..<4 { packed |= UInt32(min(tally >> (16 * field) & 0xffff, 0xff)) << UInt32(8 * field) }
    return packed
  }

  static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      sum |= min((left >> shift & 0xff) + (right >> shift & 0xff), 0xff) << shift
    }
    return sum
  }

  static func title(_ counts: UInt32) -> Int { Int(counts & 0xff) }
  static func headings(_ counts: UInt32) -> Int { Int(counts >> 8 & 0xff) }
  /// A compound stands in the body under another spelling.
  static func body(_ counts: UInt32) -> Int { Int(counts >> 16 & 0xff) + Int(counts >> 24) }
}

/// Remembers postings up to a number of bytes; what was not used for longest goes first.
struct PostingsCache {
  let byteLimit: Int
  private var entries: [String: (postings: Postings, used: UInt64)] = [:]
  private var byteCount = 0
  private var clock: UInt64 = 0

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  mutating func find(_ term: String) -> Postings? {
    guard let entry = entries[term] else { return nil }
    clock += 1
    entries[term]?.used = clock
    return entry.postings
  }

  mutating func keep(_ postings: Postings, for term: String) {
    guard postings.byteCount < byteLimit / 4 else { return }
    clock += 1
    entries[term] = (postings, clock)
    byteCount += postings.byteCount
    guard byteCount > byteLimit else { return }
    for (term, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) where byteCount > byteLimit / 2 {
      entries[term] = nil
      byteCount -= entry.postings.byteCount
    }
  }

  mutating func removeAll() {
    entries.removeAll()
    byteCount = 0
  }
}

extension KeywordIndex {
  /// The passages that hold a term.
  func postings(of term: String) throws(DatabaseError) -> Postings {
    if let known = postings.find(term) { return known }
    let found = try match([term])
    postings.keep(found, for: term)
    return found
  }

  /// The passages that hold terms one after the other.
  func match(_ phrase: [String]) throws(DatabaseError) -> Postings {
    // Terms hold no quotes, but doubling them keeps any text from being syntax.
    let quoted = phrase.joined(separator: " ").replacing("\"", with: "\"\"")
    var postings = Postings()
    _ = try database.rows(
      "SELECT rowid, tally(words) FROM words WHERE words MATCH ? ORDER BY rowid", "\"\(quoted)\""
    ) { row throws(DatabaseError) in
      postings.rows.append(UInt32(clamping: row.int(0)))
      postings.counts.append(FieldCounts.pack(row.int(1)))
    }
    return postings
  }
}
