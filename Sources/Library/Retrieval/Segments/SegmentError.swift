/// Errors of a segment file. No file is the only copy of its content: the remedy for each is to rebuild it.
package enum SegmentError: Error, Sendable, Equatable {
  /// The file is missing.
  case missing(path: String)
  /// A system call failed.
  case system(path: String, call: String, code: Int32)
  /// The file does not begin like a segment of this kind.
  case notASegment(path: String)
  /// Another version of the program wrote it.
  case otherVersion(path: String, found: UInt32, known: UInt32)
  /// The file ends before the bytes that its header names.
  case truncated(path: String, needed: Int, available: Int)
  /// A checksum does not match, or a value points outside its section.
  case damaged(path: String, atByte: Int)
  /// A section that the kind requires is missing.
  case noSection(path: String, name: String)
}
