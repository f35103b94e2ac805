/// English stemmer: Porter2 (snowballstem.org/algorithms/english).
///
/// Only folded ASCII words are stemmed; others are returned unchanged.
package enum Stemmer {
  /// Returns the stem of a folded word.
  package static func stem(_ word: String) -> String {
    let count = word.utf8.count
    guard count > 2, count < 48 else { return word }
    if let exception = StemmerTable.exceptions[word] { return exception }
    var letters = Array(word.utf8)
    for letter in letters where letter &- 0x61 >= 26 { return word }
    var stem = Stem(letters: letters)
    stem.reduce()
    letters = stem.letters
    for place in letters.indices where letters[place] == Stem.consonantY { letters[place] = UInt8(ascii: "y") }
    return String(decoding: letters, as: UTF8.self)
  }
}

private struct Stem {
  /// Marker for a "y" that acts as a consonant, while the rules run.
  static let consonantY = UInt8(ascii: "Y")

  var letters: [UInt8]
  /// Offsets of the regions R1 and R2.
  var first = 0
  var second = 0

  init(letters: [UInt8]) {
    self.letters = letters
    let y = UInt8(ascii: "y")
    if letters[0] == y { self.letters[0] = Stem.consonantY }
    for place in 1..<letters.count where letters[place] == y && isVowel(place - 1) {
      self.letters[place] = Stem.consonantY
    }
    first = StemmerTable.longPrefixes.first { letters.starts(with: $0) }?.count ?? region(after: 0)
    second = region(after: first)
  }

  /// Returns the place behind the first non-vowel that follows a vowel.
  private func region(after start: Int) -> Int {
    var place = start + 1
    while place < letters.count {
      if !isVowel(place), isVowel(place - 1) { return place + 1 }
      place += 1
    }
    return letters.count
  }

  func isVowel(_ place: Int) -> Bool {
    switch letters[place] {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
      UInt8(ascii: "y"):
      true
    default: false
    }
  }

  func ends(_ suffix: StaticString) -> Bool {
    let length = suffix.utf8CodeUnitCount
    guard letters.count >= length, letters[letters.count - 1] == suffix.utf8Start[length - 1] else { return false }
    let start = letters.count - length
    for offset in 0..<length where letters[start + offset] != suffix.utf8Start[offset] { return false }
    return true
  }

  func hasVowel(before end: Int) -> Bool {
    for place in 0..<max(0, end) where isVowel(place) { return true }
    return false
  }

  mutating func replace(_ count: Int, with suffix: StaticString) {
    letters.removeLast(count)
    for offset in 0..<suffix.utf8CodeUnitCount { letters.append(suffix.utf8Start[offset]) }
  }

  /// Indicates whether the word ends in a short syllable.
  func endsShort() -> Bool {
    let count = letters.count
    if count == 2 { return isVowel(0) && !isVowel(1) }
    guard count > 2 else { return false }
    let last = letters[count - 1]
    return !isVowel(count - 3) && isVowel(count - 2) && !isVowel(count - 1) && last != UInt8(ascii: "w")
      && last != UInt8(ascii: "x") && last != Stem.consonantY
  }

  var isShort: Bool { first >= letters.count && endsShort() }

  var endsDouble: Bool {
    guard letters.count > 1, letters[letters.count - 1] == letters[letters.count - 2] else { return false }
    return "bdfgmnprt".utf8.contains(letters[letters.count - 1])
  }

  mutating func reduce() {
    stepOneA()
    let count = letters.count
    if count == 6 || count == 7,
      StemmerTable.finishedAfterPlural.contains(where: { letters.elementsEqual($0.utf8) })
    {
      return
    }
    stepOneB()
    stepOneC()
    stepTwo()
    stepThree()
    stepFour()
    stepFive()
  }

  private mutating func stepOneA() {
    let count = letters.count
    if ends("sses") {
      replace(4, with: "ss")
    } else if ends("ied") || ends("ies") {
      replace(3, with: count > 4 ? "i" : "ie")
    } else if ends("us") || ends("ss") {
      return
    } else if ends("s"), hasVowel(before: count - 2) {
      letters.removeLast()
    }
  }

  private mutating func stepOneB() {
    if ends("eedly") {
      if letters.count - 5 >= first { replace(5, with: "ee") }
      return
    }
    if ends("eed") {
      if letters.count - 3 >= first { replace(3, with: "ee") }
      return
    }
    let length: Int
    if ends("ingly") {
      length = 5
    } else if ends("edly") {
      length = 4
    } else if ends("ing") {
      length = 3
    } else if ends("ed") {
      length = 2
    } else {
      return
    }
    guard hasVowel(before: letters.count - length) else { return }
    letters.removeLast(length)
    if ends("at") || ends("bl") || ends("iz") {
      letters.append(UInt8(ascii: "e"))
    } else if endsDouble {
      letters.removeLast()
    } else if isShort {
      letters.append(UInt8(ascii: "e"))
    }
  }

  private mutating func stepOneC() {
    let count = letters.count
    guard count > 2, letters[count - 1] == UInt8(ascii: "y") || letters[count - 1] == Stem.consonantY,
      !isVowel(count - 2)
    else { return }
    letters[count - 1] = UInt8(ascii: "i")
  }

  /// Applies the longest rule that fits, where its suffix lies in the region.
  private mutating func apply(_ rules: [(StaticString, StaticString)], from region: Int) {
    for (suffix, replacement) in rules where ends(suffix) {
      if letters.count - suffix.utf8CodeUnitCount >= region {
        replace(suffix.utf8CodeUnitCount, with: replacement)
      }
      return
    }
  }

  private mutating func stepTwo() {
    if ends("li"), !ends("entli"), !ends("ousli"), !ends("abli"), !ends("alli"), !ends("fulli"), !ends("lessli"),
      !ends("bli")
    {
      guard letters.count > 2, letters.count - 2 >= first else { return }
      if "cdeghkmnrt".utf8.contains(letters[letters.count - 3]) { letters.removeLast(2) }
      return
    }
    if ends("ogi") {
      if letters.count > 3, letters[letters.count - 4] == UInt8(ascii: "l"), letters.count - 3 >= first {
        letters.removeLast()
      }
      return
    }
    apply(StemmerTable.stepTwo, from: first)
  }

  private mutating func stepThree() {
    if ends("ative") {
      if letters.count - 5 >= second { letters.removeLast(5) }
      return
    }
    apply(StemmerTable.stepThree, from: first)
  }

  private mutating func stepFour() {
    if ends("ion"), !ends("ement") {
      guard letters.count > 3, letters.count - 3 >= second else { return }
      let before = letters[letters.count - 4]
      if before == UInt8(ascii: "s") || before == UInt8(ascii: "t") { letters.removeLast(3) }
      return
    }
    apply(StemmerTable.stepFour, from: second)
  }

  private mutating func stepFive() {
    let count = letters.count
    if ends("e") {
      if count - 1 >= second {
        letters.removeLast()
      } else if count - 1 >= first {
        letters.removeLast()
        if endsShort() { letters.append(UInt8(ascii: "e")) }
      }
    } else if ends("ll"), count - 1 >= second {
      letters.removeLast()
    }
  }
}
