import Documents
import Foundation
import Persistence

/// A conversation as the list of sessions shows it.
package struct SessionSummary: Sendable, Equatable, Codable {
  /// Number of the session, as `/resume 3` takes it.
  package let id: Int
  /// Date of its first turn.
  package let created: Date
  /// Date of its last change.
  package let updated: Date
  /// The first question, shortened.
  package let title: String
  /// Number of its turns that were not undone.
  package let turnCount: Int
}

extension StateStore {
  /// Stores a question before anything is done about it, opening a session where there is none yet.
  /// - Returns: the session's and the turn's numbers.
  package func beginTurn(session: Int?, question: String) throws(DatabaseError) -> (session: Int, turn: Int) {
    let now = Date().timeIntervalSince1970
    return try database.transaction { () throws(DatabaseError) in
      let sessionID: Int
      if let session {
        sessionID = session
        try database.run("UPDATE sessions SET updated = ? WHERE id = ?", now, session)
      } else {
        try database.run(
          "INSERT INTO sessions(created, updated, title) VALUES (?, ?, ?)", now, now, Self.title(of: question))
        sessionID = Int(database.lastInsertedRow)
      }
      try database.run(
        "INSERT INTO turns(session, asked, question, status) VALUES (?, ?, ?, ?)", sessionID, now, question,
        TurnStatus.open.rawValue)
      return (sessionID, Int(database.lastInsertedRow))
    }
  }

  /// Stores the answer so far, so that a crash loses at most the text after it.
  ///
  /// The write survives the end of the process but does not wait for the disk: it comes with every piece of an answer.
  package func keepPartialAnswer(_ answer: String, turn: Int) throws(DatabaseError) {
    try database.execute("PRAGMA synchronous=NORMAL")
    defer {
      // Setting it back to FULL cannot fail outside a transaction.
      try? database.execute("PRAGMA synchronous=FULL")
    }
    try database.run(
      "UPDATE turns SET answer = ? WHERE id = ? AND status = ?", answer, turn, TurnStatus.open.rawValue)
  }

  /// The sessions, most recently used first.
  package func sessions() throws(DatabaseError) -> [SessionSummary] {
    try database.rows(
      """
      SELECT s.id, s.created, s.updated, s.title,
        (SELECT count(*) FROM turns t WHERE t.session = s.id AND t.status <> 'undone' AND t.kind = 'exchange')
      FROM sessions s ORDER BY s.updated DESC, s.id DESC
      """
    ) { row throws(DatabaseError) in
      SessionSummary(
        id: row.int(0), created: Date(timeIntervalSince1970: row.double(1)),
        updated: Date(timeIntervalSince1970: row.double(2)), title: row.text(3), turnCount: row.int(4))
    }
  }

  /// The turns of a session that were not undone, in order.
  package func turns(session: Int) throws(DatabaseError) -> [Turn] {
    try database.rows(
      """
      SELECT id, asked, question, answer, status, author, sources, kind, transcript, covers FROM turns
      WHERE session = ? AND status <> 'undone' ORDER BY id
      """, session
    ) { row throws(DatabaseError) in
      guard let status = TurnStatus(rawValue: row.text(4)) else {
        throw DatabaseError.malformed(column: "turns.status", value: row.text(4))
      }
      return Turn(
        id: row.int(0), asked: Date(timeIntervalSince1970: row.double(1)), question: row.text(2),
        answer: row.text(3),
        status: status, author: row.text(5), sources: try Self.decode(row.text(6)),
        kind: TurnKind(rawValue: row.text(7)) ?? .exchange, transcript: Self.transcript(row.text(8)),
        covers: row.int(9))
    }
  }

  /// Removes sessions for good: their text is in no file under the state directory afterwards.
  /// - Returns: the number of sessions removed.
  @discardableResult
  package func removeSessions(_ ids: [Int]) throws(DatabaseError) -> Int {
    try deleting { () throws(DatabaseError) in
      var count = 0
      for id in ids { count += try database.run("DELETE FROM sessions WHERE id = ?", id) }
      return count
    }
  }

  private static func title(of question: String) -> String {
    let line = question.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count <= 60 ? line : line.prefix(59).trimmingCharacters(in: .whitespaces) + "…"
  }

  static func encode(_ sources: [Source]) throws(DatabaseError) -> String {
    do { return String(decoding: try JSONEncoder().encode(sources), as: UTF8.self) } catch {
      throw .malformed(column: "turns.sources", value: "\(error)")
    }
  }

  static func encode(_ transcript: Transcript?) throws(DatabaseError) -> String {
    guard let transcript else { return "" }
    do { return String(decoding: try JSONEncoder().encode(transcript), as: UTF8.self) } catch {
      throw .malformed(column: "turns.transcript", value: "\(error)")
    }
  }

  /// A transcript that cannot be read costs only the reuse of the KV cache.
  private static func transcript(_ text: String) -> Transcript? {
    text.isEmpty ? nil : try? JSONDecoder().decode(Transcript.self, from: Data(text.utf8))
  }

  private static func decode(_ text: String) throws(DatabaseError) -> [Source] {
    do { return try JSONDecoder().decode([Source].self, from: Data(text.utf8)) } catch {
      throw .malformed(column: "turns.sources", value: text)
    }
  }
}
