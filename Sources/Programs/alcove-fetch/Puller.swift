import Foundation
import ModelStore

/// Fetches one file: its header first, then the rest in ranges, several at once; checks it and gives it its name.
struct Puller: Sendable {
  let store: ModelStore
  let record: DownloadRecord
  let options: Options
  let memory: MachineMemory
  let events: EventWriter

  /// Blocks of one request.
  static let blocksOfOneRequest = 16
  /// Number of times that the content may become another one before the download gives up.
  private static let restartLimit = 3

  /// End of the download.
  enum Ending: Sendable, Equatable {
    case completed(path: String)
    case stopped(PullState.Stop)
    case doesNotFit(DownloadReason)
  }

  /// Fetches it, and tells and records how it ended.
  func run() async -> Ending {
    guard let url = URL(string: record.url) else {
      return await tell(.stopped(.failed(.badAddress)))
    }
    if let path = await finishedBefore() { return await tell(.completed(path: path)) }
    let path = store.partial(record.id).path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      return await tell(.stopped(.paused(.disk(errno))))
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      events.write(error: .busy, of: record, status: .running)
      return .stopped(.paused(.busy))
    }
    for _ in 0...Self.restartLimit {
      let state = PullState(descriptor: descriptor)
      let attempt = Attempt(puller: self, url: url, state: state)
      let ending = await attempt.run()
      if case .stopped(.changed) = ending {
        unlink(store.blockList(record.id).path)
        ftruncate(descriptor, 0)
        continue
      }
      return await tell(ending)
    }
    return await tell(.stopped(.failed(.server(.keepsChanging))))
  }

  /// Looks for a file that a run before this one finished without being able to say so: it was stopped after the file
  /// had its name.
  /// - Returns: the path of the file, if it is among the models by now; one that is not goes back to be checked.
  private func finishedBefore() async -> String? {
    let target = store.folder.appending(path: record.file).path
    // Records that cannot be read now are read when the download ends.
    let known = (try? await store.models())?.first { $0.name == record.file }
    if let known, known.presence == .present, record.sha256.isEmpty || known.sha256 == record.sha256.lowercased() {
      unlink(store.partial(record.id).path)
      unlink(store.blockList(record.id).path)
      return target
    }
    var facts = stat()
    guard known == nil, access(store.partial(record.id).path, F_OK) != 0, lstat(target, &facts) == 0,
      facts.st_mode & S_IFMT == S_IFREG, let blocks = BlockList(at: store.blockList(record.id).path),
      blocks.representation.total == Int(facts.st_size)
    else { return nil }
    rename(target, store.partial(record.id).path)
    return nil
  }

  private func tell(_ ending: Ending) async -> Ending {
    var event = DownloadEvent(.error)
    (event.id, event.file, event.model) = (record.id, record.file, record.model)
    // The record is told what the user sees; where the disk is too full to record it, the event still says it.
    do {
      switch ending {
      case .completed(let path):
        event.kind = .complete
        (event.status, event.path) = (.completed, path)
        try await store.end(record.id, status: .completed, path: path)
      case .stopped(.paused(let reason)):
        (event.status, event.reason) = (.paused, reason.coded)
        try await store.progress(record.id, bytes: 0, total: 0, status: .paused, reason: reason.coded)
      case .stopped(.failed(let reason)):
        (event.status, event.reason) = (.failed, reason.coded)
        try await store.end(record.id, status: .failed, reason: reason.coded)
      case .stopped(.cancelled), .stopped(.changed):
        event.status = .cancelled
        try await store.discard(record.id)
      case .doesNotFit(let reason):
        (event.status, event.reason, event.isMemoryRefusal) = (.failed, reason.coded, true)
        try await store.end(record.id, status: .failed, reason: reason.coded)
      }
    } catch {
      if event.reason == nil { event.reason = DownloadReason(error).coded }
    }
    if let now = try? await store.download(record.id) { (event.bytes, event.total) = (now.bytes, now.total) }
    events.write(event)
    return ending
  }
}
