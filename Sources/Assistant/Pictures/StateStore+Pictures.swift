import Foundation
import Persistence

/// A picture of the gallery.
public struct StoredPicture: Sendable, Equatable {
  /// Its number, as `/gallery show 3` takes it.
  public let id: Int
  /// The file's name in the folder of pictures.
  public let file: String
  /// The session it was made in; nil where that is gone or there was none.
  public let session: Int?
  /// When it was made.
  public let created: Date
  /// What it shows.
  public let prompt: String
  /// Its size in pixels.
  public let width: Int
  /// Its size in pixels.
  public let height: Int
  /// Its seed.
  public let seed: UInt64
  /// What made it: `sketch`, or a model's name.
  public let model: String
}

extension StateStore {
  /// The gallery's table; what it holds stands in the files too.
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
    try database.rows(
      "SELECT id, file, session, created, prompt, width, height, seed, model FROM pictures ORDER BY id"
    ) { row throws(DatabaseError) in
      StoredPicture(
        id: row.int(0), file: row.text(1), session: row.isNull(2) ? nil : row.int(2),
        created: Date(timeIntervalSince1970: row.double(3)), prompt: row.text(4), width: row.int(5),
        height: row.int(6), seed: UInt64(row.text(7)) ?? 0, model: row.text(8))
    }
  }

  /// Takes pictures out of the table for good.
  func removePictures(_ ids: [Int]) throws(DatabaseError) {
    try deleting { () throws(DatabaseError) in
      for id in ids { try database.run("DELETE FROM pictures WHERE id = ?", id) }
    }
  }
}
