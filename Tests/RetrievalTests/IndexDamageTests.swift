import Documents
import Foundation
import Persistence
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// Whatever happens to the index's files, answers stay right: the passages are the truth.
@Suite struct IndexDamageTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  var file: URL { folder.url.appending(path: "library.db") }
  var index: URL { folder.url.appending(path: "library.index") }

  /// A library of which a part is in files.
  private func make() async throws {
    let library = try await Library(at: file)
    let text = (0..<5_000).map { "passage number\($0) \(ReferenceTests.text(6))" }.joined(separator: "\n\n")
    try await Sample(text).store(in: library, path: "/large.txt")
    try await Sample("a small one").store(in: library, path: "/small.txt")
    try await library.settle()
    #expect(try !segments().isEmpty)
  }

  private func segments() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: index.path).filter { $0.hasPrefix("keyword-") }
      .map { index.appending(path: $0) }
  }

  private func check(_ what: String) async throws {
    let library = try await Library(at: file)
    for number in [0, 777, 4_999] {
      let hits = try await library.hits("number\(number)")
      #expect(hits.count == 1 && hits[0].hasPrefix("passage number\(number) "), "\(what)")
    }
    #expect(try await library.hits("small") == ["a small one"], "\(what)")
    #expect(try await library.search(SearchQuery("passage"), limit: 1).matchedPassageCount == 5_000, "\(what)")
  }

  @Test func missingCutAndFlippedFilesAreMadeAnew() async throws {
    try await make()
    try FileManager.default.removeItem(at: try #require(segments().first))
    try await check("missing")
    var settled = try await Library(at: file)
    try await settled.settle()
    let sound = try Data(contentsOf: try #require(segments().first))
    for round in 0..<24 {
      let url = try #require(try segments().first)
      var bytes = try Data(contentsOf: url)
      let place = round < 8 ? round * 40 : Int.random(in: 0..<bytes.count)
      if round % 3 == 2 {
        bytes.removeSubrange(place...)
      } else {
        bytes[place] ^= UInt8.random(in: 1...255)
      }
      try bytes.write(to: url)
      try await check("round \(round), byte \(place) of \(bytes.count)")
      // Damage that no search met is found by a full check.
      settled = try await Library(at: file)
      try await settled.verify()
      try await settled.settle()
    }
    #expect(try segments().count == 1)
    #expect(try Data(contentsOf: segments()[0]).count == sound.count)
  }

  @Test func aFolderThatIsGoneIsMadeAnew() async throws {
    try await make()
    try FileManager.default.removeItem(at: index)
    try await check("no folder")
  }

  @Test func blobsInTheDatabaseAreCheckedToo() async throws {
    try await make()
    try Programs.sqlite(
      file, "UPDATE segments SET content=zeroblob(length(content)) WHERE content IS NOT NULL")
    try await check("zeroed")
    try Programs.sqlite(file, "DELETE FROM segments WHERE content IS NOT NULL")
    try await check("deleted")
    try Programs.sqlite(file, "DELETE FROM segments; DELETE FROM facts")
    try await check("nothing left")
  }

  @Test func leftoversOfACrashGo() async throws {
    try await make()
    let orphan = index.appending(path: "keyword-orphan")
    try Data("left".utf8).write(to: orphan)
    try Data("half".utf8).write(to: index.appending(path: ".unfinished-1"))
    let library = try await Library(at: file)
    try await library.remove(paths: ["/small.txt"])
    #expect(try await library.settle())
    #expect(!FileManager.default.fileExists(atPath: orphan.path))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: index.path).allSatisfy { !$0.hasPrefix(".unfinished") })
  }

  @Test func removedTextLeavesLargeFilesToo() async throws {
    let library = try await Library(at: file)
    let text = (0..<5_000).map { "passage number\($0) plain" }.joined(separator: "\n\n")
    try await Sample(text).store(in: library, path: "/large.txt")
    let secret = (0..<4_500).map { "xqzvkwjpfh\($0) hidden" }.joined(separator: "\n\n")
    try await Sample(secret).store(in: library, path: "/secret.txt")
    try await library.settle()
    func holds() throws -> Bool {
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).contains { name in
        // A folder has no bytes of its own.
        let data = (try? Data(contentsOf: folder.url.appending(path: name))) ?? Data()
        return data.range(of: Data("xqzvkwjpfh".utf8)) != nil
      }
    }
    #expect(try holds())
    try await library.remove(paths: ["/secret.txt"])
    #expect(try await library.hits("hidden").isEmpty)
    #expect(try await library.settle())
    #expect(try !holds())
    #expect(try await library.hits("number77").count == 1)
  }

  @Test func anOlderLibraryIsTakenOver() async throws {
    do {
      // As the first version made it, with an index in FTS5.
      let old = try Database(at: file, durability: .normal, migrations: Array(LibrarySchema.migrations.prefix(1)))
      try old.execute(
        """
        INSERT INTO documents VALUES(1, 'h', 'text', NULL, NULL, 'en', 1, 1, NULL, 9, 1000, 1000, 'a', 1, 2, x'00');
        INSERT INTO files VALUES('/a.txt', 1, 'h', 9, 1000, 1000, NULL, 0);
        INSERT INTO passages VALUES(1, 1, 'The foxes jump (FJ).', '', 'prose', 1, 1, 0, 1, 1, 20);
        INSERT INTO passages VALUES(2, 1, 'A dog sleeps.', '', 'prose', 1, 2, 0, 1, 2, 13);
        INSERT INTO words(rowid, title, headings, body, compounds) VALUES(1, 'a', '', 'fox jump', '');
        INSERT INTO facts VALUES('analyzer', 1);
        """)
    }
    let library = try await Library(at: file)
    #expect(try await library.hits("fox") == ["The foxes jump (FJ)."])
    #expect(try await library.hits("dog") == ["A dog sleeps."])
    #expect(try await library.verify() == 0)
    try await Sample("another fox").store(in: library, path: "/b.txt")
    #expect(Set(try await library.hits("fox")) == ["The foxes jump (FJ).", "another fox"])
    try await library.remove(paths: ["/a.txt"])
    #expect(try await library.hits("fox") == ["another fox"])
  }
}
