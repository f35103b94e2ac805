import Documents
import Foundation
import Persistence

extension Library {
  /// Returns the passages nearest to a query vector, best first, each by its best window.
  ///
  /// Not an error: an embedder whose vectors are not searched (there are none, or not all of them yet); the result is
  /// empty.
  package func vectorHits(
    query: QueryVector, limit: Int, scope: SearchScope = .everything
  ) throws(LibraryError) -> [VectorHit] {
    try reading { () throws(LibraryError) in
      try nearest(query, limit: limit, documents: try documents(in: scope, files: []))
    }
  }

  /// Returns the passages nearest to a query vector among those of some documents, or of all.
  func nearest(
    _ query: QueryVector, limit: Int, documents: Set<DocumentID>?
  ) throws(LibraryError) -> [VectorHit] {
    try vectors.hits(query, limit: limit, documents: documents)
  }

  /// Selects the embedder whose vectors are to be searched.
  ///
  /// The first one is searched at once, with the vectors it has by then. A later one is searched once every passage
  /// has its vectors; until then the old one is. One that was being prepared in vain is removed.
  package func choose(_ embedder: EmbedderDescription) throws(LibraryError) {
    // Usually nothing changes, and nothing is written.
    let known = try embedders().first { $0.embedder.identity == embedder.identity && $0.role != .leaving }
    let isLast = try !embedders().contains { $0.role == .next && $0.embedder.identity != embedder.identity }
    if let known, known.embedder == embedder, isLast { return }
    try changed { () throws(DatabaseError) in
      try database.run("UPDATE embedders SET role='leaving' WHERE role='next' AND identity<>?", embedder.identity)
      try database.run(
        "UPDATE embedders SET name=?, path=?, query_prefix=?, passage_prefix=? WHERE identity=? AND role<>'leaving'",
        embedder.name, embedder.path, embedder.queryPrefix, embedder.passagePrefix, embedder.identity)
      let isKnown = try database.scalar(
        "SELECT count(*) FROM embedders WHERE identity=? AND role<>'leaving'", embedder.identity)
      guard isKnown == 0 else { return }
      let others = try database.scalar("SELECT count(*) FROM embedders WHERE role='answering'")
      try database.run(
        """
        INSERT INTO embedders(identity, name, path, query_prefix, passage_prefix, dimension, role)
        VALUES(?,?,?,?,?,?,?)
        """, embedder.identity, embedder.name, embedder.path, embedder.queryPrefix, embedder.passagePrefix,
        embedder.dimension, (others == 0 ? EmbedderRole.answering : .next).rawValue)
      let id = database.lastInsertedRow
      try database.run(
        """
        INSERT INTO vector_pending(embedder, document, next_passage)
        SELECT ?, id, first_passage FROM documents WHERE passage_count > 0
        """, id)
      try switchIfComplete(id)
    }
  }

  /// Returns the embedders, the answering one first, with their progress.
  package func embedders() throws(LibraryError) -> [EmbedderState] {
    try wrapped { () throws(DatabaseError) in
      let total = try index.storedTotals().passageCount
      return try database.rows(
        """
        SELECT identity, name, path, query_prefix, passage_prefix, dimension, role,
        (SELECT total(first_passage + passage_count - next_passage) FROM vector_pending
        JOIN documents ON documents.id = document WHERE embedder = embedders.id)
        FROM embedders ORDER BY role, id
        """
      ) { row throws(DatabaseError) in
        EmbedderState(
          embedder: EmbedderDescription(
            identity: row.text(0), name: row.text(1), path: row.text(2), dimension: row.int(5),
            queryPrefix: row.text(3), passagePrefix: row.text(4)),
          role: EmbedderRole(rawValue: row.text(6)) ?? .leaving, embeddedPassageCount: total - row.int(7),
          passageCount: total)
      }
    }
  }

  /// Returns passages that still need vectors of an embedder, oldest documents first.
  package func passagesToEmbed(for identity: String, limit: Int) throws(LibraryError) -> [PassageToEmbed] {
    try wrapped { () throws(DatabaseError) in
      try database.rows(
        """
        SELECT passages.id, passages.document, text, headings, indexed_title FROM vector_pending
        JOIN embedders ON embedders.id = vector_pending.embedder
        JOIN documents ON documents.id = vector_pending.document
        JOIN passages ON passages.document = vector_pending.document AND passages.id >= next_passage
        WHERE identity=? AND role<>'leaving' ORDER BY vector_pending.document, passages.id LIMIT ?
        """, identity, limit
      ) { row throws(DatabaseError) in
        PassageToEmbed(
          id: PassageID(rawValue: Int64(row.int(0))), document: DocumentID(rawValue: Int64(row.int(1))),
          text: row.text(2), headings: Headings.decode(row.text(3)), title: row.text(4))
      }
    }
  }

