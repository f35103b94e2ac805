import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

@Suite struct CrashTests {
  /// A process that stores documents is killed at a random moment, again and again: the library stays whole.
  @Test func killingTheWriterLosesAtMostTheDocumentInFlight() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "library.db")
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_KILLS"] ?? "") ?? 6
    var storedBefore = 0
    for round in 0..<rounds {
      let writer = Process()
      writer.executableURL = Programs.folder.appending(path: "alcove-bench")
      writer.arguments = ["search", "--passages", "200000", "--words", "30", "--folder", folder.url.path]
      writer.standardOutput = FileHandle.nullDevice
      try writer.run()
      try await Task.sleep(for: .milliseconds(Int.random(in: 60...700)))
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()

      let library = try await Library(at: file)
      try await library.verify()
      let documents = try await library.documents()
      #expect(documents.count >= storedBefore, "round \(round)")
      storedBefore = documents.count
      for document in documents.shuffled().prefix(40) {
        let passages = try await library.passages(of: document.id)
        #expect(passages.count == document.passageCount && passages.count == 20)
        #expect(try await library.pages(of: document.id).count == document.indexedPageCount)
        let passage = try #require(passages.randomElement())
        let words = passage.passage.text.split(separator: " ").suffix(8).joined(separator: " ")
        let scope = SearchScope(documents: [document.id])
        let found = try await library.search(SearchQuery("\"\(words)\""), limit: 20, scope: scope)
        #expect(found.hits.map(\.passage.id).contains(passage.id), "\(document.path): \(words)")
      }
    }
    #expect(storedBefore > 0)
  }

  @Test func aDamagedFileIsReportedAfterACrash() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "library.db")
    do {
      let library = try await Library(at: file)
      for number in 0..<200 { try await Sample("word\(number) text").store(in: library, path: "/\(number).txt") }
    }
    let handle = try FileHandle(forUpdating: file)
    for page in 3..<30 {
      try handle.seek(toOffset: UInt64(page * 4_096))
      try handle.write(contentsOf: Data(repeating: 0xff, count: 200))
    }
    try handle.close()
    // A log that nobody folded in is the sign of a crash; this one holds nothing that SQLite accepts.
    try folder.write("library.db-wal", "left behind")
    await #expect(throws: LibraryError.self) { _ = try await Library(at: file) }
  }
}
