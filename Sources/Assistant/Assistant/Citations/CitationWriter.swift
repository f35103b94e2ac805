import Documents
import Retrieval

/// Numbers the quotes of one answer and finds the stored bytes of each.
struct CitationWriter {
  private let library: Library
  private(set) var sources: [Source] = []
  /// Stored text at each citation's place, read back from the library.
  private(set) var stored: [Citation: String] = [:]
  /// Text besides the quote whose names and numbers count as cited, by the source's number: the headings above it.
  private(set) var context: [Int: String] = [:]
  private var read: [PassageID: RunningText] = [:]

  init(library: Library) { self.library = library }

  /// Words of a stretch of a passage's running text with the number of its citation behind them.
  mutating func cite(_ range: Range<Int>, of place: PassagePlace) async throws -> CitedSentence {
    let text = String(decoding: Array(place.passage.passage.text.utf8)[range], as: UTF8.self)
    let span = try await span(of: range, in: place)
    guard let quote = try await library.text(of: span, in: place.document.id) else {
      return CitedSentence(text: text, citations: [])
    }
    let citation = Citation(documentHash: place.document.hash, span: span, quote: quote)
    func cited(_ number: Int) -> CitedSentence { CitedSentence(text: "\(text) [\(number)]", citations: [number]) }
    if let known = sources.first(where: { $0.citation == citation }) { return cited(known.number) }
    let page = try await library.page(span.start.page, of: place.document.id)
    let number = sources.count + 1
    sources.append(
      Source(
        number: number, path: place.document.path, title: place.document.title ?? place.document.name,
        pageLabel: place.document.kind.hasPages ? page?.label ?? String(span.start.page) : nil, citation: citation)
    )
    stored[citation] = quote
    context[number] = place.passage.passage.headings.joined(separator: "\n")
    return cited(number)
  }

  private mutating func span(of range: Range<Int>, in place: PassagePlace) async throws -> TextSpan {
    let passage = place.passage.passage
    let running: RunningText
    if let known = read[place.passage.id] {
      running = known
    } else {
      var pages: [DocumentPage] = []
      for number in passage.span.start.page...max(passage.span.start.page, passage.span.end.page) {
        if let page = try await library.page(number, of: place.document.id) { pages.append(page) }
      }
      running = RunningText(pages: pages, span: passage.span)
      read[place.passage.id] = running
    }
    // A passage that does not read as it was indexed cannot be cut finely; as a whole it still opens.
    return running.text == passage.text ? running.span(of: range) : passage.span
  }
}
