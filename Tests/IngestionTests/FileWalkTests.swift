import Foundation
import Ingestion
import TestSupport
import Testing

@Suite struct FileWalkTests {
  private func walk(_ folder: TemporaryFolder) -> (files: [String], skipped: [String: FileWalk.Reason]) {
    let walk = FileWalk([folder.url.path])
    let base = FileWalk.settled(folder.url.path) + "/"
    func relative(_ path: String) -> String { path.replacingOccurrences(of: base, with: "") }
    let skipped = Dictionary(
      walk.skipped.map { (relative($0.path), $0.reason) }, uniquingKeysWith: { first, _ in first })
    return (walk.files.map(relative), skipped)
  }

  @Test func foldersAreWalkedInOrder() throws {
    let folder = try TemporaryFolder()
    for name in ["b.txt", "a/z.txt", "a/b/c.txt", "B.txt", "ä.txt", "a.txt"] { try folder.write(name, "x") }
    #expect(walk(folder).files == ["B.txt", "a/b/c.txt", "a/z.txt", "a.txt", "b.txt", "ä.txt"])
  }

  @Test func whatIsPassedOverIsNamed() throws {
    let folder = try TemporaryFolder()
    for name in ["kept.txt", ".hidden", ".git/config", "build/out.txt", "notes.log", "keep.log"] {
      try folder.write(name, "x")
    }
    try folder.write(".alcoveignore", "# what not to read\n*.log\n!keep.log\nbuild/\n")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.url.path + "/loop", withDestinationPath: folder.url.path)
    try files.createSymbolicLink(atPath: folder.url.path + "/nowhere", withDestinationPath: "/nonexistent/file")
    try files.createSymbolicLink(atPath: folder.url.path + "/proc", withDestinationPath: "/proc")
    #expect(mkfifo(folder.url.path + "/pipe", 0o600) == 0)
    let (found, skipped) = walk(folder)
    #expect(found == ["keep.log", "kept.txt"])
    #expect(skipped[".hidden"] == .hidden)
    #expect(skipped[".git"] == .hidden)
    #expect(skipped["build"] == .ignored(pattern: "build/"))
    #expect(skipped["notes.log"] == .ignored(pattern: "*.log"))
    #expect(skipped["loop"] == .sameAs(path: FileWalk.settled(folder.url.path)))
    #expect(skipped["nowhere"] == .missing)
    #expect(skipped["pipe"] == .notRegular)
    #expect(skipped["proc"] == .kernelFiles)
  }

  @Test func aFileNamedIsTakenEvenIfHidden() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(".hidden", "x")
    #expect(FileWalk([file.path]).files == [FileWalk.settled(file.path)])
    #expect(FileWalk([folder.url.path + "/absent"]).skipped.map(\.reason) == [.missing])
    #expect(FileWalk([file.path, file.path]).files.count == 1)
  }

  @Test func aNameThatIsNotUTF8IsSaid() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.txt", "x")
    let path = Array(folder.url.path.utf8) + Array("/le".utf8) + [0xff, 0x78, 0]
    let descriptor = path.withUnsafeBytes {
      $0.withMemoryRebound(to: CChar.self) { creat($0.baseAddress!, 0o600) }
    }
    try #require(descriptor >= 0)
    close(descriptor)
    let walk = FileWalk([folder.url.path])
    #expect(walk.files.count == 1)
    #expect(walk.skipped.map(\.path) == [FileWalk.settled(folder.url.path) + "/le\u{fffd}x"])
  }

  @Test func theRulesOfTheNearestFolderDecide() throws {
    let folder = try TemporaryFolder()
    for name in ["a/x.md", "a/deep/x.md", "x.md"] { try folder.write(name, "x") }
    try folder.write(".alcoveignore", "*.md")
    try folder.write("a/.alcoveignore", "!*.md\n/deep/x.md")
    #expect(walk(folder).files == ["a/x.md"])
  }

  @Test(arguments: [
    ("*.txt", "a/b.txt", true), ("*.txt", "b.txt.bak", false), ("/b.txt", "a/b.txt", false),
    ("/b.txt", "b.txt", true),
    ("a/b", "a/b", true), ("a/b", "x/a/b", false), ("**/b", "x/y/b", true), ("a/**", "a/x/y", true),
    ("a/**", "a", false),
    ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "a/x/y/c", false), ("?.c", "x.c", true),
    ("?.c", "xy.c", false), ("[a-c].c", "b.c", true), ("[!a-c].c", "b.c", false), ("[]].c", "].c", true),
    ("\\!x", "!x", true), ("\\#x", "#x", true), ("x ", "x", true), ("x\\ ", "x ", true), ("[", "[", true),
    ("a*b*c", "aXbYc", true), ("a*b*c", "aXbY", false), ("ä?", "äö", true), ("#x", "#x", false),
  ])
  func patternsAreReadLikeThoseOfGit(pattern: String, path: String, isIgnored: Bool) {
    let verdict = IgnoreRules(pattern).verdict(on: path.split(separator: "/").map(String.init), isFolder: false)
    #expect((verdict?.isIgnored ?? false) == isIgnored)
  }

  @Test(.timeLimit(.minutes(1)))
  func hostilePatternsTakeNoLongTime() {
    let stars = IgnoreRules(String(repeating: "*a", count: 2_000))
    #expect(stars.verdict(on: [String(repeating: "a", count: 1_999)], isFolder: false) == nil)
    let folders = IgnoreRules(String(repeating: "**/a/", count: 500) + "b")
    #expect(folders.verdict(on: Array(repeating: "a", count: 800), isFolder: false) == nil)
  }
}
