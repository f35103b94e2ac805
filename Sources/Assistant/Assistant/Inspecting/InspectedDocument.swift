import Documents
import Foundation
import Ingestion

/// Document as the library would take it in, for `alcove inspect text` and `chunks`.
package enum InspectedDocument {
  /// Reads a file in a confined process.
  /// - Throws: `ReadingFailure`, `CancellationError`
  package static func read(
    _ path: String, password: String?, installation: Installation, settings: Settings
  ) async throws -> ExtractedDocument {
    let pool = ReaderPool(program: installation.reader.path, readerCount: 1, limits: settings.readingLimits)
    do {
      let document = try await pool.read(path, password: password)
      await pool.close()
      return document
    } catch let failure as ReadingFailure {
      await pool.close()
      throw failure
    }
  }

  /// Returns the passages that a document is cut into.
  package static func passages(of document: ExtractedDocument, settings: Settings) -> [Passage] {
    Chunker(
      settings: ChunkingSettings(
        wordCount: settings.integer("chunking.words"), overlapWordCount: settings.integer("chunking.overlap"))
    ).passages(of: document)
  }
}
