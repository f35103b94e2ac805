import CPlatform
import Glibc

/// One file's stay in a reader: what it says is collected until its process has ended.
struct ReaderRun {
  /// How a stay ended.
  enum End: Equatable {
    /// The process ended; its status is as `wait` reports it.
    case ended(status: CInt, processorMicroseconds: Int64)
    case stopped
    case late
    /// It answered more than it may.
    case tooLong
    /// The nursery is gone.
    case lost
  }

  /// What the reader answered.
  private(set) var answer: [UInt8] = []
  /// Whether its errors tell that memory was refused.
  var ranOutOfMemory: Bool { errors.toldOfMemory }

  private let control: CInt
  private let stop: CInt
  private let mostBytes: Int
  private var channel: CInt?
  private var errorChannel: CInt?
  private var errors = ErrorListener()
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  /// How long a reader that was told to end may take to be gone, in milliseconds.
  private static let grace = 5_000

  /// The descriptors stay the caller's.
  init(control: CInt, channel: CInt, errors: CInt, stop: CInt, mostBytes: Int) {
    (self.control, self.stop, self.mostBytes) = (control, stop, mostBytes)
    (self.channel, self.errorChannel) = (channel, errors)
  }

  /// Waits for the end of the reader, and brings it about where it is late, stopped or says too much.
  mutating func wait(milliseconds: Int) -> End {
    var verdict: End?
    var ended: End?
    var isToldToEnd = false
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
          var end = cp_nursery_end()
          guard cp_nursery_wait(control, &end) == 0 else { return .lost }
          ended = .ended(status: end.status, processorMicroseconds: end.processor_microseconds)
        }
        if events[3].revents != 0 { verdict = verdict ?? .stopped }
      }
      if verdict != nil, ended == nil, !isToldToEnd {
        guard cp_nursery_kill(control) == 0 else { return .lost }
        isToldToEnd = true
        deadline = Self.now() + Self.grace
      }
    }
    return verdict ?? ended ?? .lost
  }

  /// Takes what is there of the answer; false where it is too much.
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
      errors.hear(piece[..<count])
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

/// Listens to what libraries print when memory is refused: poppler goes on afterwards as if nothing had happened.
struct ErrorListener {
  private(set) var toldOfMemory = false
  private var tail: [UInt8] = []

  private static let signs = [
    "out of memory", "bad_alloc", "failed to allocate", "could not allocate", "cannot allocate memory",
    "memory exhausted",
  ].map { Array($0.utf8) }
  private static let longestSign = 32

  mutating func hear(_ bytes: ArraySlice<UInt8>) {
    if toldOfMemory { return }
    let heard = tail + bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    toldOfMemory = Self.signs.contains { heard.contains($0) }
    tail = Array(heard.suffix(Self.longestSign))
  }
}
