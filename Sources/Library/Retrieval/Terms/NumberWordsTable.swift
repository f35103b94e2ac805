import Linguistics

/// Number words and digits in both directions; the words are stems.
enum NumberWordsTable {
  static let otherForm: [String: String] = {
    let words = [
      "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
      "10": "ten", "11": "eleven", "12": "twelve", "13": "thirteen", "14": "fourteen", "15": "fifteen",
      "16": "sixteen", "17": "seventeen", "18": "eighteen", "19": "nineteen", "20": "twenty", "30": "thirty",
      "40": "forty", "50": "fifty", "60": "sixty", "70": "seventy", "80": "eighty", "90": "ninety",
      "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth",
      "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth", "11th": "eleventh", "12th": "twelfth",
    ]
    var forms: [String: String] = [:]
    for (digits, letters) in words {
      forms[digits] = TextAnalyzer.term(
        for: .init(range: 0..<0, text: letters, kind: .word), in: .english)
      forms[letters] = digits
    }
    return forms
  }()
}
