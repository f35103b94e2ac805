import Documents
import Foundation
import Linguistics
import Persistence

extension Library {
  /// Finds the passages that fit a query best, by keywords and by vectors. This is the one entry point of search.
  /// - Parameters:
  ///   - vector: the query's vector by the answering embedder; nil for keywords alone.
  ///   - limit: largest number of hits.
  ///   - scope: the part of the library to search.
  /// - Returns: hits by score; equal scores by age. No hits where nothing matches: that is not an error.
  package func search(
    _ query: SearchQuery, vector: QueryVector? = nil, limit: Int, scope: SearchScope = .everything,
    ranking: RankingSettings = RankingSettings()
  ) throws(LibraryError) -> SearchResults {
    try reading { () throws(LibraryError) in
      let rows = try scopeRows(scope, files: query.files)
      let search = try indexed { () throws(SegmentError) in
        var search = KeywordSearch(query, index: index, scope: rows?.passages, ranking: ranking)
        try search.run()
        return search
      }
      var work = SearchWork(search, ranking: ranking, limit: limit)
      var meanings: RankedHalf?
      if let vector, query.hasMeaning {
        meanings = try vectorHalf(vector, documents: try documents(in: scope, files: query.files), &work)
      }
      let words = try keywordHalf(also: meanings?.ranked.map(\.row) ?? [], &work)
      let fused = ranking.fusion.fuse(
        keyword: words, vector: meanings ?? RankedHalf(ranked: [], isComplete: true, missing: 0))
      return SearchResults(
        query: query, hits: try hits(of: fused, &work),
        matchedPassageCount: search.matchedCount + fused.count { $0.keyword == nil },
        passageCount: search.passageCount, documentCount: rows?.documentCount ?? index.totals.documentCount,
        understanding: search.understanding, fusion: meanings == nil ? nil : ranking.fusion,
        closeness: Closeness(
          cosine: work.bestCosine, coverage: search.coverage(of: fused.prefix(50).lazy.map(\.row)),
          isEnglish: QueryTerms.isEnglish(search.text)))
    }
  }

  /// Runs the keyword half; the best few passages are re-scored by term proximity.
  /// - Parameter others: passages whose score is wanted, too.
  private func keywordHalf(
    also others: [UInt32], _ work: inout SearchWork
  ) throws(LibraryError) -> RankedHalf {
    let search = work.search
    let depth = work.depth
    var ranked: [(row: UInt32, score: Double)] = []
    for match in try indexed({ () throws(SegmentError) in try search.best(depth) }) {
      var score = Double(match.score)
      if ranked.count < work.ranking.nearnessDepth, let (passage, document) = try read(match.row, &work) {
        score += work.nearness(of: passage, in: document)
      }
      ranked.append((match.row, score))
    }
    ranked.sort { ($1.score, $0.row) < ($0.score, $1.row) }
    let further = try indexed { () throws(SegmentError) in try search.scores(of: others) }
    return RankedHalf(ranked: ranked, isComplete: false, missing: 0) { further[$0] }
  }

  /// Runs the vector half.
  private func vectorHalf(
    _ vector: QueryVector, documents: Set<DocumentID>?, _ work: inout SearchWork
  ) throws(LibraryError) -> RankedHalf? {
    let asked = work.depth * 2
    let found = try nearest(vector, limit: asked, documents: documents)
    guard let last = found.last else { return nil }
    let least = work.ranking.fusion.leastCosine
    var ranked: [(row: UInt32, score: Double)] = []
    for hit in found {
      let row = UInt32(clamping: hit.passage.rawValue)
      guard work.search.admits(row) else { continue }
      work.bestCosine = max(work.bestCosine ?? -1, hit.score)
      guard hit.score >= least else { continue }
      work.windows[row] = hit.window
      ranked.append((row, hit.score))
    }
    return RankedHalf(
      ranked: ranked, isComplete: found.count < asked && last.score >= least, missing: max(last.score, least))
  }

  /// Reads a row's passage and document; nil where it is gone.
  private func read(
    _ row: UInt32, _ work: inout SearchWork
  ) throws(LibraryError) -> (passage: StoredPassage, document: LibraryDocument)? {
    if work.passages[row] == nil { work.passages[row] = try passages(where: "passages.id=?", Int64(row)).first }
    guard let passage = work.passages[row] else { return nil }
    if work.documents[passage.document] == nil {
      work.documents[passage.document] = try document(passage.document)
    }
    return work.documents[passage.document].map { (passage, $0) }
  }

  /// Makes hits of the best rows: diversified where asked, neighbours merged, each explained.
  private func hits(of rows: [FusedRow], _ work: inout SearchWork) throws(LibraryError) -> [SearchHit] {
    var found: [(row: FusedRow, passage: StoredPassage)] = []
    for row in rows.prefix(work.readDepth) {
      if let (passage, _) = try read(row.row, &work) { found.append((row, passage)) }
    }
    let order = work.order(of: found.map(\.row), passages: found.map(\.passage))
    found = order.map { found[$0] }
    let runs =
      work.ranking.joinsNeighbours
      ? Joining.runs(of: found.map(\.passage), limit: work.limit)
      : found.indices.prefix(work.limit).map { Joining.Run(members: [$0], indices: 0...0) }
    var hits: [SearchHit] = []
    for run in runs {
      let (row, best) = found[run.members[0]]
      let members = run.members.map { found[$0].passage }
      let joined = try joined(members, best: best)
      guard let document = work.documents[best.document] else { continue }
      let terms = try indexed { () throws(SegmentError) in try work.search.explain(row: row.row) }
      hits.append(
        work.hit(
          row, passage: joined?.passage ?? best, of: document, rank: hits.count + 1,
          parts: joined == nil ? [best.id] : members.map(\.id).sorted(), offset: joined?.offset ?? 0, terms: terms)
      )
    }
    return hits
  }
}
