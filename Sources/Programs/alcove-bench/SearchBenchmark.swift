import Documents
import Foundation
import Retrieval

/// Search over a synthetic library, by words, by made vectors or by both: the time of a question, the time to store a
/// document, and the memory.
let search = Command(
  name: "search",
  parameters: """
    [--passages 100000] [--words 100] [--queries 200] [--mode keyword|vector|hybrid] [--segment-rows 4096] \
    [--folder DIR] [--json]
    """
) {
  options in
  let passageCount = try options.count("passages", default: 100_000)
  let wordCount = try options.count("words", default: 100)
  let queryCount = try options.count("queries", default: 200)
  let modeName = options.text("mode") ?? "keyword"
  guard let mode = SearchMode.Halves(rawValue: modeName) else {
    throw UsageError(message: "there is no mode called \(modeName)")
  }
  let segmentRows = try options.count("segment-rows", default: 4_096)
  try await withFolder(options.text("folder")) { folder in
    let file = folder.appending(path: "library.db")
    let library = try await Library(at: file, segmentSizes: segmentRows...32 * segmentRows)
    if mode != .keyword { try await library.choose(MadeVectors.description) }
    var storingVectors = Duration.zero
    var text = SyntheticText(seed: 1)
    var (inserts, early, late) = (Timings(), Timings(), Timings())
    let perDocument = 20
    // A folder that a run before this one has filled is searched as it is.
    let documentCount = (passageCount + perDocument - 1) / perDocument
    let isFilled = try await library.size().passageCount >= passageCount * 9 / 10
    for document in 0..<(isFilled ? 0 : documentCount) {
      let count = min(perDocument, passageCount - document * perDocument)
      let (content, passages) = text.document(passages: count, words: wordCount)
      let started = ContinuousClock.now
      try await library.store(
        content, passages: passages, hash: "\(document)",
        file: FileFacts(path: "/synthetic/\(document).txt", byteCount: 0, modified: .now))
      let time = (ContinuousClock.now - started) / count
      inserts.add(time)
      // Whether storing slows as the library grows.
      if document < documentCount / 10 { early.add(time) }
      if document >= documentCount * 9 / 10 { late.add(time) }
      if mode != .keyword { storingVectors += try await MadeVectors.fill(library) }
    }
    let settling = ContinuousClock.now
    if mode != .keyword { try await library.tidyVectors() }
    try await library.settle()
    let settled = (ContinuousClock.now - settling) / .milliseconds(1)
    let cold = try await time(&text, count: queryCount, in: library, mode)
    let before = processorMilliseconds()
    let warm = try await time(&text, count: queryCount, in: library, mode)
    let processor = (processorMilliseconds() - before) / Double(queryCount)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let indexSize = try folderSize(folder.appending(path: "library.index"))
    // Each run takes out one more.
    let gone = documentCount - (try await library.size().documentCount)
    let removed = ContinuousClock.now
    try await library.remove(paths: ["/synthetic/\(gone).txt"])
    let removal = (ContinuousClock.now - removed) / .milliseconds(1)
    try await library.settle()
    let clearing = (ContinuousClock.now - removed) / .milliseconds(1)
    try report(
      [
        "mode": mode.rawValue, "passages": passageCount, "words": wordCount, "processor_ms": processor,
        "first_p50_ms": cold.median,
        "first_p99_ms": cold.percentile(0.99),
        "p50_ms": warm.median, "p99_ms": warm.percentile(0.99), "insert_ms": inserts.mean,
        "insert_p99_ms": inserts.percentile(0.99), "insert_early_ms": early.median, "insert_late_ms": late.median,
        "settle_ms": settled, "remove_ms": removal,
        "clear_ms": clearing, "index_bytes_per_passage": indexSize / max(passageCount, 1),
        "bytes_per_passage": size / max(passageCount, 1), "resident_mib": residentMebibytes(),
      ], json: options.isJSON)
    guard mode == .vector else { return }
    let (rate, share) = try MadeVectors.share(of: warm.percentile(0), vectors: passageCount)
    let storing = storingVectors / .milliseconds(1) / Double(passageCount)
    try report(
      ["scan_GBps": rate, "share_of_read_bandwidth": share, "store_vector_ms": storing], json: options.isJSON)
  }
}

