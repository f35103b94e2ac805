import Foundation

/// Reason for which a download failed, as the download process hands it over: facts, for which others find the words.
///
/// Records and events keep it as one text, next to reasons that are words already.
package enum DownloadReason: Sendable, Equatable, Codable {
  /// The file is no model.
  case notAModel(ModelFileFault)

  /// The reason as records and events keep it.
  package var coded: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Plain values always encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads what ``coded`` gave; nil where the text is words.
  package init?(coded: String) {
    guard coded.hasPrefix("{"), let reason = try? JSONDecoder().decode(DownloadReason.self, from: Data(coded.utf8))
    else { return nil }
    self = reason
  }
}
