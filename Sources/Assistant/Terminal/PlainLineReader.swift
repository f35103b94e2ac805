import Glibc

/// Reads lines without editing: from pipes and files, and from terminals that cannot move their cursor.
struct PlainLineReader {
  private let input: Int32
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(input: Int32) { self.input = input }

  /// Returns the next line without its newline, or nil at the end; invalid UTF-8 is repaired.
  mutating func next() throws(TerminalError) -> String? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return text(bytes[start..<end])
      }
      searched = bytes.count
      if isAtEnd {
        defer { start = bytes.count }
        return start < bytes.count ? text(bytes[start...]) : nil
      }
      if start > 0 {
        bytes.removeFirst(start)
        (start, searched) = (0, searched - start)
      }
      try fill()
    }
  }

  private func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  private mutating func fill() throws(TerminalError) {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno != EIO { throw .inputOutput(errno: errno) }
      isAtEnd = count <= 0
      bytes += chunk[..<max(0, count)]
      return
    }
  }
}

/// Triple quotes around text of several lines.
package enum MultilineQuotes {
  private static let mark = "\"\"\""

  /// Indicates whether a text opens triple quotes that it does not close, so that the next line belongs to it.
  package static func isOpen(_ text: String) -> Bool {
    var rest = Substring(text)
    guard rest.drop(while: \.isWhitespace).hasPrefix(mark) else { return false }
    var count = 0
    while let place = rest.range(ofMark: mark) {
      count += 1
      rest = rest[place.upperBound...]
    }
    return count % 2 == 1
  }

  /// Returns the text inside the quotes where it is quoted as a whole, else the text itself.
  package static func unwrapped(_ text: String) -> String {
    let trimmed = text.trimmed()
    guard trimmed.hasPrefix(mark), trimmed.count >= 6, trimmed.hasSuffix(mark) else { return text }
    return String(trimmed.dropFirst(3).dropLast(3)).trimmed()
  }
}

extension StringProtocol {
  /// Returns the text without white space at its ends.
  func trimmed() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }

  /// Returns the first occurrence of a mark.
  func range(ofMark mark: String) -> Range<Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(mark) { return place..<index(place, offsetBy: mark.count) }
      place = index(after: place)
    }
    return nil
  }
}
