/// Light stemmer for languages other than English: removes endings of number, case and gender, so that a word is
/// found in its other forms.
///
/// After the light and minimal stemmers of J. Savoy ("Light stemming approaches for the French, Portuguese, German
/// and Hungarian languages", SAC 2006, and members.unine.ch/jacques.savoy/clef), over folded words, which have no
/// accents.
package enum LightStemmer {
  /// Returns the stem of a folded word; the word itself in languages without rules here.
  package static func stem(_ word: String, in language: Language) -> String {
    let count = word.unicodeScalars.count
    guard count > 3, count < 48, !word.utf8.contains(where: { $0 &- 0x30 < 10 }) else { return word }
    var letters = Array(word.unicodeScalars)
    switch language {
    case .german: german(&letters)
    case .dutch: dutch(&letters)
    case .french: french(&letters)
    case .spanish: spanish(&letters)
    case .italian: italian(&letters)
    case .portuguese: portuguese(&letters)
    case .russian: russian(&letters)
    case .english, .other: return word
    }
    var stem = ""
    stem.unicodeScalars.append(contentsOf: letters)
    return stem
  }

  private typealias Letters = [Unicode.Scalar]

  private static func ends(_ letters: Letters, _ suffix: String) -> Bool {
    letters.count > suffix.unicodeScalars.count
      && letters.suffix(suffix.unicodeScalars.count).elementsEqual(suffix.unicodeScalars)
  }

  /// Removes the first of some endings that the word has and that leaves a long enough stem.
  @discardableResult
  private static func drop(_ endings: [String], from letters: inout Letters, leaving least: Int = 3) -> Bool {
    for ending in endings where ends(letters, ending) && letters.count - ending.unicodeScalars.count >= least {
      letters.removeLast(ending.unicodeScalars.count)
      return true
    }
    return false
  }

  private static func replace(_ ending: String, with other: String, in letters: inout Letters) -> Bool {
    guard ends(letters, ending) else { return false }
    letters.removeLast(ending.unicodeScalars.count)
    letters.append(contentsOf: other.unicodeScalars)
    return true
  }

  /// Letters behind which an "s" or "st" is an ending in German.
  private static let beforeEnding: Set<Unicode.Scalar> = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "t"]

  private static func german(_ letters: inout Letters) {
    if !drop(["ern"], from: &letters), !drop(["em", "en", "er", "es"], from: &letters),
      !drop(["e"], from: &letters),
      ends(letters, "s"), beforeEnding.contains(letters[letters.count - 2])
    {
      letters.removeLast()
    }
    if !drop(["est"], from: &letters), !drop(["er", "en"], from: &letters), letters.count > 4, ends(letters, "st"),
      beforeEnding.contains(letters[letters.count - 3])
    {
      letters.removeLast(2)
    }
  }

  private static func dutch(_ letters: inout Letters) {
    drop(["en", "s", "e"], from: &letters)
    if let last = letters.last, letters.count > 3, last == letters[letters.count - 2] { letters.removeLast() }
  }

  private static func french(_ letters: inout Letters) {
    if replace("eaux", with: "eau", in: &letters) || replace("aux", with: "al", in: &letters) { return }
    drop(["s", "x"], from: &letters)
    drop(["r"], from: &letters)
    drop(["e"], from: &letters)
    drop(["e"], from: &letters)
    if let last = letters.last, letters.count > 3, last == letters[letters.count - 2] { letters.removeLast() }
  }

  private static func spanish(_ letters: inout Letters) {
    if replace("eses", with: "es", in: &letters) || replace("ces", with: "z", in: &letters) { return }
    drop(["os", "as", "es", "o", "a", "e", "s"], from: &letters)
  }

  private static func italian(_ letters: inout Letters) {
    drop(["he", "hi", "ie", "ii", "ia", "io", "e", "i", "a", "o"], from: &letters)
  }

  private static func portuguese(_ letters: inout Letters) {
    if replace("oes", with: "ao", in: &letters) || replace("aes", with: "ao", in: &letters)
      || replace("ais", with: "al", in: &letters) || replace("eis", with: "el", in: &letters)
      || replace("ns", with: "m", in: &letters)
    {
      return
    }
    if ends(letters, "ao") { return }
    if ends(letters, "res") || ends(letters, "zes") || ends(letters, "les") {
      letters.removeLast(2)
    } else {
      drop(["s"], from: &letters)
      drop(["a", "e", "o"], from: &letters)
    }
  }

  /// Endings of adjectives and nouns, the longest first; folding has made "й" an "и".
  private static let russianEndings = [
    "иями", "ими", "ыми", "его", "ого", "ему", "ому", "иях", "ями", "ами", "ием", "иям", "иеи", "ее", "ие", "ые",
    "ое", "еи", "ии", "ыи", "ои", "ем", "им", "ым", "ом", "их", "ых", "ую", "юю", "ая", "яя", "ою", "ею", "ев",
    "ов", "ье", "ах", "ях", "ам", "ям", "ию", "ью", "ия", "ья", "а", "е", "и", "ы", "ь", "ю", "я", "о", "у",
  ]

  private static func russian(_ letters: inout Letters) { drop(russianEndings, from: &letters) }
}
