import Documents

/// Reads files in processes of their own, several at once.
///
/// A file that crashes, hangs or explodes its reader costs only itself. A reader has no network, writes nothing, starts
/// nothing, and sees neither other files' readers nor their text.
package actor ReaderPool {
  private let limits: ReadingLimits
  private var idle: [ReaderLane]
  private var waiting: [(id: Int, continuation: CheckedContinuation<ReaderLane?, Never>)] = []
  private var nextID = 0

  /// Makes a pool; readers start when they are first needed.
  /// - Parameters:
  ///   - program: the path of `alcove-reader`.
  ///   - readerCount: how many files are read at once.
  package init(program: String, readerCount: Int = 2, limits: ReadingLimits = .standard) {
    self.limits = limits
    idle = (0..<max(readerCount, 1)).map { _ in ReaderLane(program: program) }
  }

  /// Reads one file.
  /// - Parameters:
  ///   - state: what the file was when it was hashed; if it has changed since, it is not read.
  ///   - password: tried where the file asks for one.
  /// - Throws: a ``ReadingFailure``, or a `CancellationError` when the task is cancelled, which ends the reader at once.
  package func read(
    _ path: String, expecting state: FileState? = nil, password: String? = nil
  ) async throws -> ExtractedDocument {
    guard let lane = await freeLane() else { throw CancellationError() }
    defer { release(lane) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let request = ReaderRequest(fileName: name, password: password, limits: limits)
    let stop = StopSignal()
    let outcome = await withTaskCancellationHandler {
      await lane.read(path, expecting: state, request: request, stop: stop)
    } onCancel: {
      stop.give()
    }
    switch outcome {
    case .read(let document): return document
    case .failed(let failure): throw failure
    case .stopped: throw CancellationError()
    }
  }

  /// Ends the readers that wait for work; a later file starts them again.
  package func close() async {
    for lane in idle { await lane.close() }
  }

  // MARK: Lanes

  /// A lane of one's own, or nil when the task is cancelled first.
  private func freeLane() async -> ReaderLane? {
    if let lane = idle.popLast() { return lane }
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

  private func release(_ lane: ReaderLane) {
    if waiting.isEmpty { idle.append(lane) } else { waiting.removeFirst().continuation.resume(returning: lane) }
  }
}