/// A folder to keep, or one that is there while the benchmark runs.
private func withFolder(_ path: String?, _ body: (URL) async throws -> Void) async throws {
  if let path { try await body(URL(filePath: path)) } else { try await withTemporaryFolder(body) }
}

private func time(
  _ text: inout SyntheticText, count: Int, in library: Library, _ halves: SearchMode.Halves
) async throws -> Timings {
  var times = Timings()
  for _ in 0..<count {
    let query = SearchQuery(text.question())
    // The embedder's own time is that of `alcove-bench embed`.
    let vector = MadeVectors.query(query.text)
    let started = ContinuousClock.now
    switch halves {
    case .keyword: _ = try await library.search(query, limit: 10)
    case .vector: _ = try await library.vectorHits(query: vector, limit: 100)
    case .hybrid: _ = try await library.search(query, vector: vector, limit: 10)
    }
    times.add(ContinuousClock.now - started)
  }
  return times
}

/// The time that all threads of this process were on a processor.
private func processorMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The bytes of all files in a folder; 0 where it is not there.
private func folderSize(_ folder: URL) throws -> Int {
  guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
  return try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(0) {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: $1).path)
    return $0 + (attributes[.size] as? Int ?? 0)
  }
}

/// Mebibytes of this process that are in memory now.
func residentMebibytes() -> Int {
  // Where /proc is not there, 0 says that it is not known.
  guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4_096 / 1_048_576
}

/// The most memory this process has had so far.
func peakMebibytes() -> Int {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  return usage.ru_maxrss / 1024
}

/// Text whose words are as frequent as Zipf's law says, made from a seed.
struct SyntheticText {
  private var state: UInt64
  private let vocabulary: [String]
  private let cumulative: [Double]
  private static let common = ["the", "of", "and", "to", "in", "a", "is", "that", "for", "it"]

  init(seed: UInt64, vocabularySize: Int = 60_000) {
    state = seed
    let syllables = [
      "ka", "ro", "mi", "ten", "sal", "ver", "do", "lin", "qua", "pos", "ter", "gan", "fe", "bru", "no",
    ]
    vocabulary =
      SyntheticText.common
      + (0..<vocabularySize).map { number in
        var (rest, word) = (number + 15, "")
        while rest > 0 {
          word += syllables[rest % syllables.count]
          rest /= syllables.count
        }
        return word
      }
    var sum = 0.0
    cumulative = vocabulary.indices.map { rank in
      sum += 1 / (Double(rank) + 2.7)
      return sum
    }
  }

  private mutating func random() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }

  private mutating func word() -> String {
    let sought = random() * (cumulative.last ?? 1)
    var (low, high) = (0, cumulative.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] < sought { low = middle + 1 } else { high = middle }
    }
    return vocabulary[low]
  }

  mutating func document(passages count: Int, words: Int) -> (ExtractedDocument, [Passage]) {
    var lines: [DocumentLine] = []
    var passages: [Passage] = []
    for line in 1...max(count, 1) {
      let text = (0..<words).map { _ in word() }.joined(separator: " ")
      lines.append(DocumentLine(text, startsBlock: true))
      let span = TextSpan(
        start: TextPosition(page: 1, line: line, byte: 0),
        end: TextPosition(page: 1, line: line, byte: text.utf8.count))
      passages.append(Passage(text: text, headings: [word()], span: span))
    }
    let title = "\(word()) \(word())"
    let document = ExtractedDocument(
      kind: .text, title: title, author: nil, pageCount: 1, pages: [DocumentPage(number: 1, lines: lines)])
    return (document, passages)
  }

  /// A question of two to eight words, in the frequencies of the text.
  mutating func question() -> String {
    "what is the " + (0..<2 + Int(random() * 7)).map { _ in word() }.joined(separator: " ") + "?"
  }
}
