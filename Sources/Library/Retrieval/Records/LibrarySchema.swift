import Foundation
import Persistence

/// Migrations of `library.db`; a released step never changes.
package enum LibrarySchema {
  package static let migrations = [
    """
    CREATE TABLE documents(
      id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT, author TEXT,
      language TEXT NOT NULL, page_count INTEGER NOT NULL, indexed_page_count INTEGER NOT NULL, cut TEXT,
      byte_count INTEGER NOT NULL, modified REAL NOT NULL, added REAL NOT NULL,
      indexed_title TEXT NOT NULL, first_passage INTEGER NOT NULL, passage_count INTEGER NOT NULL,
      field_lengths BLOB NOT NULL);

    CREATE TABLE files(
      path TEXT PRIMARY KEY, document INTEGER REFERENCES documents(id), hash TEXT, byte_count INTEGER NOT NULL,
      modified REAL NOT NULL, tried REAL NOT NULL, failure TEXT, is_missing INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX files_by_document ON files(document);
    CREATE INDEX files_by_hash ON files(hash);

    CREATE TABLE pages(
      document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, number INTEGER NOT NULL, label TEXT,
      lines BLOB NOT NULL, UNIQUE(document, number));

    CREATE TABLE passages(
      id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
      text TEXT NOT NULL, headings TEXT NOT NULL, form TEXT NOT NULL, start_page INTEGER NOT NULL,
      start_line INTEGER NOT NULL, start_byte INTEGER NOT NULL, end_page INTEGER NOT NULL,
      end_line INTEGER NOT NULL, end_byte INTEGER NOT NULL);
    CREATE INDEX passages_by_document ON passages(document);

    CREATE TABLE facts(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

    CREATE VIRTUAL TABLE words USING fts5(
      title, headings, body, compounds, content='', columnsize=0, tokenize="ascii tokenchars '.'");
    """,
    """
    CREATE TABLE embedders(
      id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL,
      query_prefix TEXT NOT NULL, passage_prefix TEXT NOT NULL, dimension INTEGER NOT NULL, role TEXT NOT NULL);

    CREATE TABLE vector_pending(
      embedder INTEGER NOT NULL REFERENCES embedders(id), document INTEGER NOT NULL REFERENCES documents(id),
      next_passage INTEGER NOT NULL, PRIMARY KEY(embedder, document)) WITHOUT ROWID;
    CREATE INDEX vector_pending_by_document ON vector_pending(document);

    CREATE TABLE vector_batches(
      id INTEGER PRIMARY KEY AUTOINCREMENT, embedder INTEGER NOT NULL REFERENCES embedders(id),
      document INTEGER NOT NULL REFERENCES documents(id), first_passage INTEGER NOT NULL, windows BLOB NOT NULL,
      vectors BLOB NOT NULL);
    CREATE INDEX vector_batches_by_embedder ON vector_batches(embedder);
    CREATE INDEX vector_batches_by_document ON vector_batches(document);

    CREATE TABLE vector_segments(
      name TEXT PRIMARY KEY, embedder INTEGER NOT NULL, first_batch INTEGER NOT NULL, last_batch INTEGER NOT NULL,
      row_count INTEGER NOT NULL, is_due INTEGER NOT NULL) WITHOUT ROWID;
    """,
    // Replaces FTS5 by our own index, which is built from the passages where the fact `analyzer` is missing.
    """
    DROP TABLE words;
    DELETE FROM facts WHERE name='analyzer';
    ALTER TABLE documents DROP COLUMN field_lengths;
    ALTER TABLE documents ADD COLUMN title_length INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE documents ADD COLUMN headings_length INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE documents ADD COLUMN body_length INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX documents_by_passage ON documents(first_passage);

    CREATE TABLE segments(
      id INTEGER PRIMARY KEY AUTOINCREMENT, first_row INTEGER NOT NULL, end_row INTEGER NOT NULL,
      passage_count INTEGER NOT NULL, file TEXT, identity INTEGER NOT NULL, content BLOB);
    CREATE INDEX segments_by_row ON segments(first_row);
    CREATE TABLE removed(
      id INTEGER PRIMARY KEY AUTOINCREMENT, segment INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
      first_row INTEGER NOT NULL, end_row INTEGER NOT NULL);
    CREATE INDEX removed_by_segment ON removed(segment);
    """,
    // Acronyms with their long forms, as the documents introduce them.
    """
    CREATE TABLE acronyms(
      document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, short TEXT NOT NULL, long TEXT NOT NULL,
      UNIQUE(document, short, long));
    CREATE INDEX acronyms_by_short ON acronyms(short);
    CREATE INDEX acronyms_by_long ON acronyms(long);
    """,
    // A query is looked up with the stemmers of every language that documents are in.
    "CREATE INDEX documents_by_language ON documents(language);",
  ]

  /// Opens a connection to a library's file and migrates it.
  static func open(_ url: URL) throws(DatabaseError) -> Database {
    try Database(at: url, durability: .normal, migrations: migrations)
  }
}
