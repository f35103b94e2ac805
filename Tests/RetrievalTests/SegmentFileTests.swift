import Foundation
import Retrieval
import TestSupport
import Testing

@Suite struct SegmentFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  var url: URL { folder.url.appending(path: "segment") }

  private func writer(_ sizes: [Int]) -> (SegmentWriter, [[UInt8]]) {
    var writer = SegmentWriter(kind: .keyword, version: 7)
    let contents = sizes.map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ size) } }
    for (number, bytes) in contents.enumerated() { writer.add("section \(number)", bytes) }
    return (writer, contents)
  }

  @Test func sectionsComeBack() throws {
    let (writer, contents) = writer([0, 1, 63, 65_536, 200_001])
    try writer.write(to: url)
    #expect(try Data(contentsOf: url) == writer.encoded())
    let mapped = try SegmentFile(at: url, kind: .keyword, version: 7)
    let copied = try SegmentFile(copying: writer.encoded(), name: "memory", kind: .keyword, version: 7)
    #expect(mapped.identity == copied.identity)
    for file in [mapped, copied] {
      for (number, bytes) in contents.enumerated() {
        let section = try file.section("section \(number)")
        #expect(try Array(file.bytes(section)) == bytes)
      }
      let last = try file.section("section 4")
      #expect(try Array(file.bytes(65_530..<131_080, of: last)) == Array(contents[4][65_530..<131_080]))
      #expect(throws: SegmentError.self) { try file.bytes(0..<200_002, of: last) }
      #expect(throws: SegmentError.noSection(path: file.path, name: "none")) { try file.section("none") }
      try file.verify()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["segment"])
    #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func otherKindsAndVersionsAreRefused() throws {
    try writer([10]).0.write(to: url)
    #expect(throws: SegmentError.notASegment(path: url.path)) {
      try SegmentFile(at: url, kind: .vector, version: 7)
    }
    #expect(throws: SegmentError.otherVersion(path: url.path, found: 7, known: 8)) {
      try SegmentFile(at: url, kind: .keyword, version: 8)
    }
    let missing = folder.url.appending(path: "none")
    #expect(throws: SegmentError.missing(path: missing.path)) {
      try SegmentFile(at: missing, kind: .keyword, version: 7)
    }
  }

  @Test func cutsAndFlipsAreFoundEverywhere() throws {
    let sound = writer([100, 3, 400]).0.encoded()
    func isSound(_ data: Data) -> Bool {
      do {
        try SegmentFile(copying: data, name: "test", kind: .keyword, version: 7).verify()
        return true
      } catch { return false }
    }
    #expect(isSound(sound))
    for length in 0..<sound.count { #expect(!isSound(sound.prefix(length)), "cut at \(length)") }
    #expect(!isSound(sound + [0]))
    let padding = Set(
      sound.indices.filter { place in
        // What lies between sections belongs to none.
        var other = sound
        other[place] ^= 0xff
        return isSound(other)
      })
    #expect(padding.count < 64 * 4 && padding.allSatisfy { sound[$0] == 0 })
    for place in sound.indices where !padding.contains(place) {
      for bit in 0..<8 {
        var flipped = sound
        flipped[place] ^= 1 << UInt8(bit)
        #expect(!isSound(flipped), "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test func aFileThatShrinksWhileMappedIsDamage() throws {
    try writer([300_000]).0.write(to: url)
    let file = try SegmentFile(at: url, kind: .keyword, version: 7)
    truncate(url.path, 8_192)
    let section = try file.section("section 0")
    #expect(throws: SegmentError.self) { try file.bytes(section) }
  }
}
