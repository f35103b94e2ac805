/// Length of text in words, in any script.
///
/// Lengths are in twelfths of a word: two thirds of a word for a Chinese or Japanese character, a quarter for a letter
/// of a South-East Asian script without spaces, and a word for every 24 bytes of any other text without spaces.
enum WordLength {
  /// Length of one word.
  static let word = 12
  private static let longestRun = 24

  /// Returns the length of UTF-8 text.
  static func of(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var length = 0
    measure(bytes) { length = $1 }
    return length
  }

  /// Cuts text into pieces no longer than `longest`, after white space or punctuation where there is some.
  static func pieces(
    of bytes: Slice<UnsafeBufferPointer<UInt8>>, longest: Int
  ) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = bytes.startIndex
    var startLength = 0
    // Best place to cut so far, and the length up to there.
    var cut: (place: Int, length: Int)?
    var lastLength = 0
    measure(bytes) { place, after in
      if place > start, after - startLength > longest {
        let chosen = cut ?? (place, lastLength)
        pieces.append(start..<chosen.place)
        (start, startLength, cut) = (chosen.place, chosen.length, nil)
      }
      lastLength = after
      if isBreak(bytes[place]), (after - startLength) * 4 > longest * 3 { cut = (place + 1, after) }
    }
    if start < bytes.endIndex { pieces.append(start..<bytes.endIndex) }
    return pieces
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "|"), UInt8(ascii: ")"):
      true
    default: false
    }
  }

  /// Calls `body` with the offset of each character and the length up to and including it.
  private static func measure(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ body: (Int, Int) -> Void) {
    var length = 0
    var run = 0
    var place = bytes.startIndex
    let end = bytes.endIndex
    while place < end {
      let lead = bytes[place]
      var count = 1
      if lead <= 0x20 {
        run = 0
      } else if lead < 0xe0 {
        if run == 0 { length += word }
        count = lead < 0x80 ? 1 : 2
        run += count
      } else {
        count = lead < 0xf0 ? 3 : 4
        let second = place + 1 < end ? bytes[place + 1] : 0x80
        switch Script(lead, second) {
        case .ideograph:
          length += 8
          run = 0
        case .spaceless:
          length += 3
          run = 0
        case .punctuation:
          length += 1
          run = 0
        case .spaced:
          if run == 0 { length += word }
          run += count
        }
      }
      if run >= longestRun { run = 0 }
      body(place, length)
      place += count
    }
  }

  /// Class of a character of three or four bytes, by its first two bytes.
  private enum Script {
    case ideograph, spaceless, punctuation, spaced

    init(_ lead: UInt8, _ second: UInt8) {
      switch (lead, second) {
      case (0xe0, 0xb8...0xbb), (0xe1, 0x80...0x82), (0xe1, 0x9e...0x9f): self = .spaceless
      case (0xe3, 0x80), (0xef, 0xbc): self = .punctuation
      case (0xe3, _), (0xe4...0xe9, _), (0xef, 0xa4...0xab), (0xef, 0xbd), (0xf0, 0xa0...0xbf): self = .ideograph
      default: self = .spaced
      }
    }
  }
}
