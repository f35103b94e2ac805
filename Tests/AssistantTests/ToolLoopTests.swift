import Assistant
import Documents
import Entitlements
import Foundation
import Grammars
import ModelFormats
import Retrieval
import TestSupport
import Testing
import TextGeneration

/// A real engine whose answers are held to a form: calls of tools, planted answers, JSON.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct ToolLoopTests {
  private static let lease = """
    The lease begins on 1 May 2026 and runs for two years.

    The monthly rent is 935 euros, due on the third working day. The deposit is 1,870 euros.
    """

  private func session(_ fixture: Fixture, _ changes: [String: String]) async throws -> Session {
    let model = try TalkingModel(template: TalkingModel.chatML, special: TalkingModel.chatMLTokens)
    let settings = ["model.max-tokens": "200", "model.context": "16384"].merging(changes) { $1 }
    return fixture.workspace.session(backend: try await fixture.backend(model, settings))
  }

  private func calls(_ told: Told) -> [ToolReport] {
    told.events.compactMap { if case .called(let report) = $0 { report } else { nil } }
  }

  @Test func aForcedCallIsMadeAndItsResultIsRead() async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    var session = try await session(fixture, ["model.tools": "required"])
    var options = TurnOptions()
    options.isChat = true
    var told = try await Told.collect(session, "Do something.", options: options)
    // The call tells the time, and at some minutes the model then has nothing to say: the rules do, for nothing.
    for seed in 1...4 where told.notices.contains(.modelSilent) {
      session = try await self.session(fixture, ["model.tools": "required", "model.seed": "\(seed)"])
      told = try await Told.collect(session, "Do something.", options: options)
    }
    #expect(told.error == nil)
    #expect(calls(told).count == 1)
    #expect(told.summary?.metrics?.runs == 2)
    #expect(!told.text.isEmpty && !told.text.contains("\"arguments\""))
    let steps = try #require(try await session.turns().last?.transcript).steps
    #expect(steps.count == 1 && steps[0].calls.count == 1)
    #expect(steps[0].results[0].hasPrefix("=== data ") && steps[0].calls[0].id.count == 9)
    // One ticket for the turn, however many runs.
    #expect(try await fixture.workspace.store.previewCounts().consumed == 1)
  }

  @Test func theLoopEndsAfterFiveCallsWithAnAnswer() async throws {
    let fixture = try await Fixture()
    let session = try await session(fixture, ["model.tools": "required", "model.max-tokens": "120"])
    var options = TurnOptions()
    (options.isChat, options.requiredCalls) = (true, 99)
    let told = try await Told.collect(session, "Go on and on.", options: options)
    #expect(calls(told).count == 5)
    // Where the model has nothing to say in the end, the rules do.
    #expect(told.summary?.metrics?.runs == 6 || told.notices.contains(.modelSilent))
    #expect(!told.text.isEmpty && !told.text.contains("\"arguments\""))
    let steps = try #require(try await session.turns().last?.transcript).steps
    #expect(steps.last?.results.last?.contains("No more calls are possible") == true)
    let counts = try await fixture.workspace.store.previewCounts()
    #expect(counts.consumed <= 1 && counts.reserved == 0)
  }

  @Test func aPlantedErrorIsFlaggedOnItsWayThroughTheEngine() async throws {
    let fixture = try await Fixture.paid()
    let id = try await fixture.add("lease.txt", Self.lease)
    let session = try await session(fixture, ["model.tools": "off"])
    for (said, flagged) in [
      ("The monthly rent is 935 euros. [1]", []), ("The monthly rent is 953 euros. [1]", ["953"]),
      ("Ferdinand owes 1,870 euros. [1]", ["Ferdinand"]),
    ] {
      var options = TurnOptions()
      options.grammar = try Grammar(choices: [said])
      let told = try await Told.collect(session, "How much is the monthly rent?", options: options)
      #expect(told.text == said)
      let unverified = told.notices.compactMap { if case .unverified(let claims) = $0 { claims } else { nil } }
      #expect(unverified.flatMap { $0 } == flagged)
      let source = try #require(told.sources.first)
      #expect(source.number == 1 && source.path == "/documents/lease.txt")
      #expect(try await fixture.workspace.library.text(of: source.citation.span, in: id) == source.citation.quote)
      #expect(told.summary?.hasEvidence == true)
    }
  }

  @Test func aSchemaHoldsTheAnswer() async throws {
    let fixture = try await Fixture.paid()
    let session = try await session(fixture, [:])
    var options = TurnOptions()
    options.isChat = true
    options.grammar = try Grammar(
      jsonSchema:
        #"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}"#
    )
    let told = try await Told.collect(session, "A number, please.", options: options)
    let object = try JSONSerialization.jsonObject(with: Data(told.text.utf8)) as? [String: Int]
    #expect(object?.keys.first == "n")
  }

  @Test func thoughtsAreFoldedAndNoAnswer() async throws {
    let fixture = try await Fixture.paid()
    let template = TalkingModel.chatML.replacing(
      "'<|im_start|>assistant\\n' }}{%- endif %}", with: "'<|im_start|>assistant\\n<think>\\n' }}{%- endif %}")
    #expect(template.contains("<think>"))
    let model = try TalkingModel(template: template, special: TalkingModel.chatMLTokens)
    let session = fixture.workspace.session(backend: try await fixture.backend(model))
    var options = TurnOptions()
    options.isChat = true
    let told = try await Told.collect(session, "Think.", options: options)
    #expect(told.events.contains { if case .thinking = $0 { true } else { false } })
    // A thought that never ends is no answer, and costs nothing.
    #expect(told.notices.contains(.modelSilent))
  }

  @Test func anotherAttemptDrawsOtherWordsAndTheSameOnesEachTime() async throws {
    let fixture = try await Fixture.paid()
    let session = try await session(fixture, ["model.tools": "off", "model.temperature": "1.5"])
    var options = TurnOptions()
    options.isChat = true
    let first = try await Told.collect(session, "Say something.", options: options)
    var texts: [String] = []
    for _ in 0..<2 {
      let turn = try await session.undo()
      options.attempt = try await session.attempts(at: turn.question)
      texts.append(try await Told.collect(session, turn.question, options: options).text)
    }
    #expect(Set(texts + [first.text]).count == 3)
    #expect(options.attempt == 2)
    _ = try await session.undo()
    options.attempt = 0
    #expect(try await Told.collect(session, "Say something.", options: options).text == first.text)
  }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct CompactionTests {
  private static var chat: TurnOptions {
    var options = TurnOptions()
    options.isChat = true
    return options
  }

  @Test func aSummaryStandsForWhatCameBeforeAndCanBeTakenBack() async throws {
    let fixture = try await Fixture.paid()
    let model = try TalkingModel(template: TalkingModel.chatML, special: TalkingModel.chatMLTokens)
    let session = fixture.workspace.session(
      backend: try await fixture.backend(model, ["model.tools": "off", "model.compact-at": "0"]))
    await #expect(throws: SessionError.nothingToCompact) { try await session.compact() }
    for number in 0..<3 {
      _ = try await Told.collect(
        session, "Question \(number) " + String(repeating: "is long ", count: 30), options: Self.chat)
    }
    let long = try await Told.collect(session, "And now?", options: Self.chat)
    let summary = try await session.compact()
    #expect(summary.kind == .summary && !summary.answer.isEmpty)
    #expect(try await session.turns().count == 5)
    let short = try await Told.collect(session, "And now?", options: Self.chat)
    let (longTokens, shortTokens) = (
      long.summary?.metrics?.promptTokens ?? 0, short.summary?.metrics?.promptTokens ?? 0
    )
    #expect(shortTokens < longTokens)
    _ = try await session.undo()
    try await session.undoCompaction()
    let again = try await Told.collect(session, "And now?", options: Self.chat)
    #expect((again.summary?.metrics?.promptTokens ?? 0) > longTokens)
  }

  @Test func undoRightBehindASummaryTakesItBack() async throws {
    let fixture = try await Fixture()
    let session = fixture.workspace.session()
    try await fixture.add("lease.txt", "The monthly rent is 935 euros.")
    for _ in 0..<2 { _ = try await Told.collect(session, "How much is the monthly rent?") }
    // Without a model the rules sum up, and no ticket is touched.
    let summary = try await session.compact()
    #expect(summary.author == "rules" && summary.answer.contains("935 euros"))
    #expect(try await session.undo().kind == .summary)
    #expect(try await session.turns().count == 2)
    #expect(try await fixture.workspace.store.previewCounts().consumed == 0)
    // What a removed document said is in no summary either.
    _ = try await session.compact()
    _ = try await fixture.workspace.store.forget(documents: ["lease.txt-hash"])
    #expect(try await !session.turns().contains { $0.answer.contains("935") })
  }

  @Test func longConversationsAreSummedUpByThemselves() async throws {
    let fixture = try await Fixture.paid()
    let model = try TalkingModel(template: TalkingModel.chatML, special: TalkingModel.chatMLTokens)
    let session = fixture.workspace.session(
      backend: try await fixture.backend(
        model, ["model.tools": "off", "model.context": "4096", "model.compact-at": "30"]))
    var compacted: Turn?
    for number in 0..<6 where compacted == nil {
      let told = try await Told.collect(
        session, "Question \(number) " + String(repeating: "is long ", count: 40), options: Self.chat)
      #expect(told.error == nil)
      for case .compacted(let turn) in told.events { compacted = turn }
    }
    let summary = try #require(compacted)
    let before = try await session.turns()
    // Its question goes with it, as it was made for that.
    let undone = try await session.undo()
    #expect(undone.kind == .exchange && undone.id > summary.covers)
    #expect(try await session.turns().count == before.count - 2)
  }

  @Test func theWindowFollowsModelMemoryAndSettings() throws {
    let model = try TalkingModel(context: 32768)
    let file = try GGUFFile(path: model.path)
    func expect(_ setting: Int, _ bytes: Int?, _ length: Int, _ reason: ContextWindow.Reason) {
      let window = ContextWindow.choose(for: file, setting: setting, availableBytes: bytes)
      #expect(window.length == length && window.reason == reason)
    }
    let plenty = 64 << 30
    expect(0, plenty, 8192, .usual)
    expect(12000, plenty, 12000, .setting)
    expect(99999, plenty, 32768, .trained)
    let chosen = ContextWindow.choose(for: file, setting: 0, availableBytes: 265 << 20)
    #expect(chosen.reason == .memory && chosen.length < 8192 && chosen.length >= 1024)
  }
}
