import Documents
import Foundation
import Ingestion
import TestSupport
import Testing

@Suite struct ContentHashTests {
  /// Values of FIPS 180-4's examples and of `sha256sum`.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func agreesWithTheStandard(text: String, hash: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", text)
    #expect(ContentHash.of(text.utf8) == hash)
    #expect(try ContentHash.ofFile(at: file.path) == hash)
  }

  @Test func limitsHold() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", "12345")
    #expect(throws: ReadingFailure.limit(.fileBytes, 4)) { try ContentHash.ofFile(at: file.path, limit: 4) }
    #expect(throws: ReadingFailure.self) { try ContentHash.ofFile(at: folder.url.path) }
    #expect(throws: ReadingFailure.self) { try ContentHash.ofFile(at: "/dev/zero") }
  }
}
