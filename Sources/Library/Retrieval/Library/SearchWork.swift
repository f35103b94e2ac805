import Documents
import Linguistics

/// What one search has read and measured so far.
struct SearchWork {
  let search: KeywordSearch
  let ranking: RankingSettings
  let limit: Int
  var passages: [UInt32: StoredPassage] = [:]
  var documents: [DocumentID: LibraryDocument] = [:]
  /// By row, the part of the passage whose meaning is nearest.
  var windows: [UInt32: Range<Int>] = [:]
  /// The cosine of the nearest passage.
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

  /// How many passages of each half are joined.
  var depth: Int { max(readDepth, ranking.fusion.depth, ranking.nearnessDepth) }

  /// How many passages are read: more than are shown where neighbours may become one or repetitions give way.
  var readDepth: Int {
    ranking.joinsNeighbours || ranking.diversity != DiversitySettings() ? limit + min(limit, 100) : limit
  }

  /// What words that stand together add to a passage's score by words.
  mutating func nearness(of passage: StoredPassage, in document: LibraryDocument) -> Double {
    let value = measure.score(of: passage.passage.text, in: document.language, stems: &stems)
    near[passage.id] = value
    return value
  }

  /// Passages that are compared with each other; those behind keep their order.
  private static let mostCompared = 100

  /// The order in which rows are shown, as places among them.
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

  /// The different words of a passage, stop words left out.
  private mutating func words(of passage: StoredPassage) -> Set<String> {
    var words: Set<String> = []
    let language = documents[passage.document]?.language ?? .other
    Words.forEach(in: passage.passage.text) { word in
      guard !StopWords.contains(word.text, in: language) else { return }
      words.insert(TextAnalyzer.term(for: word, in: language, stems: &stems))
    }
    return words
  }

  /// A hit with everything that explains it.
  /// - Parameter offset: where the row's own text begins in the passage's.
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
