import Documents
import Foundation

/// Words of a file's name, for the index: without folder and extension.
enum FileName {
  static func words(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }
}

/// Headings in one column, joined by line feeds, which a heading never holds.
enum Headings {
  static func encode(_ headings: [String]) -> String {
    headings.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
  }

  static func decode(_ text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Stored form of failures in the ledger: JSON, so that they keep their facts.
enum FailureCoding {
  static func encode(_ failure: ReadingFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A closed enum of strings and integers always encodes.
    guard let data = try? encoder.encode(failure) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Decodes a failure.
  static func decode(_ text: String) -> ReadingFailure {
    // A failure written by another version is shown as it is stored.
    (try? JSONDecoder().decode(ReadingFailure.self, from: Data(text.utf8))) ?? .unsupported(detail: text)
  }
}
