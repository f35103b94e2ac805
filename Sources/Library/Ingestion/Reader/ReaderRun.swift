import CPlatform
import Glibc

/// One child's run on a file: its answer is collected until the process has ended.
struct ReaderRun {
  /// End of a run.
  enum End: Equatable {
    /// The process ended; the status is as `wait` reports it.
    case ended(status: CInt, processorMicroseconds: Int64)
    case stopped
    case late
    /// The answer exceeded its limit.
    case tooLong
    /// The fork server is gone.
    case lost
  }

  /// Bytes of the answer.
  private(set) var answer: [UInt8] = []
  /// Indicates whether its standard error reports a failed allocation.
  var ranOutOfMemory: Bool { errors.foundFailure }

  private let control: CInt
  private let stop: CInt
  private let mostBytes: Int
  private var channel: CInt?
  private var errorChannel: CInt?
  private var errors = AllocationFailureScanner()
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  /// Time within which a killed child must be gone, in milliseconds.
  private static let grace = 5_000

  /// Describes a run; the caller keeps and closes the descriptors.
  init(control: CInt, channel: CInt, errors: CInt, stop: CInt, mostBytes: Int) {
    (self.control, self.stop, self.mostBytes) = (control, stop, mostBytes)
    (self.channel, self.errorChannel) = (channel, errors)
  }

  /// Waits for the end of the child, and kills it where it is late, stopped or answers too much.
  mutating func wait(milliseconds: Int) -> End {
    var verdict: End?
    var ended: End?
    var isKilled = false
    var deadline = Self.now() + milliseconds
    while ended == nil || channel != nil || errorChannel != nil {
      var events = [channel, errorChannel, ended == nil ? control : nil, verdict == nil ? stop : nil].map {
        pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0)
      }
      let ready = poll(&events, nfds_t(events.count), CInt(clamping: max(deadline - Self.now(), 0)))
      if ready < 0, errno != EINTR { return .lost }
      if ready == 0 {
        if verdict != nil { return .lost }
        verdict = .late
      }
      if ready > 0 {
        if events[0].revents != 0, !takeAnswer() { verdict = verdict ?? .tooLong }
        if events[1].revents != 0 { takeErrors() }
        if events[2].revents != 0 {
          var end = cp_fork_server_end()
          guard cp_fork_server_wait(control, &end) == 0 else { return .lost }
          ended = .ended(status: end.status, processorMicroseconds: end.processor_microseconds)
        }
        if events[3].revents != 0 { verdict = verdict ?? .stopped }
      }
      if verdict != nil, ended == nil, !isKilled {
        guard cp_fork_server_kill(control) == 0 else { return .lost }
        isKilled = true
        deadline = Self.now() + Self.grace
      }
    }
    return verdict ?? ended ?? .lost
  }

  /// Reads available bytes of the answer; false where the answer exceeds its limit.
  private mutating func takeAnswer() -> Bool {
    guard let descriptor = channel else { return true }
    let count = read(descriptor, &piece, piece.count)
    if count <= 0 {
      if count == 0 || errno != EINTR { channel = nil }
      return true
    }
    guard answer.count + count <= mostBytes else {
      answer = []
      return false
    }
    answer.append(contentsOf: piece[..<count])
    return true
  }

  private mutating func takeErrors() {
    guard let descriptor = errorChannel else { return }
    let count = read(descriptor, &piece, piece.count)
    if count > 0 {
      errors.scan(piece[..<count])
    } else if count == 0 || errno != EINTR {
      errorChannel = nil
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

/// Scans standard error for failed allocations, after which poppler goes on as if nothing had happened.
struct AllocationFailureScanner {
  private(set) var foundFailure = false
  private var tail: [UInt8] = []

  private static let signs = [
    "out of memory", "bad_alloc", "failed to allocate", "could not allocate", "cannot allocate memory",
    "memory exhausted",
  ].map { Array($0.utf8) }
  private static let longestSign = 32

  mutating func scan(_ bytes: ArraySlice<UInt8>) {
    if foundFailure { return }
    let text = tail + bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    foundFailure = Self.signs.contains { text.contains($0) }
    tail = Array(text.suffix(Self.longestSign))
  }
}
