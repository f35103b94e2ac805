import Compute
import Documents
import Foundation
import Persistence
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// Random changes, crashes and searches against a plain reference: what is in the table, measured one by one.
@Suite struct VectorSequenceTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var file: URL { folder.url.appending(path: "library.db") }

  private func open() async throws -> Library { try await Library(at: file, segmentSizes: 16...200) }

  /// A text that no other document has.
  private static func text(_ number: Int, _ version: Int) -> String {
    (0..<1 + (number + version) % 4).map { part -> String in
      let name = "canary\(number)x\(version)y\(part)z"
      return name + " " + String(repeating: "word ", count: (number + part) % 20) + name
    }.joined(separator: "\n\n")
  }

  @Test func randomSequencesAnswerLikeTheReference() async throws {
    let steps = Int(ProcessInfo.processInfo.environment["ALCOVE_STEPS"] ?? "") ?? 250
    var random = SeededGenerator(seed: UInt64(steps))
    var library = try await open()
    var other = try await open()
    var embedder = MadeVectors("embedder 0", dimension: 80)
    var versions: [Int: Int] = [:]
    var removed: [String] = []
    try await embedder.embed(library)
    for step in 0..<steps {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        let number = Int.random(in: 0..<60, using: &random)
        if let old = versions[number] { removed += Self.passages(number, old) }
        versions[number] = (versions[number] ?? Int.random(in: 0..<900, using: &random)) + 1
        try await Sample(Self.text(number, versions[number] ?? 0)).store(in: library, path: "/\(number).txt")
      case 8..<11:
        guard let number = versions.keys.sorted().randomElement(using: &random) else { continue }
        removed += Self.passages(number, versions[number] ?? 0)
        versions[number] = nil
        try await library.remove(paths: ["/\(number).txt"])
      case 11..<14: try await embedder.embed(library, batches: 3, of: Int.random(in: 1...9, using: &random))
      case 14: library = try await open()
      case 15: swap(&library, &other)
      case 16: try await library.tidyVectors()
      case 17:
        // Another takes over, or only begins to.
        let next = MadeVectors("embedder \(step)", dimension: [80, 64, 130].randomElement(using: &random) ?? 80)
        if try await next.embed(library, batches: Int.random(in: 1...40, using: &random)) == false {
          embedder = next
        }
      default:
        try await embedder.embed(library)
        try await expectReference(
          [library, other], embedder, Set(versions.flatMap(Self.passages)), "step \(step)")
      }
    }
    try await embedder.embed(library)
    try await library.remove(paths: versions.keys.filter { $0 % 2 == 0 }.map { "/\($0).txt" })
    for (number, version) in versions where number % 2 == 0 {
      removed += Self.passages(number, version)
      versions[number] = nil
    }
    try await library.tidyVectors()
    #expect(try await library.settle())
    try await expectReference([library, other], embedder, Set(versions.flatMap(Self.passages)), "the end")
    try expectNoTrace(of: removed, by: embedder)
  }

  private static func passages(_ number: Int, _ version: Int) -> [String] {
    text(number, version).components(separatedBy: "\n\n")
  }

  private func expectReference(
    _ libraries: [Library], _ embedder: MadeVectors, _ texts: Set<String>, _ comment: Comment
  ) async throws {
    for library in libraries {
      let query = embedder.query("\(comment)")
      let found = try await library.near(query, limit: 15)
      let expected = embedder.best(query.values, of: texts.sorted(), limit: 15)
      #expect(found.count == expected.count, comment)
      for (hit, reference) in zip(found, expected) {
        #expect(abs(hit.score - reference.score) < 0.001, comment)
        #expect(texts.contains(hit.text), "\(comment): \(hit.text)")
      }
    }
  }

  /// Neither the removed texts' vectors nor their words are in any file.
  private func expectNoTrace(of texts: [String], by embedder: MadeVectors) throws {
    let files = try #require(FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
    var contents: [String: Data] = [:]
    for case let file as URL in files where !file.hasDirectoryPath {
      contents[file.lastPathComponent] = try Data(contentsOf: file)
    }
    for text in Set(texts) {
      var traces = [("words", Data(text.split(separator: " ")[0].utf8))]
      for (halves, bytes) in embedder.traces(of: text) { traces += [("halves", halves), ("bytes", bytes)] }
      for (kind, trace) in traces {
        let found = contents.filter { $0.value.range(of: trace) != nil }.keys.sorted()
        #expect(found.isEmpty, "\(kind) of \(text.prefix(20))")
      }
    }
  }

  /// A process that adds, replaces and embeds is killed at random moments, while another one works on.
  @Test func killingTheWriterLosesNoVector() async throws {
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_KILLS"] ?? "") ?? 5
    for round in 0..<rounds {
      let writers = try (0..<(round % 2 + 1)).map { _ in
        let writer = Process()
        writer.executableURL = Programs.folder.appending(path: "alcove-bench")
        writer.arguments = [
          "search", "--mode", "vector", "--passages", "100000", "--words", "12", "--segment-rows", "64",
          "--folder",
          folder.url.path,
        ]
        writer.standardOutput = FileHandle.nullDevice
        writer.standardError = FileHandle.nullDevice
        try writer.run()
        return writer
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 300...1_500)))
      for writer in writers {
        kill(writer.processIdentifier, SIGKILL)
        writer.waitUntilExit()
      }
      let library = try await open()
      try await library.verify()
      let stored = try StoredVectors(file)
      for _ in 0..<3 {
        let query = MadeVectors("question \(round)", dimension: 384).vector(of: "\(Int.random(in: 0...9_999))")
        let found = try await library.vectorHits(
          query: QueryVector(embedder: stored.identity, values: query), limit: 20)
        let scores = stored.scores(query)
        let expected = scores.values.sorted(by: >).prefix(20)
        // By their scores, not their order: two that are as near within a sum's rounding may stand either way.
        #expect(found.count == expected.count, "round \(round)")
        #expect(Set(found.map(\.passage)).count == found.count, "round \(round)")
        for (hit, reference) in zip(found, expected) {
          #expect(abs(hit.score - reference) < 0.00001, "round \(round)")
          #expect(abs(hit.score - (scores[hit.passage.rawValue] ?? -2)) < 0.00001, "round \(round)")
        }
      }
      let state = try #require(try await library.embedders().first)
      #expect(state.embeddedPassageCount == stored.passageCount, "round \(round)")
      try await library.tidyVectors()
      #expect(try await library.vectorSegmentsAreSound())
    }
    #expect(try StoredVectors(file).passageCount > 0)
  }
}

