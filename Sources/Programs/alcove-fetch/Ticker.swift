import Foundation
import ModelStore
import Persistence
import Synchronization

/// Tells and records progress while the connections work, and heeds what the user wants.
struct Ticker: Sendable {
  let attempt: Attempt

  func run() async {
    let (record, state, store) = (attempt.puller.record, attempt.state, attempt.puller.store)
    var ticks = 0
    while !Task.isCancelled {
      // Ended early by cancellation alone, which the condition sees.
      try? await Task.sleep(for: .milliseconds(50))
      if ticks % 5 == 0 { attempt.puller.events.write(Self.event(record, state)) }
      if ticks % 10 == 0 { await note(record, state, store) }
      ticks += 1
    }
  }

  private func note(_ record: DownloadRecord, _ state: PullState, _ store: ModelStore) async {
    let now = state.shared.withLock { ($0.bytes, $0.total, $0.status, $0.reason) }
    if Task.isCancelled { return }
    do {
      try await store.progress(record.id, bytes: now.0, total: now.1, status: now.2, reason: now.3?.coded)
      switch try await store.download(record.id)?.wish {
      case .pause: state.halt(.paused(.paused))
      case .cancel, nil: state.halt(.cancelled)
      case .run: break
      }
    } catch .database(let error) where error.isFull {
      state.halt(.paused(DownloadReason(.database(error))))
    } catch {
      // A record that cannot be written now is written at the next turn.
    }
    if attempt.puller.options.followsInput, InputEnd.isReached {
      state.halt(.paused(.starterEnded))
    }
  }

  static func event(_ record: DownloadRecord, _ state: PullState) -> DownloadEvent {
    var event = DownloadEvent(.progress)
    (event.id, event.file, event.model) = (record.id, record.file, record.model)
    state.shared.withLock { shared in
      (event.bytes, event.total) = (shared.bytes, shared.total)
      (event.status, event.reason) = (shared.status, shared.reason?.coded)
    }
    return event
  }
}

/// Indicates whether the one who started this process has closed its standard input, or is gone.
enum InputEnd {
  static var isReached: Bool {
    var place = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&place, 1, 0) > 0 else { return false }
    if place.revents & Int16(POLLHUP) != 0 { return true }
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 0
  }
}

/// Room on the disk.
enum DiskSpace {
  /// Makes room for a file.
  /// - Returns: the number of bytes that are missing; 0 where there is room.
  static func reserve(_ byteCount: Int, descriptor: Int32) -> Int {
    var facts = statvfs()
    if fstatvfs(descriptor, &facts) == 0 {
      var own = stat()
      let held = fstat(descriptor, &own) == 0 ? Int(own.st_blocks) * 512 : 0
      // Some is left for records and for others.
      let free = Int(facts.f_bavail) * Int(facts.f_frsize) - (1 << 20)
      if byteCount - held > free { return byteCount - held - max(0, free) }
    }
    switch posix_fallocate(descriptor, 0, off_t(byteCount)) {
    case ENOSPC, EFBIG, EDQUOT: return byteCount
    default: return 0
    }
  }
}