  /// Stores the vectors of passages returned by ``passagesToEmbed(for:limit:)``, in one transaction.
  ///
  /// Not an error: passages removed meanwhile, or stored by another process; their vectors are dropped.
  package func store(_ passages: [PassageVectors], for identity: String) throws(LibraryError) {
    guard !passages.isEmpty else { return }
    try changed { () throws(DatabaseError) in
      let found = try database.first(
        "SELECT id, dimension FROM embedders WHERE identity=? AND role<>'leaving'", identity
      ) { row throws(DatabaseError) in (id: Int64(row.int(0)), dimension: row.int(1)) }
      guard let (id, dimension) = found else { return }
      var rest = passages[...]
      while let document = rest.first?.passage.document {
        let own = rest.prefix { $0.passage.document == document }
        rest = rest.dropFirst(own.count)
        try store(own, of: document.rawValue, embedder: id, dimension: dimension)
      }
      try switchIfComplete(id)
    }
    gatheredVectorCount += passages.reduce(0) { $0 + $1.windows.count }
    if gatheredVectorCount >= segmentSizes.lowerBound { startMaintenance() }
  }

  private func store(
    _ passages: ArraySlice<PassageVectors>, of document: Int64, embedder: Int64, dimension: Int
  ) throws(DatabaseError) {
    guard let first = passages.first?.passage.id.rawValue, let last = passages.last?.passage.id.rawValue,
      try database.scalar(
        "SELECT count(*) FROM vector_pending WHERE embedder=? AND document=? AND next_passage=?", embedder,
        document,
        first) > 0
    else { return }
    let (windows, vectors) = VectorBatch.encode(passages, dimension: dimension)
    if !windows.isEmpty {
      try database.run(
        "INSERT INTO vector_batches(embedder, document, first_passage, windows, vectors) VALUES(?,?,?,?,?)",
        embedder, document, first, windows, vectors)
    }
    let next = try database.scalar("SELECT min(id) FROM passages WHERE document=? AND id>?", document, last)
    if next > 0 {
      try database.run(
        "UPDATE vector_pending SET next_passage=? WHERE embedder=? AND document=?", next, embedder, document)
    } else {
      try database.run("DELETE FROM vector_pending WHERE embedder=? AND document=?", embedder, document)
    }
  }

  /// Makes the next embedder the answering one once every passage has its vectors.
  private func switchIfComplete(_ embedder: Int64) throws(DatabaseError) {
    let isNext = try database.scalar("SELECT count(*) FROM embedders WHERE id=? AND role='next'", embedder) > 0
    guard isNext, try database.scalar("SELECT count(*) FROM vector_pending WHERE embedder=?", embedder) == 0
    else { return }
    try database.run("UPDATE embedders SET role='leaving' WHERE role='answering'")
    try database.run("UPDATE embedders SET role='answering' WHERE id=?", embedder)
  }

  /// Removes vectors of embedders that are no longer used, a little at a time so that nobody waits, and vectors of
  /// removed passages that are still in files.
  package func tidyVectors() async throws(LibraryError) {
    try removeLeavingVectors()
    try await updateVectorSegments(waits: false)
  }

  /// Updates the vector segments, while the library answers.
  func updateVectorSegments(waits: Bool) async throws(LibraryError) {
    gatheredVectorCount = 0
    if vectors.segments != nil { try await segmentUpdater.update(waits: waits) }
  }

  private func removeLeavingVectors() throws(LibraryError) {
    let leaving = try wrapped { () throws(DatabaseError) in
      try database.rows("SELECT id FROM embedders WHERE role='leaving'") { row throws(DatabaseError) in
        Int64(row.int(0))
      }
    }
    for id in leaving {
      var removed = 1
      while removed > 0 {
        removed = try changed { () throws(DatabaseError) in
          try database.run(
            "DELETE FROM vector_batches WHERE id IN (SELECT id FROM vector_batches WHERE embedder=? LIMIT 64)", id)
        }
      }
      try changed { () throws(DatabaseError) in
        try database.run("DELETE FROM vector_pending WHERE embedder=?", id)
        try database.run("DELETE FROM embedders WHERE id=?", id)
      }
    }
  }

  /// Queues a document's passages for embedding, in the caller's transaction.
  func awaitVectors(of document: Int64) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO vector_pending(embedder, document, next_passage) SELECT embedders.id, documents.id, first_passage
      FROM embedders, documents WHERE role<>'leaving' AND documents.id=? AND passage_count > 0
      """, document)
  }

  /// Indicates whether every vector segment is there and its checksums fit.
  package func vectorSegmentsAreSound() throws(LibraryError) -> Bool {
    try wrapped { () throws(DatabaseError) in
      guard let segments = vectors.segments else { return true }
      let names = try database.rows("SELECT name FROM vector_segments") { row throws(DatabaseError) in row.text(0)
      }
      return names.allSatisfy { segments.isSound($0) }
    }
  }

  /// Rewrites vector segments that hold vectors of removed passages.
  func purgeVectors() throws(LibraryError) {
    guard let segments = vectors.segments else { return }
    if try wrapped({ () throws(DatabaseError) in try segments.isPurgeDue() }) { try segments.update(waits: true) }
  }

  /// Removes a document's vectors, in the caller's transaction.
  func removeVectors(of document: Int64) throws(DatabaseError) {
    try database.run(
      """
      UPDATE vector_segments SET is_due=1 WHERE EXISTS (SELECT 1 FROM vector_batches WHERE document=?
      AND vector_batches.embedder = vector_segments.embedder AND id BETWEEN first_batch AND last_batch)
      """, document)
    try database.run("DELETE FROM vector_pending WHERE document=?", document)
    try database.run("DELETE FROM vector_batches WHERE document=?", document)
  }
}
