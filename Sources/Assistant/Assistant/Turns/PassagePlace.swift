import Documents
import Retrieval

/// A passage and the document it is of.
package struct PassagePlace: Sendable {
  package var passage: StoredPassage
  package var document: LibraryDocument

  package init(passage: StoredPassage, document: LibraryDocument) {
    (self.passage, self.document) = (passage, document)
  }
}
