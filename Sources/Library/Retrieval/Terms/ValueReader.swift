import Linguistics

/// Recognises dates and scaled numbers in a stream of words, so that every way to write one is one term.
///
/// A date gives up to three terms: the day (`#2024-03-03`), its month (`#2024-03`) and the day of any year
/// (`#--03-03`); `1.2 million` gives `1200000`. No word of a text begins with `#`.
struct ValueReader {
  /// Recognised value.
  struct Value {
    /// Term of the whole value.
    var term: String
    /// Wider terms that include it.
    var wider: [String]
    /// Place in the text, in UTF-8 offsets.
    var range: Range<Int>
  }

  private struct Seen {
    var text: String
    var range: Range<Int>
  }

  /// Recent words, the latest last.
  private var seen: [Seen] = []
  private var sinceNumber = 9

  /// Takes the next word of a text; additional readings are ignored.
  /// - Parameter bytes: the text.
  mutating func take(_ word: Word, of bytes: UnsafeBufferPointer<UInt8>) -> [Value] {
    if seen.count == 4 { seen.removeFirst() }
    seen.append(Seen(text: word.text, range: word.range))
    let isNumber = !word.range.isEmpty && bytes[word.range.lowerBound] &- 0x30 < 10
    sinceNumber = isNumber ? 0 : sinceNumber + 1
    guard sinceNumber < 4, seen.count > 1 else { return [] }
    return values(in: bytes)
  }

  private func values(in bytes: UnsafeBufferPointer<UInt8>) -> [Value] {
    // Number of words at the end that are next to each other.
    var length = 1
    while length < seen.count, isNear(seen.count - length - 1, bytes) { length += 1 }
    guard length > 1 else { return [] }
    let words = Array(seen.suffix(length))
    let last = words[length - 1]
    var values: [Value] = []
    func add(_ count: Int, year: Int?, month: Int, day: Int?) {
      let range = words[length - count].range.lowerBound..<last.range.upperBound
      guard let value = Self.date(year: year, month: month, day: day, range: range) else { return }
      values.append(value)
    }
    if let zeros = DatesTable.scales[last.text], let number = Self.scaled(words[length - 2].text, by: zeros) {
      let range = words[length - 2].range.lowerBound..<last.range.upperBound
      values.append(Value(term: number, wider: [], range: range))
    }
    if let year = Self.year(last.text) {
      if let month = DatesTable.months[words[length - 2].text] {
        add(2, year: year, month: month, day: nil)
        if length > 2, let day = Self.day(words[length - 3].text) {
          add(3, year: year, month: month, day: day)
        } else if length > 3, DatesTable.links.contains(words[length - 3].text) {
          if let day = Self.day(words[length - 4].text) { add(4, year: year, month: month, day: day) }
        }
      } else if length > 2, let second = Self.day(words[length - 2].text) {
        if let month = DatesTable.months[words[length - 3].text] {
          add(3, year: year, month: month, day: second)
        } else if let first = Self.day(words[length - 3].text), isJoined(3, bytes) {
          if second <= 12 { add(3, year: year, month: second, day: first) }
          // Only with slashes is the month ever first.
          if first <= 12, first != second, bytes[words[length - 3].range.upperBound] == UInt8(ascii: "/") {
            add(3, year: year, month: first, day: second)
          }
        }
      }
    } else if let day = Self.day(last.text) {
      if length > 2, let year = Self.year(words[length - 3].text), let month = Self.day(words[length - 2].text),
        isJoined(3, bytes)
      {
        add(3, year: year, month: month, day: day)
      } else if let month = DatesTable.months[words[length - 2].text] {
        add(2, year: nil, month: month, day: day)
      }
    } else if let month = DatesTable.months[last.text] {
      if let day = Self.day(words[length - 2].text) {
        add(2, year: nil, month: month, day: day)
      } else if length > 2, DatesTable.links.contains(words[length - 2].text),
        let day = Self.day(words[length - 3].text)
      {
        add(3, year: nil, month: month, day: day)
      }
    }
    return values
  }

  /// Indicates whether only spaces, points and the like stand between a word and the next one.
  private func isNear(_ place: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let (start, end) = (seen[place].range.upperBound, seen[place + 1].range.lowerBound)
    guard start <= end, end - start <= 3 else { return false }
    return bytes[start..<end].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }

  /// Indicates whether the last words are joined by one and the same character.
  private func isJoined(_ count: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let words = seen.suffix(count)
    let joints = zip(words, words.dropFirst()).map { left, right in
      right.range.lowerBound - left.range.upperBound == 1 ? bytes[left.range.upperBound] : 0
    }
    guard let first = joints.first, first != 0, first != UInt8(ascii: " ") else { return false }
    return joints.allSatisfy { $0 == first }
  }

  private static func year(_ text: String) -> Int? {
    guard text.utf8.count == 4, let year = Int(text), year >= 1000, year < 3000 else { return nil }
    return year
  }

  private static func day(_ text: String) -> Int? {
    let digits = text.utf8.prefix { $0 &- 0x30 < 10 }
    guard (1...2).contains(digits.count), let day = Int(text.prefix(digits.count)), (1...31).contains(day) else {
      return nil
    }
    let rest = text.dropFirst(digits.count)
    return rest.isEmpty || ["st", "nd", "rd", "th", "er"].contains(rest) ? day : nil
  }

  private static func date(year: Int?, month: Int, day: Int?, range: Range<Int>) -> Value? {
    guard (1...12).contains(month) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    guard let day else { return year.map { Value(term: "#\($0)-\(two(month))", wider: [], range: range) } }
    let inAnyYear = "#--\(two(month))-\(two(day))"
    guard let year else { return Value(term: inAnyYear, wider: [], range: range) }
    return Value(
      term: "#\(year)-\(two(month))-\(two(day))", wider: ["#\(year)-\(two(month))", inAnyYear], range: range)
  }

  /// Returns the digits of a number times a power of ten.
  private static func scaled(_ text: String, by zeros: Int) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 12,
      parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.utf8.count <= zeros else { return nil }
    let digits = whole + fraction + String(repeating: "0", count: zeros - fraction.utf8.count)
    let trimmed = digits.drop { $0 == "0" }
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Returns the values of a text, each as long as possible.
  static func values(in text: String) -> [Value] {
    var found: [Value] = []
    var copy = text
    copy.withUTF8 { bytes in
      var reader = ValueReader()
      Words.forEach(in: text) { word in
        if !word.kind.isAdditional { found += reader.take(word, of: bytes) }
      }
    }
    return found.filter { value in
      !found.contains { other in
        other.range.count > value.range.count && other.range.lowerBound <= value.range.lowerBound
          && other.range.upperBound >= value.range.upperBound
      }
    }
  }
}
