/// The classes that pre-tokenizers tell apart; every scalar has exactly one.
struct ScalarClass: OptionSet {
  let rawValue: UInt8

  static let number = ScalarClass(rawValue: 1)
  static let letter = ScalarClass(rawValue: 2)
  static let mark = ScalarClass(rawValue: 4)
  static let punctuation = ScalarClass(rawValue: 8)
  static let symbol = ScalarClass(rawValue: 16)
  static let whitespace = ScalarClass(rawValue: 32)
  static let control = ScalarClass(rawValue: 64)
  static let unassigned = ScalarClass(rawValue: 128)
}

/// Look-ups in the Unicode tables.
enum UnicodeClasses {
  /// The ``ScalarClass`` of every scalar, one byte each.
  static let classes: [UInt8] = {
    var classes = [UInt8](repeating: ScalarClass.unassigned.rawValue, count: 0x11_0000)
    for (position, run) in scalarClassRuns.enumerated() {
      let end = position + 1 < scalarClassRuns.count ? Int(scalarClassRuns[position + 1] >> 8) : classes.count
      for scalar in Int(run >> 8)..<end { classes[scalar] = UInt8(truncatingIfNeeded: run) }
    }
    return classes
  }()

  private static let lowercase: [UInt32: UInt32] = {
    var mapping: [UInt32: UInt32] = [:]
    for group in stride(from: 0, to: lowercaseRuns.count, by: 4) {
      let (first, last) = (lowercaseRuns[group], lowercaseRuns[group + 1])
      for scalar in stride(from: first, through: last, by: Int(lowercaseRuns[group + 2])) {
        mapping[UInt32(scalar)] = UInt32(scalar + lowercaseRuns[group + 3])
      }
    }
    return mapping
  }()

  private static let decompositions: [UInt32: UInt32] = {
    var mapping: [UInt32: UInt32] = [:]
    for group in stride(from: 0, to: decompositionRuns.count, by: 3) {
      for scalar in decompositionRuns[group]...decompositionRuns[group + 1] {
        mapping[scalar] = decompositionRuns[group + 2]
      }
    }
    return mapping
  }()

  /// The class of one scalar; numbers beyond Unicode are unassigned.
  static func scalarClass(of scalar: UInt32) -> ScalarClass {
    scalar < 0x11_0000 ? ScalarClass(rawValue: classes[Int(scalar)]) : .unassigned
  }

  /// The first scalar of the lowercase form.
  static func lowercased(_ scalar: UInt32) -> UInt32 {
    if scalar < 0x80 { return scalar >= 0x41 && scalar <= 0x5A ? scalar + 32 : scalar }
    return lowercase[scalar] ?? scalar
  }

  /// The first scalar of the canonical decomposition, which is what the reference keeps of it.
  static func baseOfDecomposition(_ scalar: UInt32) -> UInt32 {
    scalar < 0xC0 ? scalar : decompositions[scalar] ?? scalar
  }
}

/// Decoding and encoding of UTF-8 that may be damaged.
enum UTF8Coding {
  /// The number of bytes that a leading byte announces; 1 for what cannot lead.
  @inline(__always)
  static func length(announcedBy lead: UInt8) -> Int { lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

  /// Reads one scalar; a damaged sequence reads as U+FFFD and one byte.
  @inline(__always)
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> (scalar: UInt32, length: Int) {
    let lead = bytes[position]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let length = length(announcedBy: lead)
    guard lead >= 0xC0, lead < 0xF8, position + length <= bytes.count else { return (0xFFFD, 1) }
    var scalar = UInt32(lead) & (0xFF >> UInt32(length + 1))
    for next in position + 1..<position + length {
      guard bytes[next] & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      scalar = scalar << 6 | UInt32(bytes[next] & 0x3F)
    }
    return (scalar, length)
  }

  /// Appends one scalar.
  static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    switch scalar {
    case 0..<0x80: bytes.append(UInt8(scalar))
    case 0x80..<0x800: bytes.append(UInt8(0xC0 | scalar >> 6))
    case 0x800..<0x1_0000:
      bytes.append(UInt8(0xE0 | scalar >> 12))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
    default:
      bytes.append(UInt8(0xF0 | scalar >> 18 & 0x07))
      bytes.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
    }
    if scalar >= 0x80 { bytes.append(UInt8(0x80 | scalar & 0x3F)) }
  }
}
