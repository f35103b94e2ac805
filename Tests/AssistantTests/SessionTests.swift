import Assistant
import Documents
import Entitlements
import Foundation
import Retrieval
import Telemetry
import TestSupport
import Testing
import TextGeneration

@Suite struct SessionTests {
  private static let lease = """
    The lease begins on 1 May 2026 and runs for two years.

    The monthly rent is 935 euros, due on the third working day. The deposit is 1,870 euros.

    Mireille Oduya is the landlord. Pets are not allowed.
    """

  @Test func anAnswerCitesTheExactBytes() async throws {
    let fixture = try await Fixture()
    let id = try await fixture.add("lease.txt", Self.lease)
    let told = try await Told.collect(fixture.workspace.session(), "How much is the monthly rent?")
    #expect(told.error == nil)
    #expect(told.text.contains("935 euros"))
    let source = try #require(told.sources.first)
    #expect(source.path == "/documents/lease.txt")
    #expect(source.place == "line 3")
    #expect(source.citation.quote.contains("The monthly rent is 935 euros"))
    #expect(try await fixture.workspace.library.text(of: source.citation.span, in: id) == source.citation.quote)
    #expect(told.summary?.hasEvidence == true)
    #expect(told.summary?.author == "analysis")
  }

  @Test func noEvidenceIsSaidAndNothingInvented() async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    let told = try await Told.collect(fixture.workspace.session(), "Which quasar has the largest redshift?")
    #expect(told.summary?.hasEvidence == false)
    #expect(!told.text.isEmpty)
  }

  @Test func theQuestionIsStoredBeforeTheAnswerAndTheTurnAfter() async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    let session = fixture.workspace.session()
    _ = try await Told.collect(session, "Who is the landlord?")
    let turns = try await session.turns()
    #expect(turns.map(\.question) == ["Who is the landlord?"])
    #expect(turns[0].status == .complete)
    #expect(turns[0].answer.contains("Mireille Oduya"))
    #expect(turns[0].sources.count >= 1)
    _ = try await session.undo()
    #expect(try await session.turns().isEmpty)
    await #expect(throws: SessionError.nothingToUndo) { try await session.undo() }
  }

  @Test(arguments: [
    ("What is 12 * 34?", "12 * 34 = 408"), ("calculate 15% of 80", "15% of 80 = 12"),
    ("What is 1,870 / 2", "1,870 / 2 = 935"), ("0.1 + 0.2 =", "0.1 + 0.2 = 0.3"), ("7 x 8", "7 x 8 = 56"),
    ("3 + 5!", "3 + 5! = 123"),
    ("What is 34-12?", nil), ("2026-05-01", nil), ("What is 3/4?", nil), ("What is plan 9 + 3?", nil),
    ("How much is the deposit + rent?", nil), ("1 / 0", nil), ("What is 935?", nil),
  ])
  func sumsNeedNoDocuments(question: String, reply: String?) async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    let told = try await Told.collect(fixture.workspace.session(), question)
    #expect((told.text == reply) == (reply != nil), "\(told.text)")
    #expect((told.summary?.author == "rules") == (reply != nil))
  }

  @Test func smallTalkNeedsNoDocuments() async throws {
    let fixture = try await Fixture()
    let told = try await Told.collect(fixture.workspace.session(), "hello")
    #expect(told.summary?.author == "rules")
    #expect(told.sources.isEmpty)
  }

  // MARK: The gate

  private func gate(_ script: ScriptedBackend.Script) async throws -> (Fixture, Session) {
    let fixture = try await Fixture()
    return (fixture, fixture.workspace.session(backend: ScriptedBackend(script: script)))
  }

  @Test func threePreviewsThenTheAnalysisAnswers() async throws {
    let (fixture, session) = try await gate(.says(["Once ", "upon"]))
    for left in [2, 1, 0] {
      let told = try await Told.collect(session, "hello")
      #expect(told.text == "Once upon")
      #expect(told.summary?.previewsLeft == left)
      #expect(told.notices == (left == 0 ? [.lastPreviewUsed] : []))
    }
    let fourth = try await Told.collect(session, "hello")
    #expect(fourth.notices == [.previewsUsedUp(consumed: 3, allowance: 3)])
    #expect(fourth.summary?.author == "rules")
    var options = TurnOptions()
    options.isModelOnly = true
    let refused = try await Told.collect(session, "hello", options: options)
    #expect(refused.error as? SessionError == .blocked(consumed: 3, allowance: 3))
    #expect(try await fixture.workspace.store.previewCounts().consumed == 3)
    #expect(
      try await fixture.funnel() == [
        "preview_model_used", "preview_model_used", "preview_model_used", "preview_exhausted",
        "preview_gate_triggered",
        "preview_gate_triggered",
      ])
  }

  @Test(arguments: [ScriptedBackend.Script.failsAtOnce, .saysNothing, .failsAfter("Half an ans")])
  func whatFailsIsNotCharged(script: ScriptedBackend.Script) async throws {
    let (fixture, session) = try await gate(script)
    let told = try await Told.collect(session, "hello")
    let counts = try await fixture.workspace.store.previewCounts()
    #expect(counts == PreviewCounts(remaining: 3, reserved: 0, consumed: 0, allowance: 3))
    if case .failsAfter(let said) = script {
      #expect(told.error as? TextGenerationError == ScriptedBackend.failure)
      #expect(try await session.turns().map(\.answer) == [said])
    } else {
      #expect(told.summary?.author == "rules")
    }
    if case .failsAtOnce = script {
      #expect(told.notices.contains(.modelFailed(reason: "m.gguf changed while it was in use; load it again")))
    }
  }

  @Test func aStopAfterOutputIsChargedAndBeforeItIsNot() async throws {
    let (fixture, session) = try await gate(.hangsAfter("Once"))
    let stream = try await session.respond(to: "hello")
    for try await event in stream { if case .text = event { break } }
    await session.stop()
    #expect(try await fixture.workspace.store.previewCounts().consumed == 1)
    #expect(try await session.turns().map(\.status) == [.stopped])
    #expect(try await session.turns().map(\.answer) == ["Once"])

    await session.use(ScriptedBackend(script: .hangsAtOnce))
    let silent = try await session.respond(to: "hello again")
    for try await event in silent { if case .routed = event { break } }
    await session.stop()
    #expect(try await fixture.workspace.store.previewCounts().consumed == 1)
    #expect(try await fixture.workspace.store.previewCounts().reserved == 0)
  }

  @Test func paidPlansRunWithoutLimitAndTheConversionIsRecordedOnce() async throws {
    let (fixture, session) = try await gate(.says(["Yes."]))
    _ = try await Told.collect(session, "hello")
    try await fixture.workspace.store.setPlan(.pro)
    for _ in 0..<5 { #expect(try await Told.collect(session, "hello").text == "Yes.") }
    try await fixture.workspace.store.setPlan(.lifetime)
    #expect(try await fixture.funnel() == ["preview_model_used", "preview_to_paid"])
    try await fixture.workspace.store.setPlan(.free)
    #expect(try await fixture.workspace.store.accessState() == .preview(remaining: 2))
  }

  @Test func noTextReachesTheLog() async throws {
    let canary = "xylophonecanary"
    let fixture = try await Fixture()
    try await fixture.add("\(canary).txt", "The \(canary) was tuned in 1987 by Ida \(canary).")
    let session = fixture.workspace.session(backend: ScriptedBackend(script: .says([canary])))
    _ = try await Told.collect(session, "When was the \(canary) tuned?")
    _ = try await Told.collect(session, "\(canary)?")
    let rows = try await fixture.workspace.store.telemetry(.init(limit: 1000))
    #expect(rows.count >= 3)
    #expect(!rows.contains { $0.json.contains(canary) })
  }
}

extension Fixture {
  /// The names of the funnel's events, in order.
  func funnel() async throws -> [String] {
    try await workspace.store.telemetry(.init(pattern: "preview_*", limit: 1000)).map(\.name)
  }
}
