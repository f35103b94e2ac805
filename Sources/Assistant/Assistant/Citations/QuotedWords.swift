/// Numbers and names that the cited quotes contain.
struct QuotedWords {
  private let words: Set<String>
  private let numbers: Set<String>
  private let joined: String
  /// The quotes with hyphenated words joined.
  private let mended: String

  init(_ quotes: [String]) {
    let text = quotes.joined(separator: "\n")
    // A word hyphenated at a line's end counts as printed and as joined.
    mended = text.replacing("-\n", with: "")
    let inOrder = ClaimWord.all(in: mended).map { Claim.folded($0.text) }
    words = Set(ClaimWord.all(in: text).map { Claim.folded($0.text) } + inOrder)
    var numbers = Set(words.flatMap(NumberForm.readings))
    for (place, word) in inOrder.enumerated() where place + 1 < inOrder.count {
      if let product = NumberForm.scaled(word, by: inOrder[place + 1]) { numbers.insert(product) }
    }
    self.numbers = numbers
    joined = " " + inOrder.joined(separator: " ") + " "
  }

  func supports(_ claim: Claim) -> Bool {
    switch claim.kind {
    case .number:
      if words.contains(claim.folded) { return true }
      if let scaled = claim.scaled, numbers.contains(scaled) { return true }
      return NumberForm.readings(claim.folded).contains(where: numbers.contains)
    case .name, .opener:
      if words.contains(claim.folded) { return true }
      if let month = NumberForm.month(claim.folded) { return numbers.contains(month) }
      return claim.folded.count > 3
        && joined.contains(" " + claim.folded.dropLast(claim.folded.hasSuffix("s") ? 1 : 0) + " ")
    case .page, .line:
      // A page number that the quote itself mentions.
      return Claim.all(in: mended).contains { $0.kind == claim.kind && $0.folded == claim.folded }
    }
  }
}

/// Ways of writing the same number.
enum NumberForm {
  /// Plain forms of a word that is or holds a number: `007` is 7, `12.50` is 12.5, `10th` is 10, `two` is 2, `May` is
  /// 5.
  static func readings(_ word: String) -> [String] {
    if let number = words[word] { return [number] }
    if let number = month(word) { return [number] }
    guard let first = word.first, first.isNumber else { return [] }
    let digits = word.prefix { $0.isNumber || ".,".contains($0) }
    // Anything but a unit behind it makes it another number: 3/4 and 3:30 are not 3.
    guard word.dropFirst(digits.count).allSatisfy(\.isLetter) else { return [word] }
    var readings = [plain(digits.filter { $0 != "," })]
    // 1.234,5 and 12,50, the decimal comma of other countries
    if let comma = digits.lastIndex(of: ","), !digits[comma...].contains(".") {
      readings.append(
        plain(digits[..<comma].filter { $0 != "." && $0 != "," } + "." + digits[comma...].dropFirst()))
    } else if digits.count(where: { $0 == "." }) > 1 {
      readings.append(plain(digits.filter { $0 != "." }))
    }
    return readings
  }

  /// A number without leading and trailing zeros.
  private static func plain(_ digits: some StringProtocol) -> String {
    var text = String(digits)
    while text.hasSuffix(".") { text.removeLast() }
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    while text.hasPrefix("0"), text.count > 1, text.dropFirst().first != "." { text.removeFirst() }
    return text
  }

  /// A number times the word behind it, or nil where the word is no factor: 1.5 million.
  static func scaled(_ number: String, by word: String) -> String? {
    guard let zeros = scales[word], let plain = readings(number).first else { return nil }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= zeros, let whole = parts.first else { return nil }
    return self.plain(whole + fraction + String(repeating: "0", count: zeros - fraction.count))
  }

  /// The number of a month.
  static func month(_ word: String) -> String? {
    guard word.count >= 3 else { return nil }
    let place = months.firstIndex {
      $0 == word || word.count == 3 && $0.hasPrefix(word) || word == "sept" && $0 == "september"
    }
    return place.map { "\($0 + 1)" }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
  private static let scales = [
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "bn": 9, "mn": 6,
  ]
  private static let words: [String: String] = [
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
    "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
    "thousand": "1000", "million": "1000000", "dozen": "12", "once": "1", "twice": "2", "first": "1",
    "second": "2",
    "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8", "ninth": "9",
    "tenth": "10",
  ]
}
