import Assistant
import Documents
import Entitlements
import Foundation
import Retrieval
import Sketching
import TestSupport
import Testing

/// Pictures and summaries that a model asks for or makes.
@Suite struct ModelToolTests {
  private static func call(_ name: String, _ arguments: String) -> String {
    "<tool_call>{\"name\": \"\(name)\", \"arguments\": \(arguments)}</tool_call>"
  }

  private static func illustrator(_ fixture: Fixture) throws -> Illustrator {
    let workspace = fixture.workspace
    return Illustrator(
      gallery: Gallery(folder: workspace.directories.images, store: workspace.store), store: workspace.store,
      engine: Sketcher(vocabulary: try SketchVocabulary(folder: workspace.installation.sketches)))
  }

  private static var chat: TurnOptions {
    var options = TurnOptions()
    options.isChat = true
    return options
  }

  @Test func aPictureThatTheModelAsksForIsDrawnAndKept() async throws {
    let fixture = try await Fixture.paid()
    let backend = CallingBackend([
      "Here it comes. "
        + Self.call("generate_image", #"{"prompt": "a red boat under the moon", "size": "256x192"}"#),
      "I drew a boat.",
    ])
    let session = fixture.workspace.session(backend: backend)
    let illustrator = try Self.illustrator(fixture)
    await session.draw(with: illustrator)
    let told = try await Told.collect(session, "Surprise me.", options: Self.chat)
    #expect(told.error == nil)
    let pictures = told.events.compactMap { if case .picture(let report) = $0 { report } else { nil } }
    let picture = try #require(pictures.first)
    #expect(picture.picture.prompt == "a red boat under the moon")
    #expect((picture.picture.width, picture.picture.height) == (256, 192))
    #expect(picture.picture.session == told.summary?.session)
    #expect(FileManager.default.fileExists(atPath: picture.path))
    #expect(try await illustrator.gallery.pictures().count == 1)
    #expect(told.text.contains("Here it comes.") && told.text.contains("[Picture 1: a red boat"))
    #expect(told.text.hasSuffix("I drew a boat."))
    let called = told.events.compactMap { if case .called(let report) = $0 { report } else { nil } }
    #expect(called.count == 1 && called[0].name == "generate_image" && called[0].succeeded)
    // The same words give the same picture, so that the conversation comes out the same.
    let again = fixture.workspace.session(
      backend: CallingBackend([
        Self.call("generate_image", #"{"prompt": "a red boat under the moon"}"#), "Done.",
      ]))
    await again.draw(with: illustrator)
    let second = try await Told.collect(again, "Surprise me.", options: Self.chat)
    let seeds = second.events.compactMap { if case .picture(let report) = $0 { report.picture.seed } else { nil } }
    #expect(seeds == [picture.picture.seed])
    // A picture alone is an answer.
    let silent = fixture.workspace.session(
      backend: CallingBackend([Self.call("generate_image", #"{"prompt": "a tree"}"#)]))
    await silent.draw(with: illustrator)
    let alone = try await Told.collect(silent, "Go on.", options: Self.chat)
    #expect(alone.summary?.status == .complete && !alone.notices.contains(.modelSilent))
  }

  @Test func picturesCountAmongTheFiveCallsAndBadOnesAreTold() async throws {
    let fixture = try await Fixture.paid()
    let draw = Self.call("generate_image", #"{"prompt": "a tree", "size": "128x128"}"#)
    let backend = CallingBackend(Array(repeating: draw, count: 7) + ["Enough."])
    let session = fixture.workspace.session(backend: backend)
    await session.draw(with: try Self.illustrator(fixture))
    let told = try await Told.collect(session, "Trees.", options: Self.chat)
    #expect(told.events.count { if case .picture = $0 { true } else { false } } == 5)
    #expect(told.events.count { if case .called = $0 { true } else { false } } == 5)
    let bad = CallingBackend([Self.call("generate_image", #"{"prompt": "a tree", "size": "7x7"}"#), "No."])
    let other = fixture.workspace.session(backend: bad)
    await other.draw(with: try Self.illustrator(fixture))
    let refused = try await Told.collect(other, "Small.", options: Self.chat)
    #expect(refused.events.contains { if case .called(let report) = $0 { !report.succeeded } else { false } })
    #expect(bad.requests.last?.steps.last?.results.last?.contains("7x7") == true)
    // Without anything that draws, the model hears of no such tool.
    let plain = CallingBackend(["Hello."])
    _ = try await Told.collect(fixture.workspace.session(backend: plain), "Hi there.", options: Self.chat)
    #expect(plain.requests.first?.tools.contains { $0.name == "generate_image" } == false)
  }

  private static let report = (1...9).map { part in
    "Section \(part) tells of station \(part). "
      + String(
        repeating: "The tide at station \(part) reached \(part * 11) centimetres in the morning. ", count: 24)
  }.joined(separator: "\n\n")

  private func summary(_ fixture: Fixture, _ backend: CallingBackend) async throws -> Told {
    let document = try #require(try await fixture.workspace.library.documents().first)
    var options = TurnOptions()
    options.summaryOf = document
    return try await Told.collect(fixture.workspace.session(backend: backend), "Summarize it", options: options)
  }

  @Test func aSummaryIsMadeOfNotesOnEachPart() async throws {
    let fixture = try await Fixture.paid()
    try await fixture.add("report.txt", Self.report)
    let id = try #require(try await fixture.workspace.library.documents().first?.id)
    let count = try await fixture.workspace.library.passages(of: id).count
    let parts = (count + 1) / 2
    try #require(parts >= 2)
    let notes = (0..<parts).map { part in
      part == 0
        ? "The tide at station 1 reached 11 centimetres. [1] The tide at station 1 reached 999 centimetres. [1]"
        : "Nobody knows. [400]"
    }
    let backend = CallingBackend(notes + ["The tide at station 1 reached 11 centimetres in the morning. [1]"])
    let told = try await summary(fixture, backend)
    #expect(told.error == nil && told.summary?.author == "calling")
    #expect(told.text.hasPrefix("The tide at station 1 reached 11 centimetres in the morning. [1]"))
    #expect(told.summary?.coverage == Coverage(read: count, matched: count, total: count))
    #expect(told.summary?.metrics?.runs == parts + 1)
    let source = try #require(told.sources.first)
    #expect(source.citation.quote.contains("11 centimetres"))
    #expect(backend.requests.count == parts + 1)
    #expect(Set(backend.requests.dropLast().flatMap(\.numbers)) == Set(1...count))
    // Of the notes those that hold go on, and where none does, what the rules find central.
    guard case .combine(_, let kept, _)? = backend.requests.last?.task else {
      Issue.record("the last step combines")
      return
    }
    #expect(kept.contains("reached 11 centimetres. [1]") && !kept.contains("999") && !kept.contains("Nobody"))
    #expect(kept.contains("[\(count)]") || kept.contains("[\(count - 1)]"))
    #expect(try await fixture.workspace.store.previewCounts().reserved == 0)
  }

  @Test func aSummaryFallsBackToTheRulesAndSaysWhatWasRead() async throws {
    let fixture = try await Fixture()
    try await fixture.add("report.txt", Self.report)
    let silent = try await summary(fixture, CallingBackend([]))
    #expect(
      silent.summary?.author == "analysis" && silent.notices.contains(.modelSilent) && !silent.sources.isEmpty)
    #expect(try await fixture.workspace.store.previewCounts().consumed == 0)
    // Of a long document a part is read, and that is said.
    var settings = try Settings(
      declarations: fixture.workspace.installation.defaults, userFile: nil, environment: [:])
    try settings.set("summary.passages", to: "2", origin: .flag)
    let small = try await fixture.workspace.ephemeral(settings: settings)
    let other = Fixture(folder: fixture.folder, workspace: small, environment: [:])
    try await other.add("report.txt", Self.report)
    let count = try await small.library.passages(of: small.library.documents()[0].id).count
    let told = try await summary(other, CallingBackend(["The tide at station 1 reached 11 centimetres. [1]"]))
    #expect(told.summary?.coverage == Coverage(read: 2, matched: count, total: count))
    #expect(told.text.contains("2 of \(count)"))
  }

  @Test func theToolForSummariesUsesTheModelToo() async throws {
    let fixture = try await Fixture.paid()
    try await fixture.add("lease.txt", "The monthly rent is 935 euros. The deposit is 1,870 euros.")
    let backend = CallingBackend([
      Self.call("summarize_document", #"{"document": "lease.txt"}"#), "The monthly rent is 935 euros. [1]",
      "In short, the rent is 935 euros. [1]",
    ])
    let session = fixture.workspace.session(backend: backend)
    let told = try await Told.collect(session, "What is it about?", options: Self.chat)
    #expect(backend.requests.count == 3)
    #expect(
      backend.requests.last?.steps.last?.results.last?.contains("The monthly rent is 935 euros. [1]") == true)
    #expect(told.text == "In short, the rent is 935 euros. [1]" && told.sources.map(\.number) == [1])
  }

  @Test(arguments: [
    ("A red boat on a calm sea at dusk, watercolour", "a red boat", true),
    ("\"A red boat, misty morning, soft light.\"", "a red boat", true),
    ("Description: A red boat in golden light", "draw me a red boat please", true),
    ("Here is the description:\n\nA red boat among reeds", "a red boat", true),
    ("A blue ship on a calm sea at dusk", "a red boat", false), ("", "a red boat", false),
    ("a red boat", "a red boat", false), (String(repeating: "a red boat ", count: 60), "a red boat", false),
  ])
  func enrichedPromptsKeepWhatWasAskedFor(said: String, prompt: String, isTaken: Bool) {
    if case .enriched(let text) = PictureEnricher.judge(said, for: prompt) {
      #expect(isTaken && text.lowercased().contains("red boat") && !text.contains("\""))
    } else {
      #expect(!isTaken)
    }
  }

  @Test func enrichingGoesThroughTheGateAndFallsBack() async throws {
    let fixture = try await Fixture()
    let store = fixture.workspace.store
    func enrich(_ backend: any LocalBackend) async throws -> PictureEnricher.Outcome {
      try await PictureEnricher(store: store, backend: backend).enrich("a red boat")
    }
    #expect(try await enrich(CallingBackend(["A blue ship at dusk"])) == .kept(.leftOut("red")))
    guard case .kept(.failed) = try await enrich(ScriptedBackend(script: .failsAtOnce)) else {
      Issue.record("a failure keeps the prompt")
      return
    }
    #expect(try await store.previewCounts().consumed == 0)
    for _ in 0..<3 {
      #expect(try await enrich(CallingBackend(["A red boat at dusk"])) == .enriched("A red boat at dusk"))
    }
    #expect(try await store.previewCounts().consumed == 3)
    #expect(try await enrich(CallingBackend(["A red boat at dusk"])) == .kept(.blocked))
  }
}
