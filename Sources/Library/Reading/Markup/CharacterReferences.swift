/// Character references (`&amp;`, `&#x41;`) in HTML and XML.
enum CharacterReferences {
  /// Decodes every valid reference; other text stays.
  /// - Parameter isXML: allows only the five names of XML and numbers; nil is returned for any other name.
  static func decode(_ bytes: ArraySlice<UInt8>, isXML: Bool = false) -> String? {
    guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == 0x26 else {
        text.append(bytes[index])
        index += 1
        continue
      }
      if let (scalar, end) = reference(bytes, at: index + 1, isXML: isXML) {
        text.append(contentsOf: String(scalar).utf8)
        index = end
      } else {
        if isXML { return nil }
        text.append(0x26)
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func reference(
    _ bytes: ArraySlice<UInt8>, at start: Int, isXML: Bool
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    var end = start
    while end < bytes.endIndex, end - start < 32, isNamePart(bytes[end]) { end += 1 }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    let isClosed = end < bytes.endIndex && bytes[end] == 0x3B
    if isXML, !isClosed { return nil }
    let behind = isClosed ? end + 1 : end
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let isHexadecimal = digits.first == "x" || digits.first == "X"
      guard let value = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10) else {
        return nil
      }
      return (scalar(value), behind)
    }
    if isXML {
      let known: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
      return known[name].map { ($0, behind) }
    }
    if let scalar = Entities.named[name[...]] { return (scalar, behind) }
    // "&ampx" without a semicolon: a few names may end without one.
    for known in ["amp", "lt", "gt", "quot", "nbsp", "copy"] where name.hasPrefix(known) && !isClosed {
      return Entities.named[known[...]].map { ($0, start + known.utf8.count) }
    }
    return nil
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x23, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Returns the character of a number; like browsers, maps 0x80 to 0x9F through Windows-1252.
  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    if (0x80..<0xA0).contains(value) { return LegacyEncoding.windows1252Scalar(UInt8(value)) }
    if value == 0 { return "\u{FFFD}" }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
