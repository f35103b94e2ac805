import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

@Suite struct LibraryTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func open() async throws -> Library { try await Library(at: folder.url.appending(path: "library.db")) }

  @Test func whatIsStoredComesBack() async throws {
    let library = try await open()
    let sample = Sample(
      "The lease begins in May.\nThe rent is 935 euros.", title: "Lease", headings: ["Costs", "Rent"])
    let id = try await sample.store(in: library, path: "/papers/lease.txt")
    let document = try #require(try await library.document(id))
    #expect(document.title == "Lease" && document.paths == ["/papers/lease.txt"] && document.name == "lease.txt")
    #expect(document.passageCount == 1 && document.pageCount == 1 && document.indexedPageCount == 1)
    #expect(try await library.pages(of: id) == sample.document.pages)
    #expect(try await library.passages(of: id).map(\.passage) == sample.passages)
    #expect(try await library.text(of: sample.passages[0].span, in: id) == sample.text)
    #expect(try await library.lines(2...9, page: 1, of: id).map(\.text) == ["The rent is 935 euros."])
    #expect(try await library.size() == LibrarySize(documentCount: 1, pageCount: 1, passageCount: 1))
    let entry = try #require(try await library.ledgerEntry(path: "/papers/lease.txt"))
    #expect(entry.outcome == "ok" && entry.document == id && entry.indexedPageCount == 1)
  }

  @Test func aChangedFileReplacesItsOldVersion() async throws {
    let library = try await open()
    let old = try await Sample("alpha").store(in: library, path: "/a.txt")
    let new = try await Sample("beta").store(in: library, path: "/a.txt")
    #expect(old != new)
    #expect(try await library.document(old) == nil)
    #expect(try await library.hits("alpha").isEmpty)
    #expect(try await library.hits("beta") == ["beta"])
    #expect(try await library.ledger().count == 1)
  }

  @Test func copiesAreOneDocumentUntilTheLastGoes() async throws {
    let library = try await open()
    let first = try folder.write("a.txt", "x")
    let second = try folder.write("b.txt", "x")
    let sample = Sample("gamma")
    let id = try await sample.store(in: library, path: first.path)
    #expect(
      try await library.recognize(hash: sample.hash, file: .init(second.path)) == .copied(id, of: first.path))
    #expect(try await library.recognize(hash: sample.hash, file: .init(first.path)) == .unchanged(id))
    #expect(try await library.document(id)?.paths == [first.path, second.path])
    try await library.remove(paths: [first.path])
    #expect(try await library.hits("gamma") == ["gamma"])
    try await library.remove(paths: [second.path])
    #expect(try await library.size().documentCount == 0)
    #expect(try await library.hits("gamma").isEmpty)
  }

  @Test func aMovedFileKeepsItsDocument() async throws {
    let library = try await open()
    let sample = Sample("delta")
    let new = try folder.write("new.txt", "x")
    let id = try await sample.store(in: library, path: "/gone/old.txt")
    #expect(
      try await library.recognize(hash: sample.hash, file: .init(new.path)) == .moved(id, from: "/gone/old.txt"))
    #expect(try await library.document(id)?.paths == [new.path])
    #expect(try await library.recognize(hash: "unknown", file: .init(new.path)) == nil)
  }

  @Test func filesThatAreGoneAreKeptUntilPruned() async throws {
    let library = try await open()
    let kept = try folder.write("kept.txt", "x")
    try await Sample("epsilon").store(in: library, path: kept.path)
    try await Sample("zeta").store(in: library, path: "/gone/z.txt")
    #expect(try await library.markMissing().map(\.file.path) == ["/gone/z.txt"])
    #expect(try await library.documents().map(\.isMissing) == [true, false])
    #expect(try await library.hits("zeta") == ["zeta"])
    #expect(try await library.prune().map(\.file.path) == ["/gone/z.txt"])
    #expect(try await library.documents().map(\.path) == [kept.path])
    #expect(try await library.hits("zeta").isEmpty)
  }

  @Test func failuresAreInTheLedgerWithTheirFacts() async throws {
    let library = try await open()
    try await library.recordFailure(.limit(.pages, 7), hash: "h", file: .init("/a.pdf"))
    let entry = try #require(try await library.ledgerEntry(path: "/a.pdf"))
    #expect(entry.failure == .limit(.pages, 7) && entry.outcome == "limit" && entry.document == nil)
    // What can no longer be said goes; what could only not be read this time stays.
    let id = try await Sample("eta").store(in: library, path: "/b.txt")
    try await library.recordFailure(.timeout(seconds: 5), hash: nil, file: .init("/b.txt"))
    #expect(try await library.ledgerEntry(path: "/b.txt")?.document == id)
    #expect(try await library.hits("eta") == ["eta"])
    try await library.recordFailure(.encrypted, hash: "h2", file: .init("/b.txt"))
    #expect(try await library.hits("eta").isEmpty)
    #expect(try await library.size().documentCount == 0)
  }

  @Test func documentsAreFoundByName() async throws {
    let library = try await open()
    try await Sample("a").store(in: library, path: "/x/report.pdf")
    try await Sample("b").store(in: library, path: "/x/report-2.pdf")
    try await Sample("c", title: "Annual Réport").store(in: library, path: "/x/c.pdf")
    func names(_ name: String) async throws -> [String] { try await library.documents(matching: name).map(\.name) }
    #expect(try await names("report") == ["report.pdf", "report-2.pdf", "c.pdf"])
    #expect(try await names("REPORT.pdf") == ["report.pdf"])
    #expect(try await names("annual report") == ["c.pdf"])
    #expect(try await names("nothing").isEmpty)
  }

  @Test func linesOfEveryRoleComeBack() async throws {
    let library = try await open()
    let roles: [LineRole] = [
      .body, .heading(level: 1), .heading(level: 6), .listItem, .tableHeader, .tableRow, .code, .running,
    ]
    let lines = roles.enumerated().map { place, role in
      DocumentLine(
        String(repeating: "é\u{0}", count: place * 40), role: role, startsBlock: place % 2 == 0,
        isHidden: place % 3 == 0)
    }
    let document = ExtractedDocument(
      kind: .pdf, pageCount: 9, pages: [DocumentPage(number: 4, label: "iv", lines: lines)], cut: .pageLimit)
    let id = try await library.store(document, passages: [], hash: "h", file: .init("/p.pdf"))
    #expect(try await library.page(4, of: id) == document.pages[0])
    let stored = try #require(try await library.document(id))
    #expect(stored.cut == .pageLimit && stored.indexedPageCount == 1 && stored.pageCount == 9)
  }

  @Test func aNewerLibraryIsRefusedUntouched() async throws {
    let file = folder.url.appending(path: "library.db")
    do { _ = try await open() }
    try Programs.sqlite(file, "PRAGMA journal_mode=DELETE; PRAGMA user_version=99")
    let before = try Data(contentsOf: file)
    let error = await #expect(throws: LibraryError.self) { _ = try await open() }
    if case .newer(99, _, file.path) = error {} else { Issue.record("\(String(describing: error))") }
    #expect(try Data(contentsOf: file) == before)
  }
}
