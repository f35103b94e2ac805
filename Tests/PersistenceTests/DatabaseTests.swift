import Foundation
import Persistence
import TestSupport
import Testing

@Suite struct DatabaseTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ migrations: [String]) throws -> Database {
    try Database(at: folder.url.appending(path: "a.db"), durability: .full, migrations: migrations)
  }

  @Test func valuesOfEveryKindComeBack() throws {
    let database = try open(["CREATE TABLE t(i, d, s, b, n)"])
    try database.run(
      "INSERT INTO t VALUES (?,?,?,?,?)", 42, 2.5, "nul\u{0}inside é", Data([0, 255]), String?.none)
    let row = try database.first("SELECT * FROM t") { row throws(DatabaseError) in
      (row.int(0), row.double(1), row.text(2), row.blob(3), row.isNull(4))
    }
    let found = try #require(row)
    #expect(found == (42, 2.5, "nul\u{0}inside é", Data([0, 255]), true))
  }

  @Test func aFailedTransactionLeavesNothing() throws {
    let database = try open(["CREATE TABLE t(i UNIQUE)"])
    #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("INSERT INTO t VALUES (?)", 1)
        try database.run("INSERT INTO t VALUES (?)", 1)
      }
    }
    #expect(try database.scalar("SELECT count(*) FROM t") == 0)
  }

  @Test func manyOpenANewFileAtOnce() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try open(["CREATE TABLE t(i)", "INSERT INTO t VALUES (1)"]).scalar("SELECT count(*) FROM t")
        }
      }
      for try await count in group { #expect(count == 1) }
    }
  }

  @Test func migrationsRunOnceAndInOrder() throws {
    let steps = ["CREATE TABLE t(i)", "INSERT INTO t VALUES (1)"]
    _ = try open([steps[0]])
    _ = try open(steps)
    let database = try open(steps)
    #expect(try database.scalar("SELECT count(*) FROM t") == 1)
    #expect(try database.scalar("PRAGMA user_version") == 2)
  }

  @Test func aNewerFileIsRefusedUntouched() throws {
    _ = try open(["CREATE TABLE t(i)", "CREATE TABLE u(i)"])
    let file = folder.url.appending(path: "a.db")
    let before = try Data(contentsOf: file)
    #expect(throws: DatabaseError.newer(found: 2, known: 1, path: file.path)) {
      _ = try open(["CREATE TABLE t(i)"])
    }
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func filesAreForThisUserOnly() throws {
    let database = try open(["CREATE TABLE t(i)"])
    try database.run("INSERT INTO t VALUES (?)", 1)
    for name in ["a.db", "a.db-wal", "a.db-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appending(path: name).path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func deletedTextIsInNoFile() throws {
    let database = try open(["CREATE TABLE t(s)"])
    let canary = "canary-\(UUID().uuidString)"
    try database.run("INSERT INTO t VALUES (?)", canary)
    try database.run("DELETE FROM t")
    try database.truncateLog()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = try Data(contentsOf: folder.url.appending(path: name))
      #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(name)")
    }
  }
}
