/// Names one document of a library; never used again after its removal.
package struct DocumentID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// The row.
  package var rawValue: Int64

  /// Names a document.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// By age.
  package static func < (left: DocumentID, right: DocumentID) -> Bool { left.rawValue < right.rawValue }
}

/// Names one passage of a library; never used again, so that vectors and sources can refer to it.
package struct PassageID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// The row.
  package var rawValue: Int64

  /// Names a passage.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// By age; within a document, in reading order.
  package static func < (left: PassageID, right: PassageID) -> Bool { left.rawValue < right.rawValue }
}
