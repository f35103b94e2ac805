/// Phrases between quotes, read from `Resources/Rules/phrases.txt`.
package struct Phrases: Sendable, Equatable {
  /// Keys of the phrases; the raw value is the key in the file.
  package enum Key: String, Sendable, CaseIterable {
    case yes, no, unsure, heading, side, count, item, more, sampled, far
    case sideMissing = "side-missing"
    case readPart = "read-part"
    case noPassages = "no-passages"
    case noDocuments = "no-documents"
    case wordsMissing = "words-missing"
    case emptyQuestion = "empty-question"
  }

  private let table: [Key: String]

  /// Empty phrases, for callers that use the quotes only.
  package static let blank = Phrases(table: [:])

  private init(table: [Key: String]) { self.table = table }

  /// Parses a file of phrases; every key must be there.
  package init(parsing text: String, file: String = "phrases.txt") throws(AnalysisError) {
    var table: [Key: String] = [:]
    for (number, line) in RuleLines.split(text) {
      guard let colon = line.firstIndex(of: ":"), let key = Key(rawValue: String(line[..<colon])) else {
        throw .badRule(file: file, line: number)
      }
      table[key] = RuleLines.trim(line[line.index(after: colon)...])
    }
    for key in Key.allCases where table[key]?.isEmpty ?? true {
      throw .missingPhrase(file: file, key: key.rawValue)
    }
    self.table = table
  }

  /// Returns a phrase with its placeholders filled.
  package subscript(key: Key, values: [String: String]) -> String {
    // A value may itself hold braces, so each placeholder is filled once, from left to right.
    var filled = ""
    var rest = Substring(table[key] ?? "")
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      filled += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// Returns a phrase without placeholders.
  package subscript(key: Key) -> String { self[key, [:]] }
}

/// Splits a rules file into lines.
enum RuleLines {
  /// Returns the lines that are not blank or comments, numbered from 1; a line that begins with two spaces continues
  /// the one before.
  static func split(_ text: String) -> [(number: Int, text: String)] {
    var lines: [(number: Int, text: String)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = trim(line)
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      if line.hasPrefix("  "), !lines.isEmpty {
        lines[lines.count - 1].text += " " + trimmed
      } else {
        lines.append((index + 1, trimmed))
      }
    }
    return lines
  }

  static func trim(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }

  static func trim(_ text: String) -> String { trim(Substring(text)) }
}
