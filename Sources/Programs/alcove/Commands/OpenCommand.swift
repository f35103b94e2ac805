import Assistant
import Documents
import Terminal

extension Command {
  static let open = Command(
    name: "open", summary: "show a citation, a hit or a document in its context",
    details: """
      A number opens that citation of the last answer, or that hit of the last search; a name opens a document of the \
      library. The cited lines are marked.
      """,
    arguments: [Argument(name: "PLACE", kind: .document)],
    options: [
      Option(name: "page", value: ("N", .integer(1...10_000_000)), help: "open a document at this page"),
      Option(name: "context", value: ("LINES", .integer(0...100_000)), help: "lines around the cited ones (6)"),
    ],
    examples: ["alcove open 1", "alcove open report.pdf --page 12"]
  ) { invocation, program in
    guard let name = invocation.value("PLACE") else { return .usage }
    let library = try await program.workspace().library
    let excerpt: DocumentExcerpt
    if let number = Int(name), !invocation.has("page") {
      let places = try await program.lastPlaces()
      guard places.indices.contains(number - 1) else {
        throw places.isEmpty ? WorkspaceError.nothingListed : .noNumber(number, last: places.count)
      }
      let place = places[number - 1]
      excerpt = try await DocumentExcerpt(
        around: place.span, of: place.documentHash, named: place.name, context: invocation.integer("context") ?? 6,
        in: library)
    } else {
      let document = try await program.workspace().document(named: name)
      excerpt = try await DocumentExcerpt(of: document, page: invocation.integer("page"), in: library)
    }
    Pager(environment: program.environment).show(excerpt.text(program.output.ink), on: program.output)
    return .ok
  }
}

extension DocumentExcerpt {
  /// Returns the excerpt as a terminal shows it: the lines with their numbers, the cited ones marked.
  fileprivate func text(_ ink: Ink) -> String {
    var text = ink(TextSanitizer.line(path), .bold) + "\n"
    if let title { text += TextSanitizer.line(title) + "\n" }
    for page in pages {
      text += "\n" + (page.label.map { ink("page \(TextSanitizer.line($0))", .dim) + "\n" } ?? "")
      let digits = page.lines.last.map { String($0.number).count } ?? 0
      for line in page.lines {
        let label = String(repeating: " ", count: max(0, digits - String(line.number).count)) + "\(line.number)"
        let mark = line.cited == nil ? " " : "▌"
        text += ink(label + " ", .dim) + ink(mark, .reference) + " " + Self.text(line, ink) + "\n"
      }
    }
    return text
  }

  private static func text(_ line: Line, _ ink: Ink) -> String {
    let bytes = Array(line.text.utf8)
    func safe(_ part: ArraySlice<UInt8>) -> String { TextSanitizer.line(String(decoding: part, as: UTF8.self)) }
    let note = line.isHidden ? ink(" (not visible on the page)", .warning) : ""
    guard let cited = line.cited, cited.upperBound <= bytes.count else { return safe(bytes[...]) + note }
    return safe(bytes[..<cited.lowerBound]) + ink(safe(bytes[cited]), .bold) + safe(bytes[cited.upperBound...])
      + note
  }
}
