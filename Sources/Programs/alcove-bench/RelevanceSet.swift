import Documents
import Foundation
import Retrieval

/// A retrieval test set in BEIR form: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`.
struct RelevanceSet {
  struct Text: Decodable {
    var _id: String
    var title: String?
    var text: String
  }

  var name: String
  var corpus: [Text]
  /// The queries that have judgements.
  var queries: [Text]
  /// Relevant documents and how relevant they are, by query.
  var grades: [String: [String: Double]]
  /// The queries that are texts of the corpus under the same name.
  private var selves: Set<String> = []
  /// Indicates whether grades count as they are, and not as relevant or not.
  var isGraded: Bool

  /// Way in which judgements count.
  enum Relevance: String { case graded, binary }

  /// Grades that are known by convention as relevant or not.
  private static let binarySets = ["cranfield", "cisi"]

  /// Reads a folder.
  /// - Parameter relevance: nil for what is usual: graded, but for sets that are known as binary.
  init(_ folder: URL, relevance: Relevance? = nil) throws {
    name = folder.lastPathComponent
    let isBinary = RelevanceSet.binarySets.contains { [name] in name.lowercased().hasPrefix($0) }
    isGraded = relevance.map { $0 == .graded } ?? !isBinary
    corpus = try RelevanceSet.lines(folder.appending(path: "corpus.jsonl"))
    grades = [:]
    let judgements = try String(contentsOf: folder.appending(path: "qrels/test.tsv"), encoding: .utf8)
    for line in judgements.split(whereSeparator: \.isNewline) {
      // Three columns under a header, or TREC's four, of which the second says nothing.
      let columns = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard (3...4).contains(columns.count), let grade = Double(columns[columns.count - 1]), grade > 0 else {
        continue
      }
      grades[columns[0], default: [:]][columns[columns.count - 2]] = isGraded ? grade : 1
    }
    let judged = grades
    queries = try RelevanceSet.lines(folder.appending(path: "queries.jsonl")).filter { judged[$0._id] != nil }
    let byName = Dictionary(queries.map { ($0._id, $0.text) }) { first, _ in first }
    selves = Set(corpus.filter { byName[$0._id] == $0.text }.map(\._id))
  }

  private static func lines(_ file: URL) throws -> [Text] {
    let decoder = JSONDecoder()
    return try Data(contentsOf: file).split(separator: 0x0a).map { try decoder.decode(Text.self, from: $0) }
  }

  /// Stores each text as a document of one passage; the file's name is the text's id.
  func store(in library: Library) async throws {
    for text in corpus {
      let lines = text.text.split(separator: "\n").map { DocumentLine(String($0)) }
      let end = TextPosition(page: 1, line: max(lines.count, 1), byte: lines.last?.text.utf8.count ?? 0)
      let span = TextSpan(start: TextPosition(page: 1, line: 1, byte: 0), end: end)
      let document = ExtractedDocument(
        kind: .text, title: text.title.flatMap { $0.isEmpty ? nil : $0 }, author: nil, pageCount: 1,
        pages: [DocumentPage(number: 1, lines: lines)])
      try await library.store(
        document, passages: [Passage(text: text.text, span: span)], hash: "\(name)/\(text._id)",
        file: FileFacts(path: "/d\(text._id).txt", byteCount: text.text.utf8.count, modified: .now))
    }
  }

  /// Indicates whether a text is the query itself, as in sets of arguments and duplicate questions: finding it is no
  /// merit.
  func isItself(_ id: String, _ query: Text) -> Bool { id == query._id && selves.contains(id) }

  static func id(of document: LibraryDocument) -> String { String(document.hash.drop { $0 != "/" }.dropFirst()) }
}

/// Measures of a ranking, each a mean over queries.
struct RelevanceScores {
  var gain = 0.0
  var recall = 0.0
  var reciprocalRank = 0.0
  var queryCount = 0

  /// Adds one query's ranking: nDCG@10 (the gain is the grade), recall@100 and MRR@10.
  mutating func add(_ ranking: [String], grades: [String: Double]) {
    queryCount += 1
    func discounted(_ gains: some Sequence<Double>) -> Double {
      gains.enumerated().reduce(0) { $0 + $1.element / log2(Double($1.offset) + 2) }
    }
    let ideal = discounted(grades.values.sorted(by: >).prefix(10))
    gain += ideal > 0 ? discounted(ranking.prefix(10).map { grades[$0] ?? 0 }) / ideal : 0
    reciprocalRank += ranking.prefix(10).firstIndex { grades[$0] != nil }.map { 1 / Double($0 + 1) } ?? 0
    recall += Double(ranking.prefix(100).count { grades[$0] != nil }) / Double(max(grades.count, 1))
  }

  func mean(_ sum: Double) -> Double { queryCount == 0 ? 0 : sum / Double(queryCount) }
}
