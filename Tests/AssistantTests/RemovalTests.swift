import Assistant
import Entitlements
import Foundation
import TestSupport
import Testing

@Suite struct RemovalTests {
  /// Answers that grew piece by piece leave copies in the pages of the database; removing their sessions clears those
  /// too.
  @Test func removedSessionsAreInNoFile() async throws {
    let fixture = try await Fixture()
    let store = fixture.workspace.store
    let canary = "thecanary\(UInt32.random(in: 0 ... .max))"
    var kept: [Int] = []
    for number in 0..<60 {
      let isRemoved = number % 2 == 0
      let word = isRemoved ? canary : "harmless"
      let (session, turn) = try await store.beginTurn(session: nil, question: "\(word)? \(number)")
      var answer = ""
      for piece in 0..<(number % 7 * 20) {
        answer += " \(word) \(piece)"
        if piece % 9 == 0 { try await store.keepPartialAnswer(answer, turn: turn) }
      }
      try await store.end(
        TurnEnding(turn: turn, answer: answer, status: .complete, author: "analysis", sources: [], events: []))
      if !isRemoved { kept.append(session) }
    }
    let removed = try await store.sessions().map(\.id).filter { !kept.contains($0) }
    #expect(try await store.removeSessions(removed) == 30)
    #expect(try await Set(store.sessions().map(\.id)) == Set(kept))
    let files = try #require(
      FileManager.default.enumerator(at: fixture.folder.url, includingPropertiesForKeys: nil))
    var looked = 0
    while let file = files.nextObject() as? URL {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      looked += 1
      #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file.lastPathComponent)")
    }
    #expect(looked > 1)
  }
}
