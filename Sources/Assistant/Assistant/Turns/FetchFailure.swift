/// A download or a question to the hub that did not end well.
package struct FetchFailure: Error, Sendable {
  /// Reason, as a sentence without its point.
  package let reason: String
  /// Indicates whether the model was refused because it would not fit into memory.
  package let isMemoryRefusal: Bool

  /// Creates a failure.
  package init(reason: String, isMemoryRefusal: Bool = false) {
    (self.reason, self.isMemoryRefusal) = (reason, isMemoryRefusal)
  }

  /// The failure where nothing can start the download process.
  package static let noProcess = FetchFailure(
    reason: "the download process cannot be started from here; use `alcove models …` in the shell")
}
