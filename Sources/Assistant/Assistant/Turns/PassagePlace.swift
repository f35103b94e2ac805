import Documents
import Retrieval

/// A passage and its document.
package struct PassagePlace: Sendable {
  package var passage: StoredPassage
  package var document: LibraryDocument

  package init(passage: StoredPassage, document: LibraryDocument) {
    (self.passage, self.document) = (passage, document)
  }
}
