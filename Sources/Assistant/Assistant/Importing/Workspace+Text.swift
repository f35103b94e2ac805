import Documents
import Foundation
import Ingestion
import Retrieval

extension Workspace {
  /// Begins a conversation about a text; the text is kept in memory only.
  /// - Parameter name: the text's name in citations.
  /// - Throws: ``WorkspaceError/noText(name:)``.
  package func session(over data: Data, named name: String, settings: Settings) async throws -> Session {
    let document = ExtractedDocument(
      kind: .text, pageCount: 1,
      pages: [DocumentPage(number: 1, lines: Self.lines(of: String(decoding: data, as: UTF8.self)))])
    let workspace = try await ephemeral(settings: settings)
    let chunker = Chunker(
      settings: ChunkingSettings(
        wordCount: settings.integer("chunking.words"), overlapWordCount: settings.integer("chunking.overlap")))
    let passages = chunker.passages(of: document)
    if passages.isEmpty { throw WorkspaceError.noText(name: name) }
    try await workspace.library.store(
      document, passages: passages, hash: ContentHash.of(data),
      file: FileFacts(path: name, byteCount: data.count, modified: Date()))
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
