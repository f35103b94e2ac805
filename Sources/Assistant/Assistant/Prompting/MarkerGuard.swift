import ChatTemplates
import Foundation

/// Breaks up a template's role markers in quoted material, so that no document can begin a turn.
///
/// Such text never becomes control tokens anyway; this is for templates whose markers are plain text (`USER:`,
/// `[INST]`).
struct MarkerGuard: Sendable {
  private let markers: [String]

  /// Learns the markers from the text that the template writes around a conversation.
  init(_ pieces: [RenderedText.Piece]) {
    var markers: Set<String> = []
    for piece in pieces where piece.isTrusted {
      for line in piece.text.split(whereSeparator: \.isNewline) {
        let mark = line.trimmingCharacters(in: .whitespaces)
        if (3...40).contains(mark.count), mark.contains(where: { !$0.isLetter && !$0.isWhitespace }) {
          markers.insert(mark)
        }
      }
    }
    // Longer markers first, as they may hold shorter ones.
    self.markers = markers.sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// The text with a space inside each marker.
  func broken(_ text: String) -> String {
    var text = text
    for mark in markers where text.contains(mark) {
      text = text.replacing(mark, with: mark.dropLast() + " " + mark.suffix(1))
    }
    return text
  }
}
