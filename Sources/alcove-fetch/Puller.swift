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
  /// How often the content may become another one before we give up.
  private static let restartLimit = 3

  /// How it ended.
  enum Ending: Sendable, Equatable {
    case completed(path: String)
    case stopped(PullState.Stop)
    case doesNotFit(reason: String)
  }

  /// Fetches it, and tells and records how it ended.
  func run() async -> Ending {
    guard let url = URL(string: record.url) else {
      return await tell(.stopped(.failed(reason: "the address is none")))
    }
    let path = store.partial(record.id).path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      return await tell(.stopped(.paused(reason: DiskText.of(errno, missing: 4096))))
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      events.write(error: "another process is fetching this file", of: record, status: .running)
      return .stopped(.paused(reason: "another process is fetching this file"))
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
    return await tell(.stopped(.failed(reason: "the file on the server changes again and again")))
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
        (event.status, event.reason) = (.paused, reason)
        try await store.progress(record.id, bytes: 0, total: 0, status: .paused, reason: reason)
      case .stopped(.failed(let reason)):
        (event.status, event.reason) = (.failed, reason)
        try await store.end(record.id, status: .failed, reason: reason)
      case .stopped(.cancelled), .stopped(.changed):
        event.status = .cancelled
        try await store.discard(record.id)
      case .doesNotFit(let reason):
        (event.status, event.reason, event.isMemoryRefusal) = (.failed, reason, true)
        try await store.end(record.id, status: .failed, reason: reason)
      }
    } catch {
      if event.reason == nil { event.reason = DiskText.of(error) }
    }
    if let now = try? await store.download(record.id) { (event.bytes, event.total) = (now.bytes, now.total) }
    events.write(event)
    return ending
  }
}
