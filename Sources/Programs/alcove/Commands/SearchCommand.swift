import Assistant
import Documents
import JSON
import Retrieval
import Terminal

extension Command {
  static let search = Command(
    name: "search", aliases: ["find"], summary: "find passages by their words and their meaning",
    details: """
      Words are found in any of their forms, whatever their capitals and accents, and passages that say the same in \
      other words are found by their meaning. "Quoted words" must stand together, -word leaves passages out, in:name \
      looks only into files whose name holds it. Open a hit with open and its number.
      """,
    arguments: [Argument(name: "QUERY", kind: .text, isRest: true)],
    options: [
      Option(
        name: "top", letter: "n", value: ("N", .integer(1...10_000)),
        help: "largest number of hits (setting "
          + "search.top)")
    ] + ScopeOptions.all + [
      Option(name: "explain", help: "explain the rank of each hit"),
      Option(
        name: "mode", value: ("HALVES", .choice(["keyword", "vector", "hybrid"])),
        help: "search by words, by meaning, or by both (the default)"),
      Option(
        name: "fusion", value: ("METHOD", .choice(FusionMethod.allCases.map(\.rawValue))),
        help: "combine words and meaning by reciprocal ranks (rrf) or by normalised scores (score, the default)"),
      Option(name: "diverse", help: "put passages that differ, from many documents, first"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: ["alcove search 'notice period'", "alcove search '\"due in May\" -draft in:contract' --top 3"]
  ) { invocation, program in
    let query = invocation.list("QUERY").joined(separator: " ").trimmingSpaces()
    if query.isEmpty { throw UsageError(message: "search needs QUERY", path: invocation.path) }
    let top = try invocation.integer("top") ?? program.settings().integer("search.top")
    let library = try await program.workspace().library
    let scope = try await program.scope(invocation)
    let embedders = try await program.workspace().embedders
    var ranking = RankingSettings()
    if let method = invocation.value("fusion").flatMap(FusionMethod.init) { ranking.fusion.method = method }
    let mode = invocation.value("mode") ?? "hybrid"
    if mode == "vector" { ranking.fusion.vectorWeight = 1 }
    if invocation.has("diverse") { ranking.diversity = .acrossDocuments }
    var results = try await program.interruptible { [ranking] in
      let query = SearchQuery(query)
      let vector = mode == "keyword" ? nil : await embedders.queryVector(query.plainText)
      return try await library.search(query, vector: vector, limit: top, scope: scope, ranking: ranking)
    }
    let isFar =
      (results.closeness.cosine ?? 0) < Closeness.leastCosineAlone && results.hits.allSatisfy { $0.keyword == nil }
    if isFar, mode == "hybrid" { results.hits = [] }
    var places: [Place] = []
    for hit in results.hits { places.append(try await Place(of: hit.passage, in: hit.document, library: library)) }
    let listing = HitListing(results: results, places: places, explains: invocation.has("explain"))
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
    } else if results.hits.isEmpty {
      program.output.writeLine(
        results.documentCount > 0
          ? "Nothing matches."
          : scope == .everything ? "The library is empty; add documents first." : "No document is in that part.")
    } else {
      program.output.write(listing.text(ink: program.output.ink, width: program.width))
    }
    program.places = places
    return results.hits.isEmpty ? .noEvidence : .ok
  }
}

/// Hits of a search, for people and for programs.
struct HitListing {
  let results: SearchResults
  let places: [Place]
  let explains: Bool

  var json: JSON {
    .document(
      "search",
      [
        ("query", .string(results.query.text)), ("matched", .int(results.matchedPassageCount)),
        ("passages", .int(results.passageCount)), ("documents", .int(results.documentCount)),
      ] + explanation.members + [
        (
          "corrections",
          .array(
            results.understanding.corrections.map {
              .object([("typed", .string($0.typed)), ("sought", .string($0.sought))])
            })
        ),
        (
          "expansions",
          .array(
            results.understanding.expansions.map {
              .object([("typed", .string($0.typed)), ("sought", .strings($0.sought))])
            })
        ),
        (
          "hits",
          .array(
            zip(results.hits, places).map { hit, place in
              .object(
                [("rank", .int(hit.rank)), ("score", .number(hit.score))] + place.json + [
                  ("headings", .strings(hit.passage.passage.headings)),
                  ("text", .string(hit.passage.passage.text)),
                ] + explanation.members(of: hit))
            })
        ),
      ])
  }

