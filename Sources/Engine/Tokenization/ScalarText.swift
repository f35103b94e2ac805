/// A text as scalars, with the way back to its bytes.
struct ScalarText {
  /// The scalars as rules see them: spaces beyond ASCII read as U+000B.
  private(set) var scalars: [UInt32] = []
  /// Offset of each scalar, and the end of the last.
  private(set) var offsets: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    scalars.reserveCapacity(bytes.count)
    offsets.reserveCapacity(bytes.count + 1)
    var position = 0
    while position < bytes.count {
      let (scalar, length) = UTF8Coding.decode(bytes, at: position)
      offsets.append(position)
      position += length
      if scalar < 0x80 {
        scalars.append(scalar)
      } else if scalar >= 0x11_0000 {
        scalars.append(0xFFFD)
      } else {
        let isSpace = UnicodeClasses.classes[Int(scalar)] == ScalarClass.whitespace.rawValue
        scalars.append(isSpace ? 0x0B : scalar)
      }
    }
    offsets.append(bytes.count)
  }
}
