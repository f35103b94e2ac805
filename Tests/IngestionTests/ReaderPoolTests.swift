import Documents
import Foundation
import Ingestion
import TestSupport
import Testing

@Suite(.serialized) struct ReaderPoolTests {
  static let program = Programs.folder.appending(path: "alcove-reader").path

  /// The stable name of what came of a file.
  static func outcome(_ pool: ReaderPool, _ path: String, password: String? = nil) async -> String {
    do {
      _ = try await pool.read(path, password: password)
      return "ok"
    } catch let failure as ReadingFailure {
      return failure.name
    } catch {
      return "\(error)"
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func everyFileGetsItsOutcomeWhateverItsNeighboursDo() async {
    #expect(PDFSample.all.count == 72)
    let pool = ReaderPool(program: Self.program, readerCount: 3)
    await withTaskGroup(of: (PDFSample, String).self) { group in
      for sample in PDFSample.all {
        group.addTask { (sample, await Self.outcome(pool, sample.path)) }
      }
      for await (sample, outcome) in group { #expect(outcome == sample.outcome, "\(sample.file)") }
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func passwordsOpenWhatIsEncrypted() async {
    let pool = ReaderPool(program: Self.program)
    for sample in PDFSample.all where sample.outcome == "encrypted" {
      #expect(await Self.outcome(pool, sample.path, password: "not it") == "wrong-password", "\(sample.file)")
      for password in sample.passwords {
        let opened = sample.file == "pikepdf__graph-encrypted.pdf" ? "empty-text" : "ok"
        #expect(await Self.outcome(pool, sample.path, password: password) == opened, "\(sample.file)")
      }
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func otherFormsGiveTheirTextOrTheirFailure() async throws {
    struct Expectations: Decodable {
      let expect_text: [String: [String]]
      let expect_failure: [String: String]
    }
    let file = SharedData.file("documents/office/expected.json")
    let expected = try JSONDecoder().decode(Expectations.self, from: Data(contentsOf: file))
    let pool = ReaderPool(program: Self.program)
    for (name, texts) in expected.expect_text {
      let document = try await pool.read(SharedData.file("documents/office/\(name)").path)
      let text = RunningText(pages: document.pages).text
      for wanted in texts { #expect(text.contains(wanted), "\(name)") }
    }
    for (name, failures) in expected.expect_failure {
      let outcome = await Self.outcome(pool, SharedData.file("documents/office/\(name)").path)
      #expect(failures.components(separatedBy: " or ").contains(outcome), "\(name): \(outcome)")
    }
  }

  @Test func aFileIsReadAndTheNextIsToo() async throws {
    let folder = try TemporaryFolder()
    let pool = ReaderPool(program: Self.program, readerCount: 1)
    for number in 1...5 {
      let file = try folder.write("note \(number).txt", "Number \(number) is here.\n")
      let document = try await pool.read(file.path)
      #expect(document.pages.first?.lines.first?.text == "Number \(number) is here.")
    }
    await pool.close()
    #expect(await Self.outcome(pool, folder.url.appending(path: "note 1.txt").path) == "ok")
  }

  @Test func whatIsNoFileIsNeverOpened() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let pool = ReaderPool(program: Self.program)
    for path in [pipe, folder.url.path, "/dev/zero", "/proc/self/maps", folder.url.path + "/absent"] {
      #expect(await Self.outcome(pool, path) == "unreadable", "\(path)")
    }
  }

  @Test func aFileOverTheSizeLimitIsRefused() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("big.txt", String(repeating: "word ", count: 100))
    var limits = ReadingLimits.standard
    limits.fileByteCount = 499
    let pool = ReaderPool(program: Self.program, limits: limits)
    await #expect(throws: ReadingFailure.limit(.fileBytes, 499)) { try await pool.read(file.path) }
  }

  @Test func aChangedFileIsNotReadAsTheOneThatWasHashed() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("note.txt", "before")
    let state = try OpenedFile(path: file.path).state
    try folder.write("note.txt", "afterwards")
    let pool = ReaderPool(program: Self.program)
    await #expect(throws: ReadingFailure.self) { try await pool.read(file.path, expecting: state) }
  }

  @Test func theDeadlineHolds() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("note.txt", "text")
    var limits = ReadingLimits.standard
    limits.wallSeconds = 0
    let pool = ReaderPool(program: Self.program, limits: limits)
    await #expect(throws: ReadingFailure.timeout(seconds: 0)) { try await pool.read(file.path) }
    #expect(await Self.outcome(ReaderPool(program: Self.program), file.path) == "ok")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"), .timeLimit(.minutes(1)))
  func cancellingEndsTheReader() async throws {
    let pool = ReaderPool(program: Self.program, readerCount: 1)
    let bomb = SharedData.file("documents/pdf/crafted__flate-bomb-512MiB.pdf").path
    let tasks = (0..<3).map { _ in Task { try await pool.read(bomb) } }
    try await Task.sleep(for: .milliseconds(300))
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(await Self.outcome(pool, SharedData.file("documents/office/utf16.txt").path) == "ok")
  }

  @Test func aMissingProgramIsToldOf() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("note.txt", "text")
    let pool = ReaderPool(program: "/nonexistent/alcove-reader")
    #expect(await Self.outcome(pool, file.path) == "unreadable")
  }

  /// Readers and nurseries that are killed at any moment cost at most the file they had, and leave nothing behind.
  @Test(.timeLimit(.minutes(2)))
  func killedReadersCostAtMostTheirFile() async throws {
    let folder = try TemporaryFolder()
    let text = (1...20_000).map { "Line \($0) of a text that takes a moment to read." }.joined(separator: "\n")
    let file = try folder.write("long.txt", text)
    let pool = ReaderPool(program: Self.program, readerCount: 2)
    _ = try await pool.read(file.path)
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_KILL_ROUNDS"] ?? "") ?? 40
    let killer = Task.detached {
      var random = SeededGenerator(seed: 7)
      while !Task.isCancelled {
        try await Task.sleep(for: .microseconds(Int.random(in: 100...30_000, using: &random)))
        if let victim = ChildProcesses.descendants().randomElement(using: &random) { kill(victim, SIGKILL) }
      }
    }
    var outcomes: [String: Int] = [:]
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<rounds { group.addTask { await Self.outcome(pool, file.path) } }
      for await outcome in group { outcomes[outcome, default: 0] += 1 }
    }
    killer.cancel()
    _ = await killer.result
    #expect(Set(outcomes.keys).isSubset(of: ["ok", "crashed"]), "\(outcomes)")
    #expect(await Self.outcome(pool, file.path) == "ok")
    await pool.close()
    #expect(ChildProcesses.zombies().isEmpty)
  }

  @Test func aConfinedReaderMayDoNothing() throws {
    let outcome = try Programs.run("alcove-reader", [ReaderDescriptors.trialArgument])
    #expect(outcome.exitCode == 0)
    #expect(!outcome.output.contains(": allowed"), "\(outcome.output)")
    #expect(outcome.output.split(separator: "\n").count > 15)
  }
}

/// One row of the manifest: a file, what must come of it, and the passwords that open it.
struct PDFSample {
  let file: String
  let outcome: String
  let passwords: [String]
  var path: String { SharedData.file("documents/pdf/\(file)").path }

  static let all: [PDFSample] = {
    guard SharedData.isPresent else { return [] }
    // An unreadable manifest gives no samples, and the test that counts them fails.
    let text = (try? String(contentsOf: SharedData.file("documents/manifest.tsv"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      // A remark in brackets may follow; a space never stands in these passwords.
      let bare = fields[2].components(separatedBy: " (").first ?? ""
      let passwords = bare.split(separator: " ").compactMap { field -> String? in
        let parts = field.split(separator: "=", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
      }
      // This one opens to no text with its owner's password; without one it does not open, whatever the row says.
      let outcome = fields[0] == "pikepdf__graph-encrypted.pdf" ? "encrypted" : fields[1]
      return PDFSample(file: fields[0], outcome: outcome, passwords: passwords)
    }
  }()
}
