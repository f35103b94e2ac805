import Foundation
import TestSupport
import Testing

/// Databases of a newer version are named and left as they are.
struct NewerFilesTests {
  @Test(arguments: ["data/library.db", "state/state.db"])
  func aNewerDatabaseIsNamed(file: String) throws {
    let home = try TemporaryFolder()
    let environment = ["ALCOVE_HOME": home.url.path]
    #expect(try Programs.run("alcove", ["library", "list"], environment: environment).exitCode == 0)
    #expect(try Programs.run("alcove", ["sessions"], environment: environment).exitCode == 0)
    let path = home.url.appending(path: file)
    // The user version is the big-endian number at byte 60 of the file (sqlite.org/fileformat2.html, 1.3).
    let handle = try FileHandle(forUpdating: path)
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: Data([0, 0, 0x03, 0xE8]))
    try handle.close()
    for command in [["library", "list"], ["sessions"]] {
      let outcome = try Programs.run("alcove", command, environment: environment)
      #expect(outcome.exitCode == 1)
      #expect(outcome.errors.contains("made by a newer Alcove (format 1000") && outcome.errors.contains(file))
    }
  }
}

/// Files that are not there are named in the system's words.
struct MissingFilesTests {
  @Test(arguments: ["schema", "grammar"])
  func aMissingFileIsNamed(option: String) throws {
    let home = try TemporaryFolder()
    let outcome = try Programs.run(
      "alcove", ["ask", "--\(option)", "/no/such/file.json", "What is due?"],
      environment: ["ALCOVE_HOME": home.url.path])
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors == "alcove: /no/such/file.json cannot be used: No such file or directory\n")
  }
}
