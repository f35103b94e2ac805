extension BlockHashes {
  /// Bytes of a block's hash.
  package static let byteCount = 32

  // Odd, with bits well spread: the fractional parts of the square roots of 2, 3, 5 and 7 (FIPS 180-4, 5.3.5, made
  // odd).
  private static let factors: SIMD4<UInt64> = [
    0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
  ]

  /// The hash of one block: quick compared with the SHA-256 of the whole, which alone vouches for a file. It finds out
  /// what went wrong on the way or on the disk, and where; it is no defence against forgery.
  ///
  /// Four lanes take every fourth word each: exclusive or, product with an odd number, rotation. Each step can be
  /// undone, so two blocks that differ in one word of a lane never have the same hash.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var (a, b, c, d) = (factors[1], factors[2], factors[3], factors[0])
    let (p, q, r, s) = (factors[0], factors[1], factors[2], factors[3])
    func mixed(_ lane: UInt64, _ word: UInt64, _ factor: UInt64) -> UInt64 {
      let product = (lane ^ word) &* factor
      return product << 29 | product >> 35
    }
    let whole = bytes.count / 32 * 32
    var place = 0
    while place < whole {
      a = mixed(a, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), p)
      b = mixed(b, bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self), q)
      c = mixed(c, bytes.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self), r)
      d = mixed(d, bytes.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self), s)
      place += 32
    }
    for byte in bytes[whole...] { a = mixed(a, UInt64(byte), p) }
    d = mixed(d, UInt64(bytes.count), s)
    // Each lane heeds the others in the end.
    for _ in 0..<4 {
      (a, b, c, d) = (mixed(b, a, p), mixed(c, b, q), mixed(d, c, r), mixed(a, d, s))
    }
    return [a, b, c, d].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}
