/// Place in a document's stored text.
package struct TextPosition: Sendable, Hashable, Comparable, Codable {
  /// Page number, from 1.
  package var page: Int
  /// Line on that page, from 1.
  package var line: Int
  /// Offset in the line's UTF-8, from 0.
  package var byte: Int

  /// Makes a position.
  package init(page: Int, line: Int, byte: Int) {
    self.page = page
    self.line = line
    self.byte = byte
  }

  /// Compares in reading order.
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.page, left.line, left.byte) < (right.page, right.line, right.byte)
  }
}

/// Range of a document's stored text, from `start` up to but not including `end`.
package struct TextSpan: Sendable, Hashable, Codable {
  /// Place of the first byte.
  package var start: TextPosition
  /// Place behind the last byte, on the line of the last byte.
  package var end: TextPosition

  /// Makes a span.
  package init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }
}
