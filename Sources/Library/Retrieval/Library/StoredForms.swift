import Documents
import Foundation

/// The words of a file's name, for the index: without its folder and its extension.
enum FileName {
  static func words(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }
}

/// Headings in one column: joined by line feeds, which a heading never holds.
enum Headings {
  static func encode(_ headings: [String]) -> String {
    headings.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
  }

  static func decode(_ text: String) -> [String] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Failures in the ledger, as JSON: they keep their facts.
enum FailureCoding {
  static func encode(_ failure: ReadingFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A closed enum of strings and integers always encodes.
    guard let data = try? encoder.encode(failure) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The failure, where it is one that this version knows.
  static func decode(_ text: String) -> ReadingFailure {
    // A failure of another version is still a failure; its facts are shown as they are.
    (try? JSONDecoder().decode(ReadingFailure.self, from: Data(text.utf8))) ?? .unsupported(detail: text)
  }
}
