import Documents

/// Reads an HTML file.
struct HTMLReader {
  let bytes: UnsafeRawBufferPointer
  let limits: ReadingLimits

  func read() throws(ReadingFailure) -> ExtractedDocument {
    let text = try DecodedText(bytes, limit: limits.characterCount, declared: Self.declaredEncoding(bytes))
    var flow = HTMLFlow(builder: PageBuilder(limits: limits))
    flow.builder.beginPage()
    flow.read(text.utf8)
    if text.isCut { flow.builder.stop(.characterLimit) }
    return try flow.builder.document(.html, title: flow.title, author: flow.author)
  }

  /// Returns the encoding named by a `meta` element, if any.
  private static func declaredEncoding(_ bytes: UnsafeRawBufferPointer) -> String? {
    let head = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
    guard let mark = head.range(of: "charset") else { return nil }
    let value = head[mark.upperBound...].drop { " =\"'".contains($0) }
    return String(value.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
  }
}

extension String {
  /// Returns the first occurrence of a text.
  fileprivate func range(of other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}
