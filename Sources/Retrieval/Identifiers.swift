/// Names one document of a library; never used again after its removal.
public struct DocumentID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// The row.
  public var rawValue: Int64

  /// Names a document.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// By age.
  public static func < (left: DocumentID, right: DocumentID) -> Bool { left.rawValue < right.rawValue }
}

/// Names one passage of a library; never used again, so that vectors and sources can refer to it.
public struct PassageID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// The row.
  public var rawValue: Int64

  /// Names a passage.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// By age; within a document, in reading order.
  public static func < (left: PassageID, right: PassageID) -> Bool { left.rawValue < right.rawValue }
}
