import Compute

extension GGUFFile {
  /// Identity of this model: a hash of the metadata, the list of tensors and samples of every tensor.
  ///
  /// Copies of a file have the same one, wherever they lie. It costs a few milliseconds even for a large file, and
  /// names a model; it does not prove that a file is whole.
  package var fingerprint: String {
    var hash = FingerprintHash()
    for part in parts {
      hash.mix(UnsafeRawBufferPointer(rebasing: part.file.bytes[..<part.header.dataOffset]))
      for tensor in part.header.tensors {
        let bytes = UnsafeRawBufferPointer(
          rebasing: part.file.bytes[tensor.offset..<tensor.offset + tensor.byteCount])
        // The tensor's start, its end, and a page of every half mebibyte between them.
        for start in stride(from: 0, to: bytes.count, by: 1 << 19) {
          hash.mix(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 4096, bytes.count)]))
        }
        hash.mix(UnsafeRawBufferPointer(rebasing: bytes[max(0, bytes.count - 4096)...]))
      }
    }
    return hash.text
  }
}

/// A 128-bit hash in four independent lanes; good at telling files apart, no defence against forgery.
private struct FingerprintHash {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0x2545_f491_4f6c_dd1d
  )

  mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    var at = 0
    while at + 32 <= bytes.count {
      Self.mix(&lanes.0, bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      Self.mix(&lanes.1, bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
      Self.mix(&lanes.2, bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self))
      Self.mix(&lanes.3, bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self))
      at += 32
    }
    while at < bytes.count {
      Self.mix(&lanes.0, UInt64(bytes[at]))
      at += 1
    }
    // The length keeps "ab", "c" apart from "a", "bc".
    Self.mix(&lanes.1, UInt64(bytes.count))
  }

  private static func mix(_ lane: inout UInt64, _ word: UInt64) {
    lane = (lane ^ word.littleEndian) &* 0xff51_afd7_ed55_8ccd
    lane ^= lane >> 32
  }

  /// 32 hexadecimal digits.
  var text: String {
    var halves = (lanes.0, lanes.1)
    for word in [lanes.2, lanes.3, lanes.1] { Self.mix(&halves.0, word) }
    for word in [lanes.3, lanes.2, lanes.0] { Self.mix(&halves.1, word) }
    return [halves.0, halves.1].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
