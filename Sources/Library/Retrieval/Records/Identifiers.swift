/// Identifies a document of a library; never reused after its removal.
package struct DocumentID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// Row in the database.
  package var rawValue: Int64

  /// Makes an id.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Orders by age.
  package static func < (left: DocumentID, right: DocumentID) -> Bool { left.rawValue < right.rawValue }
}

/// Identifies a passage of a library; never reused, so that vectors and citations can refer to it.
package struct PassageID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// Row in the database.
  package var rawValue: Int64

  /// Makes an id.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Orders by age; within a document, in reading order.
  package static func < (left: PassageID, right: PassageID) -> Bool { left.rawValue < right.rawValue }
}
