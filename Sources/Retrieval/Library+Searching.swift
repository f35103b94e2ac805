import Documents
import Foundation
import Linguistics
import Persistence

extension Library {
  /// Finds the passages that fit a query best. This is the one entry to searching.
  /// - Parameters:
  ///   - limit: how many hits at most.
  ///   - scope: the part of the library to search.
  /// - Returns: hits by score; equal scores by age. No hits where nothing matches: that is not an error.
  public func search(
    _ query: SearchQuery, limit: Int, scope: SearchScope = .everything,
    ranking: RankingSettings = RankingSettings()
  ) throws(LibraryError) -> SearchResults {
    return try reading { () throws(LibraryError) in
      let rows = try scopeRows(scope, files: query.files)
      let search = try indexed { () throws(SegmentError) in
        var search = KeywordSearch(query, index: index, scope: rows?.passages, ranking: ranking)
        try search.run()
        return search
      }
      return SearchResults(
        query: query, hits: try hits(of: search, limit: limit, depth: ranking.nearnessDepth),
        matchedPassageCount: search.matchedCount, passageCount: search.passageCount,
        documentCount: rows?.documentCount ?? index.totals.documentCount, understanding: search.understanding)
    }
  }

  /// The best passages: the first few by keywords are put in order once more by how near the terms stand in them.
  private func hits(of search: KeywordSearch, limit: Int, depth: Int) throws(LibraryError) -> [SearchHit] {
    let forms = search.allForms
    let nearness = search.nearness
    var stems = StemCache()
    var known: [DocumentID: LibraryDocument] = [:]
    var hits: [SearchHit] = []
    for match in try indexed({ () throws(SegmentError) in try search.best(max(limit, depth)) }) {
      // Every row of the index is a passage of a document: both are written together.
      guard let passage = try passages(where: "passages.id=?", Int64(match.row)).first else { continue }
      if known[passage.document] == nil { known[passage.document] = try document(passage.document) }
      guard let document = known[passage.document] else { continue }
      let text = passage.passage.text
      let near = hits.count < depth ? nearness.score(of: text, in: document.language, stems: &stems) : 0
      hits.append(
        SearchHit(
          rank: 0, passage: passage, document: document, score: Double(match.score) + near, explanation: [],
          nearness: near, highlights: []))
    }
    hits.sort { ($1.score, $0.passage.id) < ($0.score, $1.passage.id) }
    hits.removeLast(max(0, hits.count - limit))
    for place in hits.indices {
      hits[place].rank = place + 1
      let (document, passage) = (hits[place].document, hits[place].passage)
      hits[place].explanation = try indexed { () throws(SegmentError) in
        try search.explain(row: UInt32(clamping: passage.id.rawValue))
      }
      hits[place].highlights = Highlighter.ranges(
        of: forms, in: passage.passage.text, language: document.language, stems: &stems)
    }
    return hits
  }
}

/// Marks the words of a text that a search found.
enum Highlighter {
  static func ranges(
    of forms: Set<String>, in text: String, language: Language, stems: inout StemCache
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    Words.forEach(in: text) { word in
      guard forms.contains(TextAnalyzer.term(for: word, in: language, stems: &stems)) else { return }
      ranges.append(word.range)
    }
    ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var apart: [Range<Int>] = []
    for range in ranges {
      if let last = apart.last, range.lowerBound < last.upperBound {
        apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        apart.append(range)
      }
    }
    return apart
  }
}
