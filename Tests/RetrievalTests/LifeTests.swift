import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// A library's whole life against a plain reference: documents come, change and go, embedders take over from each
/// other, the process that does it is killed for real, and what is gone never answers again.
@Suite struct LifeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var file: URL { folder.url.appending(path: "library.db") }

  /// State of the reference: by document, the version that is there; and every version that ever was.
  private struct Reference {
    var versions: [Int: Int] = [:]
    var gone: Set<[Int]> = []

    mutating func take(_ step: LibraryScript.Step) {
      switch step {
      case .store(let document, let version): set(document, version)
      case .remove(let document): set(document, nil)
      default: break
      }
    }

    private mutating func set(_ document: Int, _ version: Int?) {
      if let old = versions[document] { gone.insert([document, old]) }
      versions[document] = version
    }

    var texts: Set<String> { Set(versions.flatMap(LibraryScript.paragraphs)) }
  }

  @Test func whatIsGoneNeverAnswersAgain() async throws {
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_LIVES"] ?? "") ?? 8
    var random = SystemRandomNumberGenerator()
    let script = LibraryScript(seed: random.next())
    var reference = Reference()
    var next = 0
    // Another opener of the same library, which learns of everything only from the files.
    let other = try await Library(at: file, segmentSizes: LibraryScript.segmentSizes)
    for round in 0..<rounds {
      let comment: Comment = "seed \(script.seed), round \(round)"
      let places = try await run(script, from: next, for: .milliseconds(Int.random(in: 50...1_500)))
      for place in places.done { reference.take(script.step(place)) }
      next = (places.begun ?? places.done.last ?? next - 1) + 1
      let library = try await Library(at: file, segmentSizes: LibraryScript.segmentSizes)
      try await library.verify()
      if let begun = places.begun { try await settle(script.step(begun), in: library, &reference) }
      try await expect(reference, in: [library, other], comment)
    }
    #expect(next > rounds)
    // In the end all of it goes, and nothing is left in any file.
    let library = try await Library(at: file, segmentSizes: LibraryScript.segmentSizes)
    try await library.remove(paths: reference.versions.keys.map(LibraryScript.path))
    #expect(try await library.settle())
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      // A folder has no bytes of its own.
      let bytes = (try? Data(contentsOf: folder.url.appending(path: name))) ?? Data()
      #expect(bytes.range(of: Data("canary".utf8)) == nil, "\(name), seed \(script.seed)")
    }
  }

  /// Has a process make the script's changes until it is killed; which it finished, and in the midst of which it was.
  private func run(
    _ script: LibraryScript, from first: Int, for time: Duration
  ) async throws -> (done: [Int], begun: Int?) {
    let worker = Process()
    worker.executableURL = Programs.folder.appending(path: "library-worker")
    worker.arguments = [file.path, "\(script.seed)", "\(first)"]
    let told = folder.url.appending(path: "told")
    FileManager.default.createFile(atPath: told.path, contents: nil)
    worker.standardOutput = try FileHandle(forWritingTo: told)
    try worker.run()
    try await Task.sleep(for: time)
    #expect(worker.isRunning, "the worker failed by itself")
    kill(worker.processIdentifier, SIGKILL)
    worker.waitUntilExit()
    var (done, begun) = ([Int](), Int?.none)
    for line in try String(contentsOf: told, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let place = Int(words[1]) else { continue }
      if words[0] == "begin" { begun = place } else { done.append(place) }
    }
    return (done, begun == done.last ? nil : begun)
  }

  /// A change in the midst of which the process was killed happened wholly or not at all: the library says which.
  private func settle(_ step: LibraryScript.Step, in library: Library, _ reference: inout Reference) async throws {
    let document: Int
    switch step {
    case .store(let number, _), .remove(let number): document = number
    default: return
    }
    let found = try await library.documents().first { $0.paths == [LibraryScript.path(document)] }
    var changed = reference
    changed.take(step)
    func hash(_ reference: Reference) -> String? {
      reference.versions[document].map {
        Sample(LibraryScript.paragraphs(document, $0).joined(separator: "\n\n")).hash
      }
    }
    #expect(found?.hash == hash(reference) || found?.hash == hash(changed), "\(step)")
    if found?.hash == hash(changed) { reference = changed }
  }

  private func expect(_ reference: Reference, in libraries: [Library], _ comment: Comment) async throws {
    let texts = reference.texts
    // While another embedder's vectors are made, the old one's answer; of what has none yet, only the words do.
    for library in libraries { try await expectOnly(texts, in: library, comment) }
    let embedder = try await LibraryScript.embedder(of: libraries[0]) ?? LibraryScript.embedder(0)
    try await embedder.embed(libraries[0])
    for library in libraries {
      try await expectOnly(texts, in: library, comment)
      let query = embedder.query("\(Int.random(in: 0...999))")
      let found = try await library.near(query, limit: 12)
      let expected = embedder.best(query.values, of: texts.sorted(), limit: 12)
      // By their scores, not their order: two that are as near within the rounding to halves may stand either way.
      // That each has its own text's score is checked above.
      #expect(found.count == expected.count, comment)
      #expect(Set(found.map(\.text)).intersection(texts).count == found.count, comment)
      #expect(zip(found, expected).allSatisfy { abs($0.score - $1.score) < 0.0005 }, comment)
      #expect(
        Set(try await library.documents().map(\.path)) == Set(reference.versions.keys.map(LibraryScript.path)))
      for (document, version) in reference.versions {
        #expect(
          try await Set(words(of: document, version, in: library))
            == Set(LibraryScript.paragraphs(document, version)))
      }
      for pair in reference.gone.shuffled().prefix(60) {
        #expect(try await words(of: pair[0], pair[1], in: library).isEmpty, comment)
      }
    }
  }

  /// Texts found by the word that only this version of a document has.
  private func words(of document: Int, _ version: Int, in library: Library) async throws -> [String] {
    var found: [String] = []
    for text in LibraryScript.paragraphs(document, version) {
      found += try await library.hits(String(text.prefix { $0 != " " }), limit: 5)
    }
    return found
  }

  /// Whatever is sought, by words, by meaning or both, only what is there is found, and as near as it is.
  private func expectOnly(_ texts: Set<String>, in library: Library, _ comment: Comment) async throws {
    guard let state = try await library.embedders().first(where: { $0.role == .answering }) else { return }
    let number = state.embedder.identity.split(separator: " ").last.flatMap { Int($0) } ?? 0
    let embedder = LibraryScript.embedder(number)
    var ranking = RankingSettings()
    ranking.joinsNeighbours = false
    ranking.fusion.leastCosine = -1
    for _ in 0..<3 {
      let query = embedder.query("\(Int.random(in: 0...9_999))")
      for (text, _, score) in try await library.near(query, limit: 25) {
        let reference = embedder.best(query.values, of: [text], limit: 1)
        #expect(texts.contains(text), "\(comment): \(text)")
        #expect(abs(score - (reference.first?.score ?? -1)) < 0.001, comment)
      }
      let both = try await library.search(SearchQuery("word"), vector: query, limit: 50, ranking: ranking)
      for hit in both.hits { #expect(texts.contains(hit.passage.passage.text), comment) }
    }
  }
}
