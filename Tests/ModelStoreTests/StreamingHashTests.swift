import ModelStore
import TestSupport
import Testing

@Suite struct StreamingHashTests {
  /// glib's is the definition; pieces of every length cross the 64-byte blocks everywhere.
  @Test(arguments: [0, 1, 3, 55, 56, 63, 64, 65, 119, 127, 128, 1000, 100_003])
  func agreesWithGLib(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count) + 1)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var own = StreamingHash()
    var portable = StreamingHash(isPortable: true)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...200, using: &generator)))
      own.add(piece)
      rest = rest.dropFirst(piece.count)
    }
    portable.add(bytes)
    let (found, expected) = (own.finish(), portable.finish())
    #expect(found == expected)
  }

  @Test func knowsTheStandardsExample() {
    var hash = StreamingHash()
    hash.add(Array("abc".utf8))
    let digest = hash.finish().hexadecimal
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