  private var explanation: SearchExplanation { SearchExplanation(results: results) }

  func text(ink: Ink, width: Int) -> String {
    var text = explains ? Self.lines(results.understanding).map { ink($0, .dim) + "\n" }.joined() : ""
    for (hit, place) in zip(results.hits, places) {
      let number = "[\(hit.rank)] "
      let headings = hit.passage.passage.headings.map { " › " + TextSanitizer.line($0) }.joined()
      text += ink(number, .reference) + ink(place.text, .bold) + ink(headings, .dim) + "\n"
      for line in snippet(of: hit, columns: max(width - 4, 20)) { text += "    " + marked(line, ink) + "\n" }
      if explains { for line in explanation.lines(of: hit) { text += "    " + ink(line, .dim) + "\n" } }
      text += "\n"
    }
    let rest = results.matchedPassageCount - results.hits.count
    if rest > 0 { text += ink("\(rest) more of \(results.passageCount) passages match.", .dim) + "\n" }
    if explains { text += ink(explanation.verdict, .dim) + "\n" }
    return text
  }

  private static func lines(_ understanding: QueryUnderstanding) -> [String] {
    understanding.corrections.map {
      TextSanitizer.line("did you mean “\($0.sought)”? No document has “\($0.typed)”; that was sought instead.")
    }
      + understanding.expansions.map {
        TextSanitizer.line("“\($0.typed)” also found as \($0.sought.map { "“\($0)”" }.joined(separator: ", "))")
      }
  }

  /// Returns the part of a passage that holds most of what was found, three rows of it, with the finds between marks.
  private func snippet(of hit: SearchHit, columns: Int) -> [String] {
    let bytes = Array(hit.passage.passage.text.utf8)
    let room = columns * 3
    var best = (start: 0, count: 0)
    for (index, highlight) in hit.highlights.enumerated() {
      let count = hit.highlights[index...].prefix { $0.upperBound <= highlight.lowerBound + room * 3 / 4 }.count
      if count > best.count { best = (highlight.lowerBound, count) }
    }
    var start = max(0, best.start - room / 6)
    while start > 0, bytes[start - 1] != UInt8(ascii: " "), bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    var marked: [UInt8] = []
    var position = start
    for highlight in hit.highlights where highlight.lowerBound >= start && highlight.upperBound <= bytes.count {
      marked += bytes[position..<highlight.lowerBound] + [1] + bytes[highlight] + [2]
      position = highlight.upperBound
    }
    marked += bytes[position...]
    // The marks are control characters, which the text itself cannot hold once it is made safe.
    let safe = String(decoding: marked, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let parts = safe.split(separator: "\u{1}", omittingEmptySubsequences: false).enumerated().map { index, part in
      let halves = part.split(separator: "\u{2}", maxSplits: 1, omittingEmptySubsequences: false)
        .map { TextSanitizer.line(String($0)) }
      return (index > 0 ? "\u{1}" : "") + halves.joined(separator: index > 0 ? "\u{2}" : "\u{FFFD}")
    }
    let lines = WordWrap.lines((start > 0 ? "… " : "") + parts.joined(), columns: columns)
    return lines.count > 3
      ? Array(lines.prefix(2)) + [CharacterWidth.truncated(lines[2], to: columns - 2) + " …"] : lines
  }

  private func marked(_ line: String, _ ink: Ink) -> String {
    line.replacing("\u{1}", with: ink.begin(.find)).replacing("\u{2}", with: ink.end)
  }
}

extension Style {
  /// Style of what a search found.
  static let find = Style(codes: [1, 33])
}

extension Place {
  /// Takes the place of a passage.
  init(of passage: StoredPassage, in document: LibraryDocument, library: Library) async throws {
    let page = passage.passage.span.start.page
    var label: String?
    if document.kind.hasPages { label = try await library.page(page, of: document.id)?.label ?? "\(page)" }
    self.init(
      documentHash: document.hash, name: document.name, path: document.path, pageLabel: label,
      span: passage.passage.span)
  }
}

extension Program {
  /// Returns the part of the library that options name, within the one that the session at the prompt is limited to.
  func scope(_ invocation: Invocation) async throws -> SearchScope {
    let request = scopeRequest(invocation, places: invocation.list("in"))
    let session = invocation.surface == .prompt ? openedSession : nil
    let workspace = try await workspace()
    return try await naming(invocation) { try await workspace.scope(request, within: session) }
  }
}
