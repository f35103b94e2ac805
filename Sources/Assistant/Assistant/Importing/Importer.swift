import Documents
import Foundation
import Ingestion
import Persistence
import Retrieval
import Telemetry
import TextGeneration

/// Outcome of the import of one file.
package struct ImportOutcome: Sendable, Equatable {
  /// The file.
  package var path: String
  /// Result of its import.
  package var result: Result

  /// Results of the import of a file.
  package enum Result: Sendable, Equatable {
    /// Read and indexed.
    case stored(indexedPages: Int, pages: Int, passages: Int, cut: ReadingCut?)
    /// Indexed already, as it is.
    case unchanged
    /// Indexed already, under a path that no longer exists.
    case moved(from: String)
    /// Indexed already, under another path that still exists.
    case copied(of: String)
    /// Not indexed.
    case failed(ReadingFailure)
  }
}

/// Events of an import while it runs.
package enum ImportEvent: Sendable, Equatable {
  /// The files were counted.
  case started(fileCount: Int)
  /// One more file is done: its text is found by its words.
  case finished(ImportOutcome)
  /// A file wants a password, which is asked for once the others are done.
  case locked(path: String)
  /// More passages are found by their meaning too; the progress counts them and those that still wait.
  case embedded(PassageEmbedding.Progress)
  /// The embedder does not work, so passages are found by their words only; a later import tries again.
  case notEmbedded(TextGenerationError)
}

