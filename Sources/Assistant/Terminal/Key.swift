/// Key, or other input, from the keyboard.
package enum Key: Equatable, Sendable {
  /// Typed text, one scalar or more.
  case text(String)
  /// Bracketed paste, with newlines as `\n`.
  case paste(String)
  /// Ctrl and a letter, lower case, or one of `@ [ \ ] ^ _`.
  case control(Character)
  /// Alt (or Escape before) and a character.
  case alt(Character)
  /// Alt or Shift with Enter.
  case newline
  /// Named keys.
  case enter, tab, backTab, escape, backspace, delete, insert
  case left, right, up, down, home, end, pageUp, pageDown
  /// Ctrl or Alt with an arrow or a deleting key.
  case wordLeft, wordRight, deleteWordBack, deleteWordForward
  /// Sequence of no key above.
  case unknown
}

/// Decodes the bytes that a terminal sends into keys.
///
/// Bytes may arrive in any pieces. A single Escape is told from the beginning of a sequence by time: the caller calls
/// ``flush()`` when nothing followed.
package struct KeyDecoder: Sendable {
  /// Indicates whether a paste has begun and not ended.
  package private(set) var isPasting = false
  private var bytes: [UInt8] = []
  private var pasted: [UInt8] = []
  /// Length of the paste that is known not to hold its end.
  private var searched = 0

  /// Longest sequence that is waited for; a longer one is dropped as unknown.
  private static let longestSequence = 64
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Makes an empty decoder.
  package init() {}

  /// Indicates whether the beginning of a sequence other than a paste is held back.
  package var isWaiting: Bool { !bytes.isEmpty && !isPasting }

  /// Returns the keys that these bytes complete.
  package mutating func decode(_ more: some Sequence<UInt8>) -> [Key] {
    bytes += more
    var keys: [Key] = []
    while true {
      guard let key = isPasting ? takePaste() : takeKey() else { break }
      if !isPasting { keys.append(key) }
    }
    return keys
  }

  /// Returns the keys of the held bytes when nothing follows them.
  package mutating func flush() -> [Key] {
    if isPasting {
      defer { endPaste() }
      return [.paste(Self.withPlainNewlines(String(decoding: pasted, as: UTF8.self)))]
    }
    guard !bytes.isEmpty else { return [] }
    defer { bytes = [] }
    if bytes == [0x1B] { return [.escape] }
    if bytes == [0x1B, 0x5B] { return [.alt("[")] }
    if bytes == [0x1B, 0x4F] { return [.alt("O")] }
    if bytes[0] == 0x1B { return [.unknown] }
    return [.text(String(decoding: bytes, as: UTF8.self))]
  }

  /// Returns the next key, or nil while its bytes are incomplete. The beginning of a paste is `.unknown`, never
  /// delivered.
  private mutating func takeKey() -> Key? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return takeSequence() }
    if let key = Self.key(ofControl: first) {
      bytes.removeFirst()
      return key
    }
    let end = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.count
    let whole = end < bytes.count ? end : end - Self.cutTail(of: bytes)
    if whole == 0 { return nil }
    let text = String(decoding: bytes[..<whole], as: UTF8.self)
    bytes.removeFirst(whole)
    return .text(text)
  }

  /// Returns the number of bytes at the end that begin a scalar whose rest has not arrived.
  private static func cutTail(of bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
      return byte < 0xF5 && length > back ? back : 0
    }
    return 0
  }

  private mutating func takeSequence() -> Key? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case 0x5B: return takeControlSequence(from: 2)
    case 0x4F:
      guard bytes.count > 2 else { return nil }
      let final = bytes[2]
      bytes.removeFirst(3)
      return Self.key(ofFinal: final, numbers: [])
    case 0x1B:
      // Alt with an arrow in some terminals: an Escape before the arrow's sequence.
      bytes.removeFirst()
      return .escape
    default:
      if let control = Self.key(ofControl: bytes[1]) {
        bytes.removeFirst(2)
        switch control {
        case .enter: return .newline
        case .backspace: return .deleteWordBack
        default: return control
        }
      }
      let tail = Array(bytes[1...])
      let length = bytes[1] < 0x80 ? 1 : bytes[1] < 0xE0 ? 2 : bytes[1] < 0xF0 ? 3 : 4
      guard tail.count >= length else { return nil }
      bytes.removeFirst(1 + length)
      return .alt(String(decoding: tail[..<length], as: UTF8.self).first ?? "?")
    }
  }

  private mutating func takeControlSequence(from start: Int) -> Key? {
    // The Linux console's function keys: ESC [ [ A.
    let isConsole = bytes.count > start && bytes[start] == 0x5B
    let from = isConsole ? start + 1 : start
    guard let end = bytes[from...].firstIndex(where: { (0x40...0x7E).contains($0) || $0 < 0x20 }) else {
      if bytes.count > Self.longestSequence { bytes = [] }
      return nil
    }
    let parameters = String(decoding: bytes[from..<end], as: UTF8.self)
    let final = bytes[end]
    // A control byte inside a sequence aborts it; the byte is read again on its own.
    bytes.removeFirst(final < 0x20 ? end : end + 1)
    if final < 0x20 || isConsole { return .unknown }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0.split(separator: ":").first ?? "") ?? 0 }
    if final == 0x7E, numbers.first == 200 {
      isPasting = true
      return .unknown
    }
    return Self.key(ofFinal: final, numbers: numbers)
  }

  private mutating func takePaste() -> Key? {
    pasted += bytes
    bytes = []
    guard let end = Self.index(of: Self.pasteEnd, in: pasted, from: searched) else {
      searched = max(0, pasted.count - Self.pasteEnd.count + 1)
      return nil
    }
    bytes = Array(pasted[(end + Self.pasteEnd.count)...])
    let text = String(decoding: pasted[..<end], as: UTF8.self)
    endPaste()
    return .paste(Self.withPlainNewlines(text))
  }

  private mutating func endPaste() { (isPasting, pasted, searched) = (false, [], 0) }

  private static func index(of needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= start + needle.count else { return nil }
    for place in start...(bytes.count - needle.count)
    where bytes[place] == needle[0] && bytes[place...].starts(with: needle) {
      return place
    }
    return nil
  }

  static func withPlainNewlines(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var follows = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" { result.append("\n") } else if !(scalar == "\n" && follows) { result.append(scalar) }
      follows = scalar == "\r"
    }
    return String(result)
  }
}
