import CGLib
import CKernels

/// A SHA-256 that grows with what is added: by the processor's own instructions where it has them, else by glib, which is
/// several times slower and the definition of the result.
package struct StreamingHash: ~Copyable {
  /// Bytes of a digest.
  package static let byteCount = 32

  private let checksum: OpaquePointer?
  private var state: [UInt32] = []
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// An empty hash.
  /// - Parameter isPortable: computes by glib in any case.
  package init(isPortable: Bool = false) {
    if isPortable || ck_sha256_is_available() == 0 {
      checksum = g_checksum_new(G_CHECKSUM_SHA256)
    } else {
      checksum = nil
      state = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
      ]
      rest.reserveCapacity(64)
    }
  }

  deinit { if let checksum { g_checksum_free(checksum) } }

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), !bytes.isEmpty else { return }
    if let checksum {
      g_checksum_update(checksum, start, gssize(bytes.count))
      return
    }
    count &+= UInt64(bytes.count)
    var next = 0
    if !rest.isEmpty {
      next = min(64 - rest.count, bytes.count)
      rest += bytes[..<next]
      guard rest.count == 64 else { return }
      ck_sha256_add(&state, rest, 1)
      rest.removeAll(keepingCapacity: true)
    }
    let blocks = (bytes.count - next) / 64
    ck_sha256_add(&state, start + next, Int64(blocks))
    rest += bytes[(next + blocks * 64)...]
  }

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  /// The 32 bytes of the hash.
  package consuming func finish() -> [UInt8] {
    if let checksum {
      var digest = [UInt8](repeating: 0, count: Self.byteCount)
      var length = gsize(digest.count)
      g_checksum_get_digest(checksum, &digest, &length)
      return digest
    }
    let bitCount = count &* 8
    var padding: [UInt8] = [0x80]
    padding += [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64)
    padding += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
    add(padding)
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// The hash of bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = StreamingHash()
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
