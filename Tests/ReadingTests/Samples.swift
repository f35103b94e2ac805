import Documents
import Foundation
import Glibc
import Reading
import TestSupport

/// Result of reading a file: a document, or the reason there is none.
typealias Outcome = Result<ExtractedDocument, ReadingFailure>

/// Reads bytes as if they were a file of that name.
func read(
  _ bytes: some Sequence<UInt8>, as name: String, password: String? = nil, limits: ReadingLimits = .standard
) -> Outcome {
  var path = Array("/tmp/alcove-sample-XXXXXX".utf8CString)
  let descriptor = mkstemp(&path)
  precondition(descriptor >= 0, "no temporary file")
  unlink(path)
  defer { close(descriptor) }
  let content = Array(bytes)
  var written = 0
  while written < content.count {
    let count = content[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    precondition(count > 0, "temporary file is full")
    written += count
  }
  return Outcome { () throws(ReadingFailure) in
    try DocumentReader.read(descriptor: descriptor, fileName: name, password: password, limits: limits)
  }
}

/// Reads text as if it were a file of that name.
func read(_ text: String, as name: String, limits: ReadingLimits = .standard) -> Outcome {
  read(text.utf8, as: name, limits: limits)
}

/// Reads a file of the reference data.
func read(_ file: URL, password: String? = nil, limits: ReadingLimits = .standard) throws -> Outcome {
  read(try Data(contentsOf: file), as: file.lastPathComponent, password: password, limits: limits)
}

extension Outcome {
  /// The stable name of the outcome.
  var name: String {
    switch self {
    case .success: "ok"
    case .failure(let failure): failure.name
    }
  }

  /// All lines of all pages.
  var lines: [DocumentLine] { (try? get())?.pages.flatMap(\.lines) ?? [] }

  /// The texts of all lines.
  var texts: [String] { lines.map(\.text) }

  /// The texts of the lines of a role.
  func texts(_ role: LineRole) -> [String] { lines.filter { $0.role == role }.map(\.text) }

  /// All text, with every run of white space made one space.
  var runningText: String {
    texts.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
