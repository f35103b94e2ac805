import Entitlements
import Foundation
import Persistence
import Telemetry

extension StateStore {
  /// Stores a summary of a session's turns.
  /// - Parameters:
  ///   - last: the last turn that the summary stands for.
  ///   - documents: the documents, by hash, whose text may stand in it.
  package func addSummary(
    _ text: String, author: String, session: Int, covering last: Int, documents: [String]
  ) throws(DatabaseError) -> Turn {
    var transcript = Transcript()
    transcript.documents = documents
    let encoded = try Self.encode(transcript)
    let now = Date().timeIntervalSince1970
    let id = try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO turns(session, asked, finished, question, answer, status, author, kind, transcript, covers)
        VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?)
        """, session, now, now, text, TurnStatus.complete.rawValue, author, TurnKind.summary.rawValue, encoded,
        last)
      return Int(database.lastInsertedRow)
    }
    return Turn(
      id: id, asked: Date(timeIntervalSince1970: now), question: "", answer: text, status: .complete,
      author: author,
      sources: [], kind: .summary, transcript: transcript, covers: last)
  }

  /// Takes a session's last summary back.
  /// - Returns: that summary, or nil where there is none.
  package func undoLastSummary(session: Int) throws(DatabaseError) -> Turn? {
    try database.transaction { () throws(DatabaseError) in
      guard let last = try turns(session: session).last(where: { $0.kind == .summary }) else { return nil }
      try database.run("UPDATE turns SET status = ? WHERE id = ?", TurnStatus.undone.rawValue, last.id)
      return last
    }
  }

  /// Takes a session's last question back, with a summary that was made for it; or a summary that was made after it.
  /// - Returns: the turn, or nil where there is none.
  package func undoLastTurn(session: Int) throws(DatabaseError) -> Turn? {
    try database.transaction { () throws(DatabaseError) in
      let turns = try turns(session: session)
      guard let last = turns.last else { return nil }
      var undone = [last]
      // A summary made on the way to an answer is stored behind its question.
      if last.kind == .summary, let question = turns.dropLast().last, question.id > last.covers {
        undone = [question, last]
      }
      for turn in undone {
        try database.run("UPDATE turns SET status = ? WHERE id = ?", TurnStatus.undone.rawValue, turn.id)
      }
      return undone[0]
    }
  }

  /// Number of times that the last question was answered before and taken back.
  package func attempts(at question: String, session: Int) throws(DatabaseError) -> Int {
    try database.rows(
      """
      SELECT count(*) FROM turns WHERE session = ? AND question = ? AND status = 'undone' AND kind = 'exchange'
      AND id > (SELECT coalesce(max(id), 0) FROM turns WHERE session = ? AND status <> 'undone')
      """, session, question, session
    ) { row throws(DatabaseError) in row.int(0) }.first ?? 0
  }

  /// Ends a reservation that belongs to no turn.
  func settle(_ ticket: consuming PreviewTicket, isCharged: Bool) throws(DatabaseError) {
    let reservation = (id: ticket.id, backend: ticket.backend, isConsuming: ticket.isConsuming)
    try database.transaction { () throws(DatabaseError) in
      var events: [TelemetryEvent] = []
      _ = try settle(reservation, isCharged: isCharged, events: &events)
      for event in events { try log.record(event) }
    }
  }

  /// The settings that a session was given, by name, as typed.
  package func settings(session: Int) throws(DatabaseError) -> [String: String] {
    let texts = try database.rows("SELECT settings FROM sessions WHERE id = ?", session) {
      row throws(DatabaseError) in
      row.text(0)
    }
    // Settings that cannot be read count as none; nothing else depends on them.
    return texts.first.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:]
  }

  /// Keeps a session's settings.
  package func keep(settings: [String: String], session: Int) throws(DatabaseError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A dictionary of texts can always be written.
    guard let data = try? encoder.encode(settings) else { return }
    try database.run(
      "UPDATE sessions SET settings = ? WHERE id = ?", String(decoding: data, as: UTF8.self), session)
  }
}
