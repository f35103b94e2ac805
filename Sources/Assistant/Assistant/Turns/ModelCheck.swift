/// Outcome of reading a model again and comparing it with its record.
package struct ModelCheck: Sendable {
  /// Faults of a model's file.
  package enum Fault: Sendable, Equatable {
    /// No file is there.
    case gone(path: String)
    /// Blocks differ from the record; a linked file belongs to somebody else.
    case changed(blocks: Int, of: Int, isLinked: Bool)
  }

  /// Fault of the file; nil where it is sound.
  package var fault: Fault?
  /// Blocks that differ from the record.
  package var badBlocks: [Int] = []
  /// Indicates whether the bad blocks were fetched again.
  package var wasRepaired = false
}
