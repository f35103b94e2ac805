import ChatTemplates
import Foundation

/// Breaks up what a template writes around messages where it stands in quoted material, so that no document can begin a turn.
///
/// Control tokens cannot come of such text anyway; this is for templates whose marks are ordinary words (`USER:`, `[INST]`).
struct MarkerGuard: Sendable {
  private let markers: [String]

  /// Learns the marks from what the template writes around a conversation.
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
    // Longer marks first, as they may hold shorter ones.
    self.markers = markers.sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// The text with a space inside each mark.
  func broken(_ text: String) -> String {
    var text = text
    for mark in markers where text.contains(mark) {
      text = text.replacing(mark, with: mark.dropLast() + " " + mark.suffix(1))
    }
    return text
  }
}
