import Foundation

/// Holds text back while it may be the beginning of a text that ends the answer.
struct StopMatcher {
  private let stops: [String]
  private var held = ""

  init(_ stops: [String]) { self.stops = stops.filter { !$0.isEmpty } }

  /// Takes more text.
  /// - Returns: what can be shown, and whether a stop text has come; it and what follows are left out.
  mutating func append(_ text: String) -> (shown: String, isStopped: Bool) {
    guard !stops.isEmpty else { return (text, false) }
    held += text
    if let first = stops.compactMap({ held.range(of: $0)?.lowerBound }).min() {
      defer { held = "" }
      return (String(held[..<first]), true)
    }
    let bytes = Array(held.utf8)
    let kept = stops.map { longestOverlap(bytes, Array($0.utf8)) }.max() ?? 0
    let shown = String(decoding: bytes.dropLast(kept), as: UTF8.self)
    held = String(decoding: bytes.suffix(kept), as: UTF8.self)
    return (shown, false)
  }

  /// Returns the text held back, when no more comes.
  mutating func finish() -> String {
    defer { held = "" }
    return held
  }

  /// Returns the number of bytes at the end of `text` that begin `stop`, up to whole characters.
  private func longestOverlap(_ text: [UInt8], _ stop: [UInt8]) -> Int {
    for count in stride(from: min(text.count, stop.count - 1), to: 0, by: -1)
    where text.suffix(count).elementsEqual(stop.prefix(count)) { return count }
    return 0
  }
}