/// Reads files and stores their text, each file on its own: a failure costs only the file that failed.
package struct Importer: Sendable {
  private let library: Library
  private let store: StateStore
  private let pool: ReaderPool
  private let chunker: Chunker
  private let readerCount: Int
  private let embedders: Embedders
  private let embedding: PassageEmbedding

  /// Makes an importer into a workspace's library.
  package init(workspace: Workspace, settings: Settings) {
    library = workspace.library
    store = workspace.store
    embedders = workspace.embedders
    embedding = PassageEmbedding(library: workspace.library)
    readerCount = settings.integer("ingestion.readers")
    pool = ReaderPool(
      program: workspace.installation.reader.path, readerCount: readerCount, limits: settings.readingLimits)
    chunker = Chunker(
      settings: ChunkingSettings(
        wordCount: settings.integer("chunking.words"), overlapWordCount: settings.integer("chunking.overlap")))
  }

  /// Reads files, several at once, stores each as soon as it is read, and embeds the passages stored meanwhile.
  /// - Parameters:
  ///   - password: tried on files that ask for one.
  ///   - askPassword: asked where a file wants a password and none was given, or the one given does not fit, once the
  ///     other files are done, for none of them should wait for an answer; returns nil to give up.
  ///   - tell: called for each event, in order.
  /// - Throws: the library's errors, and `CancellationError`; everything stored by then stays.
  package func add(
    _ paths: [String], password: String? = nil, askPassword: (@Sendable (String) async -> String?)? = nil,
    tell: (ImportEvent) async -> Void
  ) async throws {
    await tell(.started(fileCount: paths.count))
    try await withThrowingTaskGroup(of: Step.self) { group in
      var waiting = paths.makeIterator()
      var locked: [String] = []
      var (isEmbedding, canEmbed, hasNews) = (false, true, false)
      func startNext() {
        guard let path = waiting.next() else { return }
        group.addTask { try await take(path, password: password, askPassword: nil, putsOff: askPassword != nil) }
      }
      /// Starts reading a file that was put off, if there is one.
      func unlockNext() -> Bool {
        guard let askPassword, !locked.isEmpty else { return false }
        let path = locked.removeFirst()
        group.addTask { try await take(path, password: password, askPassword: askPassword, putsOff: false) }
        return true
      }
      // One batch at a time, while files are read: passages of many small files share a batch.
      func embedNext() {
        guard canEmbed else { return }
        hasNews = isEmbedding
        if isEmbedding { return }
        isEmbedding = true
        group.addTask { try await embed() }
      }
      for _ in 0..<readerCount { startNext() }
      embedNext()
      repeat {
        while let step = try await group.next() {
          try Task.checkCancellation()
          switch step {
          case .taken(let outcome):
            await tell(.finished(outcome))
            startNext()
            embedNext()
          case .locked(let path):
            locked.append(path)
            await tell(.locked(path: path))
            startNext()
          case .embedded(let progress):
            isEmbedding = false
            if progress.embedded > 0 { await tell(.embedded(progress)) }
            // Passages stored while it looked may not have been seen.
            if progress.embedded > 0 || hasNews { embedNext() }
          case .notEmbedded(let error):
            (isEmbedding, canEmbed) = (false, false)
            await tell(.notEmbedded(error))
          }
        }
      } while unlockNext()
    }
    try await library.tidyVectors()
    await pool.close()
  }

  /// Results of the tasks of an import.
  private enum Step: Sendable {
    case taken(ImportOutcome)
    /// The file wants a password; someone is asked for it later.
    case locked(String)
    case embedded(PassageEmbedding.Progress)
    case notEmbedded(TextGenerationError)
  }

  /// Embeds some of the passages that are stored. An embedder that fails costs no document.
  private func embed() async throws -> Step {
    do {
      guard let embedder = try await embedders.current() else { return .embedded(.nothing) }
      return .embedded(try await embedding.step(embedder))
    } catch let error as TextGenerationError {
      return .notEmbedded(error)
    }
  }

  private func take(
    _ path: String, password: String?, askPassword: (@Sendable (String) async -> String?)?, putsOff: Bool
  ) async throws -> Step {
    let clock = ContinuousClock()
    let started = clock.now
    let result: ImportOutcome.Result
    // The ledger names the path even where the file's facts cannot be read.
    var facts = FileFacts(path: path, byteCount: 0, modified: Date())
    var hash: String?
    do {
      let (state, found) = try Self.examine(path)
      (facts, hash) = (FileFacts(path, state), found)
      if let known = try await library.recognize(hash: found, file: facts) {
        result = Self.result(of: known)
      } else {
        let document = try await read(path, state, password: password, askPassword: askPassword)
        let passages = chunker.passages(of: document)
        guard !passages.isEmpty else { throw ReadingFailure.emptyText(pageCount: document.pageCount) }
        try await library.store(document, passages: passages, hash: found, file: facts)
        result = .stored(
          indexedPages: document.pages.count, pages: document.pageCount, passages: passages.count,
          cut: document.cut)
      }
    } catch let failure as ReadingFailure where putsOff && failure.wantsPassword {
      return .locked(path)
    } catch let failure as ReadingFailure {
      try await library.recordFailure(failure, hash: hash, file: facts)
      result = .failed(failure)
    }
    try await store.record(Self.event(result, total: clock.now - started))
    return .taken(ImportOutcome(path: path, result: result))
  }

  private static func examine(_ path: String) throws(ReadingFailure) -> (FileState, hash: String) {
    let file = try OpenedFile(path: path)
    return (file.state, try ContentHash.of(file))
  }

  /// Reads a file, asking for its password as often as someone gives one.
  private func read(
    _ path: String, _ state: FileState, password: String?, askPassword: (@Sendable (String) async -> String?)?
  ) async throws -> ExtractedDocument {
    var password = password
    while true {
      do {
        return try await pool.read(path, expecting: state, password: password)
      } catch let failure as ReadingFailure where failure.wantsPassword {
        guard let typed = await askPassword?(path) else { throw failure }
        password = typed
      }
    }
  }

  private static func result(of known: Recognition) -> ImportOutcome.Result {
    switch known {
    case .unchanged: .unchanged
    case .moved(_, let from): .moved(from: from)
    case .copied(_, let of): .copied(of: of)
    }
  }

  private static func event(_ result: ImportOutcome.Result, total: Duration) -> TelemetryEvent {
    switch result {
    case .stored(let pages, _, let passages, _):
      return .ingested(outcome: .ok, pages: pages, passages: passages, total: total)
    case .failed(let failure):
      let outcome: TelemetryEvent.IngestionOutcome =
        failure == .wrongPassword ? .encrypted : .init(rawValue: failure.name) ?? .damaged
      return .ingested(outcome: outcome, pages: 0, passages: 0, total: total)
    default: return .ingested(outcome: .unchanged, pages: 0, passages: 0, total: total)
    }
  }
}

extension ReadingFailure {
  fileprivate var wantsPassword: Bool { self == .encrypted || self == .wrongPassword }
}

extension FileFacts {
  fileprivate init(_ path: String, _ state: FileState) {
    self.init(
      path: path, byteCount: state.byteCount,
      modified: Date(timeIntervalSince1970: Double(state.modified) / 1_000_000_000))
  }
}

extension Settings {
  /// Limits on reading one file.
  package var readingLimits: ReadingLimits {
    var limits = ReadingLimits()
    limits.fileByteCount = integer("limits.file-bytes")
    limits.pageCount = integer("limits.pages")
    limits.characterCount = integer("limits.characters")
    limits.addressSpaceByteCount = integer("limits.memory-bytes")
    limits.processorSeconds = integer("limits.cpu-seconds")
    limits.wallSeconds = integer("limits.wall-seconds")
    return limits
  }
}
