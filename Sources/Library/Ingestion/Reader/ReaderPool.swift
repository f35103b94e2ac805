import Documents
import Threading

/// Pool of reader processes: reads several files at once, each in a confined process of its own.
///
/// A file that crashes its reader, hangs it or exhausts its memory fails alone. A reader has no network, writes no
/// file, starts no program, and sees neither the readers of other files nor their text.
package actor ReaderPool {
  private let limits: ReadingLimits
  private var idle: [ReaderConnection]
  private var waiting: [(id: Int, continuation: CheckedContinuation<ReaderConnection?, Never>)] = []
  private var nextID = 0

  /// Makes a pool; readers start when they are first needed.
  /// - Parameters:
  ///   - program: path of `alcove-reader`.
  ///   - readerCount: number of files read at once.
  package init(program: String, readerCount: Int = 2, limits: ReadingLimits = .standard) {
    self.limits = limits
    idle = (0..<max(readerCount, 1)).map { _ in ReaderConnection(program: program) }
  }

  /// Reads one file.
  /// - Parameters:
  ///   - state: state of the file when it was hashed; a file that has changed since is not read.
  ///   - password: tried where the file asks for one.
  /// - Throws: a ``ReadingFailure``, or a `CancellationError` when the task is cancelled, which ends the reader at
  ///   once.
  package func read(
    _ path: String, expecting state: FileState? = nil, password: String? = nil
  ) async throws -> ExtractedDocument {
    guard let connection = await freeConnection() else { throw CancellationError() }
    defer { release(connection) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let request = ReaderRequest(fileName: name, password: password, limits: limits)
    let stop = StopSignal()
    let outcome = await withTaskCancellationHandler {
      await connection.read(path, expecting: state, request: request, stop: stop)
    } onCancel: {
      stop.give()
    }
    switch outcome {
    case .read(let document): return document
    case .failed(let failure): throw failure
    case .stopped: throw CancellationError()
    }
  }

  /// Ends idle readers; a later file starts them again.
  package func close() async {
    for connection in idle { await connection.close() }
  }

  // MARK: Connections

  /// Takes an idle connection, waiting for one if necessary; nil when the task is cancelled first.
  private func freeConnection() async -> ReaderConnection? {
    if let connection = idle.popLast() { return connection }
    nextID += 1
    let id = nextID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume(returning: nil) } else { waiting.append((id, continuation)) }
      }
    } onCancel: {
      Task { await self.forget(id) }
    }
  }

  private func forget(_ id: Int) {
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: place).continuation.resume(returning: nil)
  }

  private func release(_ connection: ReaderConnection) {
    if waiting.isEmpty {
      idle.append(connection)
    } else {
      waiting.removeFirst().continuation.resume(returning: connection)
    }
  }
}
