import Foundation

/// Event that the download process tells while it works, one JSON object a line.
package struct DownloadEvent: Sendable, Equatable, Codable {
  /// Kind of the event.
  package enum Kind: String, Sendable, Codable {
    /// Progress; the number of bytes never goes back within one content.
    case progress
    /// Completion; told exactly once.
    case complete
    /// Another end, or a pause.
    case error
    /// An answer to a question: what a search or a look at a repository found.
    case found
  }

  /// Kind of the event.
  package var kind: Kind
  /// The download's number.
  package var id: Int64 = 0
  /// The file's name among the models.
  package var file = ""
  /// The model's name in the catalogue or its repository.
  package var model = ""
  /// Bytes that are here and checked.
  package var bytes = 0
  /// The size of the whole; 0 while it is not known.
  package var total = 0
  /// State of the download.
  package var status = DownloadStatus.running
  /// Path of the file, once complete.
  package var path: String?
  /// Reason for its wait, pause or failure.
  package var reason: String?
  /// Indicates whether the reason is that it would not fit the memory.
  package var isMemoryRefusal: Bool?
  /// Files that a search found.
  package var files: [HubFile]?

  /// Makes an event.
  package init(_ kind: Kind) { self.kind = kind }

  /// The event as one line.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Plain values always encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "\n"
  }

  /// Reads a line; nil where it is none of ours.
  package init?(line: some StringProtocol) {
    guard let event = try? JSONDecoder().decode(DownloadEvent.self, from: Data(line.utf8)) else { return nil }
    self = event
  }
}
