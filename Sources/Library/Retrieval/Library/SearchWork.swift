import Documents
import Linguistics

/// State and measurements of one search.
struct SearchWork {
  let search: KeywordSearch
  let ranking: RankingSettings
  let limit: Int
  var passages: [UInt32: StoredPassage] = [:]
  var documents: [DocumentID: LibraryDocument] = [:]
  /// Window of the passage nearest to the query, by row.
  var windows: [UInt32: Range<Int>] = [:]
  /// Cosine of the nearest passage.
  var bestCosine: Double?
  private var near: [PassageID: Double] = [:]
  private let measure: Nearness
  private let forms: Set<String>
  private var stems = StemCache()

  init(_ search: KeywordSearch, ranking: RankingSettings, limit: Int) {
    self.search = search
    self.ranking = ranking
    self.limit = max(limit, 0)
    measure = search.nearness
    forms = search.allForms
  }

  /// Number of passages of each half that are fused.
  var depth: Int { max(readDepth, ranking.fusion.depth, ranking.nearnessDepth) }

  /// Number of passages that are read: more than are shown where neighbours may merge or repetitions be dropped.
  var readDepth: Int {
    ranking.joinsNeighbours || ranking.diversity != DiversitySettings() ? limit + min(limit, 100) : limit
  }

  /// Returns the contribution of term proximity to a passage's keyword score.
  mutating func nearness(of passage: StoredPassage, in document: LibraryDocument) -> Double {
    let value = measure.score(of: passage.passage.text, in: document.language, stems: &stems)
    near[passage.id] = value
    return value
  }

  /// Largest number of passages compared with each other; those behind keep their order.
  private static let mostCompared = 100

  /// Returns the order in which rows are shown, as places among them.
  mutating func order(of rows: [FusedRow], passages: [StoredPassage]) -> [Int] {
    var order = Array(rows.indices)
    let diversity = ranking.diversity
    if diversity.relevanceWeight < 1 {
      var words: [Set<String>] = []
      for passage in passages.prefix(Self.mostCompared) { words.append(self.words(of: passage)) }
      order.removeFirst(words.count)
      order =
        Diversity.marginalOrder(
          rows.prefix(words.count).map(\.score), limit: words.count, relevanceWeight: diversity.relevanceWeight
        ) { Diversity.likeness(words[$0], words[$1]) } + order
    }
    if diversity.spreadsOverDocuments {
      order = Diversity.spread(order.map { passages[$0].document }).map { order[$0] }
    }
    return order
  }

  /// Returns the distinct terms of a passage without stop words.
  private mutating func words(of passage: StoredPassage) -> Set<String> {
    var words: Set<String> = []
    let language = documents[passage.document]?.language ?? .other
    Words.forEach(in: passage.passage.text) { word in
      guard !StopWords.contains(word.text, in: language) else { return }
      words.insert(TextAnalyzer.term(for: word, in: language, stems: &stems))
    }
    return words
  }

  /// Makes a hit with everything that explains it.
  /// - Parameter offset: place where the row's own text begins in the passage's.
  mutating func hit(
    _ row: FusedRow, passage: StoredPassage, of document: LibraryDocument, rank: Int, parts: [PassageID],
    offset: Int, terms: [TermExplanation]
  ) -> SearchHit {
    SearchHit(
      rank: rank, passage: passage, parts: parts, document: document, score: row.score, keyword: row.keyword,
      vector: row.vector, window: windows[row.row].map { $0.lowerBound + offset..<$0.upperBound + offset },
      explanation: terms, nearness: near[passage.id] ?? 0,
      highlights: Highlighter.ranges(
        of: forms, in: passage.passage.text, language: document.language, stems: &stems))
  }
}

/// Finds the words of a text that match a search.
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
