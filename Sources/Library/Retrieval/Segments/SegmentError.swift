/// What is wrong with a segment file. Nothing in it is the only copy: the answer to each is to make the file anew.
package enum SegmentError: Error, Sendable, Equatable {
  /// The file is not there.
  case missing(path: String)
  /// The system refused.
  case system(path: String, call: String, code: Int32)
  /// The file does not begin as a segment of this kind does.
  case notASegment(path: String)
  /// Another version of the program wrote it.
  case otherVersion(path: String, found: UInt32, known: UInt32)
  /// The file ends before what its header names.
  case truncated(path: String, needed: Int, available: Int)
  /// A checksum does not fit, or a value points outside of its section.
  case damaged(path: String, atByte: Int)
  /// A section that the kind needs is not there.
  case noSection(path: String, name: String)
}
