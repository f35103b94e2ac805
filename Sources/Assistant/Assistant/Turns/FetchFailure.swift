import ModelStore

/// A download or a question to the hub that did not end well.
package enum FetchFailure: Error, Sendable {
  /// Nothing here can start the download process.
  case noProcess
  /// The download process did not answer a question.
  case noAnswer
  /// The hub did not answer a question; `reason` is what the download process says.
  case unanswered(reason: String)
  /// The download process ended without the result of a download.
  case noResult(file: String)
  /// A download ended or pauses; `reason` is what its record or the last event says.
  case ended(file: String, DownloadStatus, reason: String?, isMemoryRefusal: Bool = false)
  /// The process of a download that another program started is gone, and did not say why.
  case interrupted(file: String, DownloadStatus)
  /// The record of a download is gone.
  case givenUp(file: String)

  /// Indicates whether the model was refused because it would not fit into memory.
  package var isMemoryRefusal: Bool {
    if case .ended(_, _, _, let isMemoryRefusal) = self { return isMemoryRefusal }
    return false
  }
}
