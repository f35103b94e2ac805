import Assistant
import Documents
import Foundation
import Ingestion
import Retrieval

/// Times from files to answers, pages and passages a second, and for PDFs the time compared with `pdftotext` where it
/// is installed. `--embedder off` leaves the vectors out.
let ingest = Command(
  name: "ingest", parameters: "PATH… [--readers 1] [--rounds 3] [--embedder FILE|off] [--json]"
) { options in
  guard !options.plain.isEmpty else { throw UsageError(message: "which files?") }
  let readerCount = try options.count("readers", default: 1)
  let rounds = try options.count("rounds", default: 3)
  let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "alcove-reader").path
  let pool = ReaderPool(program: program, readerCount: readerCount)
  var files = FileWalk(options.plain).files

  // The first round warms the files and shows which can be read.
  var tally = IngestTally()
  await tally.read(&files, with: pool, readerCount)
  let reading = try await fastest(of: rounds) { await tally.read(&files, with: pool, readerCount) }
  let chunker = Chunker()
  let documents = tally.documents
  var passageCount = 0
  let cutting = try await fastest(of: rounds) {
    passageCount = documents.reduce(0) { $0 + chunker.passages(of: $1).count }
  }
  let pageCount = documents.reduce(0) { $0 + $1.pages.count }
  var result: KeyValuePairs<String, any Sendable> = [
    "files": files.count, "failures": tally.failures, "pages": pageCount, "read_s": reading,
    "pages_per_s": Double(pageCount) / reading, "passages": passageCount, "cut_s": cutting,
  ]
  try report(result, json: options.isJSON)

  let indexing = try await Indexing(documents, chunker, embedder: options.text("embedder"))
  let total = reading + cutting + indexing.storing + indexing.embedding + indexing.storingVectors
  let shares: [Double] = [reading, cutting, indexing.storing, indexing.embedding, indexing.storingVectors]
  result = [
    "store_s": indexing.storing, "embed_s": indexing.embedding, "store_vectors_s": indexing.storingVectors,
    "total_s": total, "pages_per_s_to_the_end": Double(pageCount) / total,
    "passages_per_s_to_the_end": Double(passageCount) / total,
    "embedded_passages_per_s": indexing.embedding > 0 ? Double(passageCount) / indexing.embedding : 0,
    "share_read_cut_store_embed_vectors": shares.map { "\(Int(($0 / total * 100).rounded()))" }.joined(
      separator: "/"),
  ]
  try report(result, json: options.isJSON)

  var pdfs = files.filter { $0.lowercased().hasSuffix(".pdf") }
  guard !pdfs.isEmpty, let peer = peerProgram() else { return }
  let ours = try await fastest(of: rounds) { await tally.read(&pdfs, with: pool, 1) }
  let theirs = try await fastest(of: rounds) {
    for file in pdfs { try run(peer, [file, "/dev/null"]) }
  }
  result = ["pdfs": pdfs.count, "read_s": ours, "pdftotext_s": theirs, "ratio": ours / theirs]
  try report(result, json: options.isJSON)
}

/// Seconds to store documents, and to give their passages vectors.
private struct Indexing {
  var storing = 0.0
  var embedding = 0.0
  var storingVectors = 0.0

  init(_ documents: [ExtractedDocument], _ chunker: Chunker, embedder name: String?) async throws {
    let path = try name ?? Installation().embedder.path
    let embedder = path == "off" ? nil : try LoadedEmbedder(path: path)
    let (storing, steps) = try await withTemporaryFolder { folder in
      let library = try await Library(at: folder.appending(path: "library.db"))
      let pieces = documents.map { ($0, chunker.passages(of: $0)) }
      let started = ContinuousClock.now
      for (number, (document, passages)) in pieces.enumerated() {
        try await library.store(
          document, passages: passages, hash: "\(number)",
          file: FileFacts(path: "/bench/\(number)", byteCount: 0, modified: .now))
      }
      let storing = (ContinuousClock.now - started) / .seconds(1)
      var steps: [PassageEmbedding.Progress] = []
      if let embedder { try await PassageEmbedding(library: library).run(embedder) { steps.append($0) } }
      return (storing, steps)
    }
    self.storing = storing
    embedding = steps.reduce(0) { $0 + $1.embedding / .seconds(1) }
    storingVectors = steps.reduce(0) { $0 + $1.storing / .seconds(1) }
  }
}

/// Outcomes of reading some files.
private struct IngestTally {
  var documents: [ExtractedDocument] = []
  var failures = 0

  /// Reads files, `readerCount` at once, and drops from the list what cannot be read.
  mutating func read(_ files: inout [String], with pool: ReaderPool, _ readerCount: Int) async {
    documents = []
    var readable: Set<String> = []
    await withTaskGroup(of: (String, ExtractedDocument?).self) { group in
      var waiting = files.makeIterator()
      func startNext() {
        guard let file = waiting.next() else { return }
        // Why a file cannot be read is not this benchmark's question.
        group.addTask { (file, try? await pool.read(file)) }
      }
      for _ in 0..<readerCount { startNext() }
      for await (file, document) in group {
        startNext()
        guard let document else { continue }
        readable.insert(file)
        documents.append(document)
      }
    }
    failures += files.count - readable.count
    files.removeAll { !readable.contains($0) }
  }
}

/// The shortest time of several runs, in seconds.
private func fastest(of rounds: Int, _ body: () async throws -> Void) async throws -> Double {
  var best = Double.infinity
  for _ in 0..<rounds {
    let started = ContinuousClock.now
    try await body()
    best = min(best, (ContinuousClock.now - started) / .seconds(1))
  }
  return best
}

/// Finds `pdftotext` on the path, if it is there.
private func peerProgram() -> URL? {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "pdftotext") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

private func run(_ program: URL, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
}
