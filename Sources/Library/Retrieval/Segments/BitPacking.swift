/// Bit packing of up to 128 numbers, each in as many bits as the largest needs, low bits first.
enum BitPacking {
  /// Returns the number of bits that the largest number needs.
  static func width(_ numbers: UnsafePointer<UInt32>, count: Int) -> Int {
    var all: UInt32 = 0
    for place in 0..<count { all |= numbers[place] }
    return 32 - all.leadingZeroBitCount
  }

  static func byteCount(width: Int, count: Int) -> Int { (width * count + 7) / 8 }

  static func pack(_ numbers: UnsafePointer<UInt32>, count: Int, width: Int, onto bytes: inout [UInt8]) {
    var (waiting, bitCount): (UInt64, Int) = (0, 0)
    for place in 0..<count {
      waiting |= UInt64(numbers[place]) << UInt64(bitCount)
      bitCount += width
      while bitCount >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: waiting))
        waiting >>= 8
        bitCount -= 8
      }
    }
    if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: waiting)) }
  }

  /// Unpacks numbers; reads up to eight bytes behind the last, which the caller has checked to be there.
  @inline(__always)
  static func unpack(
    _ bytes: UnsafeRawPointer, count: Int, width: Int, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    if width == 0 {
      for place in 0..<count { numbers[place] = 0 }
      return
    }
    let mask: UInt64 = 1 &<< UInt64(width) &- 1
    var bit = 0
    for place in 0..<count {
      let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      numbers[place] = UInt32(truncatingIfNeeded: word &>> UInt64(bit & 7) & mask)
      bit &+= width
    }
  }
}
