import Foundation
import Persistence

extension StateStore {
  /// Table of the gallery; the files hold the same facts.
  static let pictureSchema = """
    CREATE TABLE pictures(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      file TEXT NOT NULL UNIQUE,
      session INTEGER REFERENCES sessions(id) ON DELETE SET NULL,
      created REAL NOT NULL,
      prompt TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      seed TEXT NOT NULL,
      model TEXT NOT NULL
    );
    CREATE INDEX pictures_by_session ON pictures(session);
    """

  /// Enters a picture.
  /// - Returns: its number.
  func addPicture(
    file: String, session: Int?, created: Date, prompt: String, width: Int, height: Int, seed: UInt64,
    model: String
  ) throws(DatabaseError) -> Int {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO pictures(file, session, created, prompt, width, height, seed, model)
        VALUES (?, (SELECT id FROM sessions WHERE id = ?), ?, ?, ?, ?, ?, ?)
        """, file, session, created.timeIntervalSince1970, prompt, width, height, "\(seed)", model)
      return Int(database.lastInsertedRow)
    }
  }

  /// The pictures, oldest first.
  func storedPictures() throws(DatabaseError) -> [StoredPicture] {
    try database.rows("\(Self.pictureColumns) ORDER BY id", read: Self.picture)
  }

  private static let pictureColumns =
    "SELECT id, file, session, created, prompt, width, height, seed, model FROM pictures"

  private static func picture(_ row: Row) throws(DatabaseError) -> StoredPicture {
    StoredPicture(
      id: row.int(0), file: row.text(1), session: row.isNull(2) ? nil : row.int(2),
      created: Date(timeIntervalSince1970: row.double(3)), prompt: row.text(4), width: row.int(5),
      height: row.int(6), seed: UInt64(row.text(7)) ?? 0, model: row.text(8))
  }

  /// The newest picture of a session; nil where it has none.
  func lastPicture(ofSession session: Int) throws(DatabaseError) -> StoredPicture? {
    try database.first(
      "\(Self.pictureColumns) WHERE session=? ORDER BY id DESC LIMIT 1", session, read: Self.picture)
  }

  /// Takes pictures out of the table for good.
  func removePictures(_ ids: [Int]) throws(DatabaseError) {
    try deleting { () throws(DatabaseError) in
      for id in ids { try database.run("DELETE FROM pictures WHERE id = ?", id) }
    }
  }
}
