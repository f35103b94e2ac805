import Assistant
import Documents
import Foundation
import Retrieval
import Synchronization
import TestSupport
import Testing
import TextGeneration

/// Files added with the embedder that comes with the program.
@Suite struct EmbeddingTests {
  private let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("garden.txt", "The spare key is under the third flowerpot from the left.\n")
    try folder.write("car.txt", "Our automobile needs new tyres before winter.\n")
    try folder.write("bread.txt", "Knead the dough for ten minutes and let it rest overnight.\n")
    // A passage of more than 512 pieces, whose point is at its end.
    let filler = String(
      repeating: "The committee met again and discussed the agenda of its next meeting. ", count: 60)
    try folder.write("minutes.txt", filler + "Finally they adopted a kitten from the animal shelter.\n")
  }

  private var paths: [String] {
    ["garden", "car", "bread", "minutes"].map { folder.url.appending(path: $0 + ".txt").path }
  }

  private func settings(_ fixture: Fixture, _ environment: [String: String] = [:]) throws -> Settings {
    try Settings(
      declarations: Installation(environment: fixture.environment).defaults, userFile: nil,
      environment: environment)
  }

  private func nearest(_ fixture: Fixture, _ question: String) async throws -> String? {
    guard let query = await fixture.workspace.embedders.queryVector(question) else { return nil }
    let library = fixture.workspace.library
    guard let hit = try await library.vectorHits(query: query, limit: 1).first else { return nil }
    let text = try await library.passages([hit.passage]).first?.passage.text ?? ""
    return String(decoding: Array(text.utf8)[hit.window], as: UTF8.self)
  }

  private func add(
    _ fixture: Fixture, _ paths: [String]? = nil, settings: Settings? = nil,
    tell: (ImportEvent) async -> Void = { _ in }
  ) async throws {
    try await Importer(workspace: fixture.workspace, settings: settings ?? self.settings(fixture))
      .add(paths ?? self.paths, tell: tell)
  }

  @Test func whatIsAddedIsFoundByItsMeaning() async throws {
    let fixture = try await Fixture()
    #expect(await fixture.workspace.embedders.queryVector("anything") == nil)
    let told = Mutex<[ImportEvent]>([])
    try await add(fixture) { event in told.withLock { $0.append(event) } }
    let embedded = told.withLock { $0 }.map { if case .embedded(let step) = $0 { step.embedded } else { 0 } }
    let passageCount = try await fixture.workspace.library.size().passageCount
    #expect(embedded.reduce(0, +) == passageCount)
    #expect(try await nearest(fixture, "Which vehicle must be serviced?")?.contains("automobile") == true)
    #expect(try await nearest(fixture, "How do I get into the house?")?.contains("flowerpot") == true)
    // The end of a long passage counts as much as its beginning, and its own window is named.
    let end = try #require(try await nearest(fixture, "They took in a young cat."))
    #expect(end.contains("kitten"))
  }

  @Test func anEmbedderThatDoesNotWorkCostsNoDocument() async throws {
    let broken = try folder.write("broken.gguf", Data("GGUF".utf8 + [UInt8](repeating: 0xff, count: 400)))
    let fixture = try await Fixture(environment: ["ALCOVE_EMBEDDER_FILE": broken.path])
    let failures = Mutex(0)
    try await add(fixture) { event in
      if case .notEmbedded = event { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 1)
    let library = fixture.workspace.library
    #expect(try await library.documents().count == 4)
    #expect(try await library.search(SearchQuery("flowerpot"), limit: 3).hits.count == 1)
    #expect(try await library.embedders().isEmpty)
    // One that works makes up for it with the next file, whatever that is.
    _ = try await fixture.workspace.embedders.use(settings(fixture))
    try await add(fixture, [paths[0]])
    #expect(try await library.embedders().first?.isComplete == true)
    #expect(try await nearest(fixture, "Where is the key?")?.contains("flowerpot") == true)
  }

  @Test func aStoppedImportGoesOnLater() async throws {
    let fixture = try await Fixture()
    for number in 0..<30 { try folder.write("many/\(number).txt", "Note \(number) about topic \(number * 7).\n") }
    let many = (0..<30).map { folder.url.appending(path: "many/\($0).txt").path }
    let task = Task {
      try await add(fixture, many) { event in
        if case .finished = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let library = fixture.workspace.library
    let stored = try await library.documents().count
    #expect(stored >= 1 && stored < 30)
    try await add(fixture, many)
    #expect(try await library.documents().count == 30)
    #expect(try await library.embedders().map(\.isComplete) == [true])
  }

  @Test func anotherEmbedderGoesOnWhereItWas() async throws {
    let fixture = try await Fixture()
    try await add(fixture)
    let (library, embedders) = (fixture.workspace.library, fixture.workspace.embedders)
    let old = try #require(await embedders.queryVector("tyres"))
    // The same model with a prefix makes other vectors.
    let changed = try settings(
      fixture, ["ALCOVE_EMBEDDER_QUERY_PREFIX": "query: ", "ALCOVE_EMBEDDER_PASSAGE_PREFIX": "passage: "])
    let next = try #require(try await embedders.use(changed))
    #expect(next.description.identity != old.embedder)
    var embedding = PassageEmbedding(library: library)
    embedding.batchCount = 1
    #expect(try await embedders.withWork() != nil)
    #expect(try await embedding.step(next).remaining > 0)
    #expect(try await library.embedders().map(\.role) == [.answering, .next])
    #expect(await embedders.queryVector("tyres")?.embedder == old.embedder)
    #expect(try await nearest(fixture, "Which vehicle must be serviced?")?.contains("automobile") == true)
    // A file added meanwhile is found at once, by the old one's vectors.
    try folder.write("late.txt", "The dentist moved to the station square.\n")
    try await add(fixture, [folder.url.appending(path: "late.txt").path])
    #expect(try await nearest(fixture, "tooth doctor")?.contains("dentist") == true)
    let states = try await library.embedders()
    #expect(states.map(\.role) == [.answering, .next])
    #expect(states.first?.isComplete == true && states.last?.embeddedPassageCount == 1)
    try await embedding.run(next)
    #expect(try await library.embedders().map(\.embedder.identity) == [next.description.identity])
    #expect(await embedders.queryVector("tyres")?.embedder == next.description.identity)
    #expect(try await embedders.withWork() == nil)
    #expect(try await nearest(fixture, "tooth doctor")?.contains("dentist") == true)
    #expect(try await library.vectorHits(query: old, limit: 5).isEmpty)
  }

  @Test func aMovedProgramFindsItsEmbedderAgain() async throws {
    let fixture = try await Fixture()
    let copy = folder.url.appending(path: "copy.gguf")
    try FileManager.default.copyItem(at: Installation(environment: fixture.environment).embedder, to: copy)
    let elsewhere = try settings(fixture, ["ALCOVE_EMBEDDER_FILE": copy.path])
    _ = try await fixture.workspace.embedders.use(elsewhere)
    try await add(fixture, settings: elsewhere)
    #expect(try await fixture.workspace.library.embedders().first?.embedder.path == copy.path)
    try FileManager.default.removeItem(at: copy)
    let again = try await Workspace(
      directories: Directories(environment: fixture.environment),
      installation: Installation(environment: fixture.environment), settings: settings(fixture))
    #expect(await again.embedders.queryVector("tyres") != nil)
    // With none chosen, the search goes by words.
    _ = try await again.embedders.use(settings(fixture, ["ALCOVE_EMBEDDER_FILE": "off"]))
    #expect(try await again.embedders.current() == nil)
    #expect(await again.embedders.queryVector("tyres") == nil)
  }
}
