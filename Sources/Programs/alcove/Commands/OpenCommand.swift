import Assistant
import Documents
import Retrieval
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
    let library = try await program.library()
    let view: PlaceView
    if let number = Int(name), !invocation.has("page") {
      let places = try await program.lastPlaces()
      guard places.indices.contains(number - 1) else {
        throw NotFound(
          sentence: places.isEmpty
            ? "there is nothing to open yet" : "there is no [\(number)]; the last is [\(places.count)]")
      }
      let place = places[number - 1]
      guard let document = try await library.document(hash: place.documentHash) else {
        throw NotFound(sentence: "\(place.name) is no longer in the library")
      }
      view = PlaceView(document: document, place: place, context: invocation.integer("context") ?? 6)
    } else {
      let document = try await program.document(named: name)
      view = PlaceView(document: document, place: nil, context: 0, page: invocation.integer("page"))
    }
    let text = try await view.text(library: library, ink: program.output.ink)
    Pager(environment: program.environment).show(text, on: program.output)
    return .ok
  }
}

/// The lines of a document around a place, or a whole page.
struct PlaceView {
  let document: LibraryDocument
  let place: Place?
  let context: Int
  var page: Int?

  func text(library: Library, ink: Ink) async throws -> String {
    var text = ink(TextSanitizer.line(document.path), .bold) + "\n"
    if let title = document.title { text += TextSanitizer.line(title) + "\n" }
    guard let place else {
      let pages = try await library.pages(of: document.id).filter { page == nil || $0.number == page }
      if let page, pages.isEmpty { throw NotFound(sentence: "\(document.name) has no page \(page)") }
      for page in pages { text += heading(page, ink) + lines(of: page, 1...max(1, page.lines.count), ink) }
      return text
    }
    for number in place.span.start.page...max(place.span.start.page, place.span.end.page) {
      guard let page = try await library.page(number, of: document.id), !page.lines.isEmpty else { continue }
      let first = number == place.span.start.page ? place.span.start.line - context : 1
      let last = number == place.span.end.page ? place.span.end.line + context : page.lines.count
      text += heading(page, ink)
      text += lines(of: page, max(1, first)...max(1, first, min(last, page.lines.count)), ink)
    }
    return text
  }

  private func heading(_ page: DocumentPage, _ ink: Ink) -> String {
    guard document.kind.hasPages else { return "\n" }
    return "\n" + ink("page \(TextSanitizer.line(page.label ?? "\(page.number)"))", .dim) + "\n"
  }

  private func lines(of page: DocumentPage, _ range: ClosedRange<Int>, _ ink: Ink) -> String {
    let digits = String(range.upperBound).count
    var text = ""
    for number in range where page.lines.indices.contains(number - 1) {
      let line = page.lines[number - 1]
      let label = String(repeating: " ", count: max(0, digits - String(number).count)) + "\(number)"
      let cited = citedBytes(page: page.number, line: number, of: line.text)
      let mark = cited == nil ? " " : "▌"
      text += ink(label + " ", .dim) + ink(mark, .reference) + " " + shown(line, cited, ink) + "\n"
    }
    return text
  }

  /// The bytes of a line that are cited; nil where none are.
  private func citedBytes(page: Int, line: Int, of text: String) -> Range<Int>? {
    guard let span = place?.span else { return nil }
    let here = (page, line)
    guard here >= (span.start.page, span.start.line), here <= (span.end.page, span.end.line) else { return nil }
    let from = here == (span.start.page, span.start.line) ? span.start.byte : 0
    let to = here == (span.end.page, span.end.line) ? span.end.byte : text.utf8.count
    return max(0, min(from, to))..<min(max(from, to), text.utf8.count)
  }

  private func shown(_ line: DocumentLine, _ cited: Range<Int>?, _ ink: Ink) -> String {
    let bytes = Array(line.text.utf8)
    func safe(_ part: ArraySlice<UInt8>) -> String { TextSanitizer.line(String(decoding: part, as: UTF8.self)) }
    let note = line.isHidden ? ink(" (not visible on the page)", .warning) : ""
    guard let cited, cited.upperBound <= bytes.count else { return safe(bytes[...]) + note }
    return safe(bytes[..<cited.lowerBound]) + ink(safe(bytes[cited]), .bold) + safe(bytes[cited.upperBound...])
      + note
  }
}
