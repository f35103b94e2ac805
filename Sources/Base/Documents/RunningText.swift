/// Text of a document as it would be read aloud, with a map back to the stored bytes.
///
/// Lines of a block are joined by a space and blocks by a line feed; words hyphenated at a line's end are rejoined,
/// ligatures and other compatibility forms expanded, control characters and soft hyphens dropped, running headers and
/// footers left out. The treatment of a line depends on that line and its neighbours alone, so that a part reads as
/// it does in the whole.
package struct RunningText: Sendable {
  /// Running text.
  package let text: String
  /// Blocks of the text in order; a line feed stands between them.
  package let blocks: [RunningBlock]
  private let map: TextMap

  /// Makes the running text of some pages.
  /// - Parameters:
  ///   - pages: in the order of their numbers; pages of the document outside the span may be missing.
  ///   - span: the part to read; nil reads all. Parts outside the pages are ignored.
  package init(pages: [DocumentPage], span: TextSpan? = nil) {
    var writer = RunningTextWriter()
    var cursor = LineCursor(pages: pages, span: span)
    while let piece = cursor.next() { writer.append(piece) }
    (text, blocks, map) = writer.finish()
  }

  /// Returns the span of the stored bytes that a range of ``text`` was made from.
  ///
  /// The span holds whole characters: a range that begins or ends inside one is widened.
  /// - Parameter range: UTF-8 offsets into ``text``; an empty text has the span from 1:1:0 to 1:1:0.
  package func span(of range: Range<Int>) -> TextSpan {
    let bytes = text.utf8
    let count = bytes.count
    var lower = min(max(range.lowerBound, 0), count)
    var upper = min(max(range.upperBound, lower), count)
    func isInside(_ offset: Int) -> Bool {
      offset > 0 && offset < count && bytes[bytes.index(bytes.startIndex, offsetBy: offset)] & 0xc0 == 0x80
    }
    while isInside(lower) { lower -= 1 }
    while isInside(upper) { upper += 1 }
    return map.span(of: lower..<upper)
  }

  /// Returns the text of a range of ``text``, in UTF-8 offsets that do not split a character.
  package subscript(range: Range<Int>) -> String {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    return String(text[start..<bytes.index(start, offsetBy: range.count)])
  }
}

/// Paragraph, heading, list item, table row or line of code in a ``RunningText``.
package struct RunningBlock: Sendable, Equatable {
  /// Range of the running text in UTF-8 offsets, without the line feed behind it.
  package var range: Range<Int>
  /// Page of its first line.
  package var page: Int
  /// Role of its first line.
  package var role: LineRole
  /// Indicates whether a reader cannot see its lines.
  package var isHidden: Bool
}

/// Map from stretches of a running text to the stored bytes each was made from.
struct TextMap: Sendable {
  struct Segment: Sendable {
    /// Offset of the stretch in the running text.
    var offset: Int
    var start: TextPosition
    var end: TextPosition
    /// Indicates whether each byte stands for the stored byte at the same distance.
    var isExact: Bool
  }

  private(set) var segments: [Segment] = []

  mutating func append(_ segment: Segment) {
    if segment.isExact, let last = segments.last, last.isExact, last.end == segment.start {
      segments[segments.count - 1].end = segment.end
    } else {
      segments.append(segment)
    }
  }

  func span(of range: Range<Int>) -> TextSpan {
    guard let first = segment(at: range.lowerBound) else {
      let origin = TextPosition(page: 1, line: 1, byte: 0)
      return TextSpan(start: origin, end: origin)
    }
    var start = first.start
    if first.isExact { start.byte = min(start.byte + range.lowerBound - first.offset, first.end.byte) }
    guard !range.isEmpty, let last = segment(at: range.upperBound - 1) else {
      return TextSpan(start: start, end: start)
    }
    var end = last.end
    if last.isExact { end.byte = last.start.byte + range.upperBound - last.offset }
    return TextSpan(start: start, end: end)
  }

  private func segment(at offset: Int) -> Segment? {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? segments[low - 1] : nil
  }
}
