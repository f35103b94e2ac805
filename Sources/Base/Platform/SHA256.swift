import CPlatform

/// A SHA-256 (FIPS 180-4) over bytes that arrive in pieces, computed with the processor's instructions for it where it
/// has them.
package struct SHA256: ~Copyable {
  /// Number of bytes in a digest.
  package static let byteCount = 32

  private static let blockByteCount = 64

  private let isPortable: Bool
  /// FIPS 180-4, 5.3.3: the first 32 bits of the fractional parts of the square roots of the first 8 primes.
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Creates the hash of no bytes.
  /// - Parameter isPortable: avoids the processor's instructions for SHA-256; the digest is the same.
  package init(isPortable: Bool = false) {
    self.isPortable = isPortable || cp_sha256_is_available() == 0
    rest.reserveCapacity(Self.blockByteCount)
  }

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), !bytes.isEmpty else { return }
    count &+= UInt64(bytes.count)
    var next = 0
    if !rest.isEmpty {
      next = min(Self.blockByteCount - rest.count, bytes.count)
      rest += bytes[..<next]
      guard rest.count == Self.blockByteCount else { return }
      addBlocks(rest, 1)
      rest.removeAll(keepingCapacity: true)
    }
    let blocks = (bytes.count - next) / Self.blockByteCount
    addBlocks(start + next, blocks)
    rest += bytes[(next + blocks * Self.blockByteCount)...]
  }

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  private mutating func addBlocks(_ bytes: UnsafePointer<UInt8>, _ blocks: Int) {
    if isPortable {
      cp_sha256_add_portable(&state, bytes, Int64(blocks))
    } else {
      cp_sha256_add(&state, bytes, Int64(blocks))
    }
  }

  /// Returns the digest, 32 bytes.
  package consuming func finish() -> [UInt8] {
    let bitCount = count &* 8
    var padding: [UInt8] = [0x80]
    padding += [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64)
    padding += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
    add(padding)
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// Returns the digest of bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.add(bytes)
    return hash.finish()
  }
}

extension [UInt8] {
  /// The bytes in lower-case hexadecimal.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
