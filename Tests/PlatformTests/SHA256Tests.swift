import CGLib
import Platform
import TestSupport
import Testing

@Suite struct SHA256Tests {
  /// glib's is the definition; pieces of every length cross the 64-byte blocks everywhere.
  @Test(arguments: [0, 1, 3, 55, 56, 63, 64, 65, 119, 127, 128, 1000, 100_003], [false, true])
  func agreesWithGLib(count: Int, isPortable: Bool) {
    var generator = SeededGenerator(seed: UInt64(count) + 1)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var hash = SHA256(isPortable: isPortable)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...200, using: &generator)))
      hash.add(piece)
      rest = rest.dropFirst(piece.count)
    }
    let found = hash.finish()
    #expect(found == digest(of: bytes))
    #expect(bytes.withUnsafeBytes { SHA256.of($0) } == found)
  }

  @Test func knowsTheStandardsExample() {
    var hash = SHA256()
    hash.add(Array("abc".utf8))
    let digest = hash.finish().hexadecimal
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  private func digest(of bytes: [UInt8]) -> [UInt8] {
    let checksum = g_checksum_new(G_CHECKSUM_SHA256)
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, bytes, gssize(bytes.count))
    var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
    var length = gsize(digest.count)
    g_checksum_get_digest(checksum, &digest, &length)
    return digest
  }
}
