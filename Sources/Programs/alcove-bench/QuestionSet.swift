import Documents
import Foundation
import Ingestion
import Retrieval

/// A set of questions about articles: `articles/*.md` and `questions.json`, as in SQuAD 2.0.
struct QuestionSet {
  struct Item: Decodable, Sendable {
    var file: String
    var question: String
    /// Texts that a right answer contains; empty where the article does not answer.
    var answers: [String]

    /// Indicates whether a text holds one of the answers, however it is cased and spaced.
    func isAnswered(by text: String) -> Bool {
      let text = QuestionSet.plain(text)
      return answers.contains { text.contains(QuestionSet.plain($0)) }
    }
  }

  var name: String
  var items: [Item]
  private var articles: [URL]

  init(_ folder: URL) throws {
    name = folder.lastPathComponent
    items = try JSONDecoder().decode([Item].self, from: Data(contentsOf: folder.appending(path: "questions.json")))
    articles = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "articles"), includingPropertiesForKeys: nil, options: .skipsHiddenFiles
    ).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// Cuts all articles into passages and stores them in one library.
  func store(in library: Library) async throws {
    let chunker = Chunker()
    for article in articles {
      let text = try String(contentsOf: article, encoding: .utf8)
      let document = Self.document(text)
      try await library.store(
        document, passages: chunker.passages(of: document), hash: "\(name)/\(article.lastPathComponent)",
        file: FileFacts(path: article.path, byteCount: text.utf8.count, modified: .now))
    }
  }

  /// All documents but the one that a question is about.
  func documents(without item: Item, in documents: [LibraryDocument]) -> Set<DocumentID> {
    Set(documents.filter { $0.hash != "\(name)/\(item.file)" }.map(\.id))
  }

  /// The little of Markdown that the articles use: headings and paragraphs.
  private static func document(_ text: String) -> ExtractedDocument {
    var lines: [DocumentLine] = []
    var title: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let level = line.prefix { $0 == "#" }.count
      let isHeading = (1...6).contains(level) && line.dropFirst(level).first == " "
      if isHeading, level == 1, title == nil { title = String(line.dropFirst(2)) }
      let startsBlock = isHeading || lines.last.map { $0.text.isEmpty || $0.role != .body } ?? true
      lines.append(
        DocumentLine(String(line), role: isHeading ? .heading(level: level) : .body, startsBlock: startsBlock))
    }
    return ExtractedDocument(
      kind: .markdown, title: title, pageCount: 1, pages: [DocumentPage(number: 1, lines: lines)])
  }

  private static func plain(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