extension MadeVectors {
  /// The bytes that a text's vectors could leave in a file: pieces of their halves and of their 8-bit values.
  func traces(of text: String) -> [(halves: Data, bytes: Data)] {
    Self.windows(of: text).map { window in
      let vector = vector(of: String(decoding: Array(text.utf8)[window], as: UTF8.self))
      var halves = [UInt16](repeating: 0, count: vector.count)
      InstructionSet.scalar.narrow(vector, count: vector.count, into: &halves)
      var rounded = [Float](repeating: 0, count: vector.count)
      InstructionSet.scalar.widen(halves, count: vector.count, into: &rounded)
      let width = InstructionSet.scanWidth(dimension: vector.count)
      var bytes = [Int8](repeating: 0, count: width)
      _ = InstructionSet.quantize(rounded, count: vector.count, width: width, into: &bytes)
      return (
        halves[20..<40].withUnsafeBytes { Data($0) }, bytes[20..<40].withUnsafeBytes { Data($0) }
      )
    }
  }
}

/// Content of the table of vectors, read without the library.
struct StoredVectors {
  var identity = ""
  var passageCount = 0
  private var rows: [(passage: Int64, vector: [Double])] = []

  init(_ file: URL) throws {
    // A copy of one moment, so that nothing is written to the library, which may be merging and clearing in the
    // background.
    let folder = try TemporaryFolder()
    let copy = folder.url.appending(path: "copy.db")
    try Database.snapshot(of: file, to: copy)
    let database = try Database(at: copy, durability: .normal, migrations: Array(repeating: "", count: 1_000))
    identity =
      try database.first("SELECT identity FROM embedders WHERE role='answering'") { row throws(DatabaseError) in
        row.text(0)
      } ?? ""
    rows = try database.rows(
      """
      SELECT first_passage, windows, vectors, dimension FROM vector_batches JOIN embedders
      ON embedders.id = embedder WHERE role='answering'
      """
    ) { row throws(DatabaseError) in
      let (first, windows, vectors, dimension) = (
        Int64(row.int(0)), [UInt8](row.blob(1)), [UInt8](row.blob(2)), row.int(3)
      )
      return (0..<windows.count / 12).map { place in
        let offset = (0..<4).reduce(0) { $0 | Int64(windows[place * 12 + $1]) << (8 * $1) }
        let halves = (0..<dimension).map { element in
          let at = (place * dimension + element) * 2
          return UInt16(vectors[at]) | UInt16(vectors[at + 1]) << 8
        }
        var floats = [Float](repeating: 0, count: dimension)
        InstructionSet.scalar.widen(halves, count: dimension, into: &floats)
        return (first + offset, floats.map(Double.init))
      }
    }.flatMap(\.self)
    passageCount = Set(rows.map(\.passage)).count
  }

  /// Every passage with the score of its best window.
  func scores(_ query: [Float]) -> [Int64: Double] {
    var best: [Int64: Double] = [:]
    for (passage, vector) in rows {
      let score = zip(vector, query).reduce(0) { $0 + $1.0 * Double($1.1) }
      best[passage] = max(best[passage] ?? -2, score)
    }
    return best
  }
}
