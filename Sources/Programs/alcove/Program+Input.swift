import Assistant
import Documents
import Foundation
import Ingestion
import Retrieval

extension Program {
  /// A conversation about the text on standard input; the text is kept in memory only.
  func sessionOverInput() async throws -> Session {
    let data = try FileHandle.standardInput.readToEnd() ?? Data()
    let document = ExtractedDocument(
      kind: .text, pageCount: 1,
      pages: [DocumentPage(number: 1, lines: Self.lines(of: String(decoding: data, as: UTF8.self)))])
    let settings = try settings()
    let workspace = try await workspace().ephemeral(settings: settings)
    let chunker = Chunker(
      settings: ChunkingSettings(
        wordCount: settings.integer("chunking.words"), overlapWordCount: settings.integer("chunking.overlap")))
    let passages = chunker.passages(of: document)
    if passages.isEmpty { throw NotFound(sentence: "there is no text on standard input") }
    try await workspace.library.store(
      document, passages: passages, hash: ContentHash.of(data),
      file: FileFacts(path: "standard input", byteCount: data.count, modified: Date()))
    return workspace.session()
  }

  /// The lines of a plain text; a paragraph begins behind an empty line.
  private static func lines(of text: String) -> [DocumentLine] {
    var lines: [DocumentLine] = []
    var wasEmpty = true
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let isEmpty = line.allSatisfy(\.isWhitespace)
      lines.append(DocumentLine(String(line), startsBlock: wasEmpty && !isEmpty))
      wasEmpty = isEmpty
    }
    return lines
  }
}
