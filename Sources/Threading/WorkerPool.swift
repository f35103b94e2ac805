import CPlatform
import Glibc
import Synchronization

/// A fixed set of threads that computes the parts of one job together with the thread that asks.
///
/// Each thread begins with a share of its own, part after part, so that it reads memory in one stream; one that is done
/// takes the others' parts. A thread that loses its core to another process thus delays only the part it holds, and a
/// worker that has not woken yet is not waited for. Which thread computes a part is open: a part's result must not
/// depend on it. Workers spin briefly for the next job and then sleep, so an idle pool uses no CPU.
///
/// A worker that loses its core in the midst of a part makes the others wait for the system's whole time slice. It then
/// stays away for a while, longer each time, so that a busy core costs no more than the thread that ran on it.
public final class WorkerPool: Sendable {
  /// Threads that work on a job, the asking one included.
  public let threadCount: Int

  private let state: State
  private let threads: [pthread_t]

  /// Starts `threadCount - 1` threads; by default one for each usable physical core.
  public init(threadCount: Int = ProcessorCount.usable) {
    precondition(threadCount >= 1, "a pool has at least one thread")
    let seats = (0..<threadCount - 1).map { Seat($0) }
    let state = State(seats)
    var threads: [pthread_t] = []
    for seat in seats {
      var thread = pthread_t()
      let argument = Unmanaged.passRetained(Worker(state: state, seat: seat))
      let status = pthread_create(&thread, nil, workerMain, argument.toOpaque())
      guard status == 0 else {
        // Fewer threads compute the same results; the system's refusal costs only speed.
        argument.release()
        break
      }
      threads.append(thread)
    }
    self.state = state
    self.threads = threads
    self.threadCount = threads.count + 1
  }

  deinit {
    state.stop()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Calls `body` once for every part in `0..<count`, on all threads, and returns when every call has returned.
  ///
  /// A call from inside a part, or while another thread's job runs, computes all parts on the calling thread.
  public func run(_ count: Int, _ body: (_ part: Int) -> Void) {
    guard count > 1, threadCount > 1, state.acquire() else {
      for part in 0..<max(0, count) { body(part) }
      return
    }
    withoutActuallyEscaping(body) { state.perform(count, $0) }
    state.isTaken.store(false, ordering: .releasing)
  }

  /// Calls `body` with consecutive ranges of at most `grain` elements that together cover `0..<count`.
  public func run(_ count: Int, grain: Int, _ body: (_ range: Range<Int>) -> Void) {
    precondition(grain > 0, "a grain has at least one element")
    run((count + grain - 1) / grain) { part in body(part * grain..<min(count, (part + 1) * grain)) }
  }
}

/// What the asking thread and the workers share.
private final class State: @unchecked Sendable {
  /// Counts jobs; workers sleep on it. `.max` would be a pool's 4-billionth job and wraps harmlessly.
  let generation = FutexWord()
  /// Workers inside the current job; `closed` is added when no more may enter.
  let inside = Atomic<Int>(State.closed)
  let isTaken = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let sleeperCount = Atomic<Int>(0)
  /// The last worker to leave a closed job wakes the asking thread through this.
  let departures = FutexWord()

  /// Workers that stay away sleep on it.
  let resting = FutexWord()
  let seats: [Seat]
  /// The next part of each thread's share, the asking thread's last.
  private let shares: Shares

  // Written by the asking thread before it opens a job, read by workers that entered it.
  var partCount = 0
  var body: ((Int) -> Void)?

  init(_ seats: [Seat]) {
    self.seats = seats
    shares = Shares(seats.count + 1)
  }

  static let closed = 1 << 32
  /// About 50 microseconds of pauses: longer than the gap between two products of a token.
  static let spinLimit = 4000

  func acquire() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }

  func perform(_ count: Int, _ work: @escaping (Int) -> Void) {
    partCount = count
    body = work
    shares.deal(count)
    inside.store(0, ordering: .releasing)
    generation.advance()
    if sleeperCount.load(ordering: .sequentiallyConsistent) > 0 { generation.wake(.max) }
    let started = State.now()
    let taken = shares.takeAll(of: count, from: seats.count, work)
    let entered = inside.wrappingAdd(State.closed, ordering: .acquiringAndReleasing).newValue
    if entered != State.closed { waitForDepartures(usualPart: (State.now() - started) / UInt64(max(1, taken))) }
    body = nil
  }

  /// - Parameter usualPart: nanoseconds that a part took this thread.
  private func waitForDepartures(usualPart: UInt64) {
    var spins = 0
    let started = State.now()
    // Far longer than a part, so that only a lost core takes so long.
    let patience = 100_000 + 4 * usualPart
    var late: [Seat] = []
    while true {
      let seen = departures.value
      if inside.load(ordering: .acquiring) == State.closed { break }
      spins += 1
      if late.isEmpty, spins % 64 == 0 || spins >= State.spinLimit, State.now() - started > patience {
        late = seats.filter { $0.isInside.load(ordering: .relaxed) }
      }
      if spins < State.spinLimit {
        cp_spin_hint()
      } else {
        departures.sleep(while: seen, nanoseconds: late.isEmpty ? Int64(patience) : -1)
      }
    }
    guard !late.isEmpty else { return }
    let now = State.now()
    for seat in late { seat.rest(after: now - started, now: now) }
  }

  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Enters the current job unless it is closed.
  private func enter() -> Bool {
    var count = inside.load(ordering: .acquiring)
    while count < State.closed {
      let attempt = inside.weakCompareExchange(
        expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
      if attempt.exchanged { return true }
      count = attempt.original
    }
    return false
  }

  private func leave() {
    let left = inside.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    guard left == State.closed else { return }
    departures.advance()
    departures.wake(1)
  }

  func serve(_ seat: Seat) {
    var served: UInt32 = 0
    while !isStopping.load(ordering: .acquiring) {
      if restIfAsked(seat) { continue }
      var spins = 0
      while generation.value == served, spins < State.spinLimit {
        cp_spin_hint()
        spins += 1
      }
      if generation.value == served {
        sleeperCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        if !isStopping.load(ordering: .sequentiallyConsistent) { generation.sleep(while: served) }
        sleeperCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        continue
      }
      served = generation.value
      if enter() {
        seat.isInside.store(true, ordering: .relaxed)
        work(seat)
        seat.isInside.store(false, ordering: .relaxed)
        leave()
      }
    }
  }

  /// Sleeps as long as a worker is to stay away; returns false where it need not.
  private func restIfAsked(_ seat: Seat) -> Bool {
    let end = seat.restsUntil.load(ordering: .acquiring)
    guard end > 0 else { return false }
    let seen = resting.value
    let now = State.now()
    guard end > now, !isStopping.load(ordering: .sequentiallyConsistent) else {
      // A new rest that was given meanwhile is kept.
      _ = seat.restsUntil.compareExchange(expected: end, desired: 0, ordering: .acquiringAndReleasing)
      return false
    }
    resting.sleep(while: seen, nanoseconds: Int64(end - now))
    return true
  }

  /// Not inlined: the closure must be released before ``leave()`` tells the asking thread that it may go.
  @inline(never)
  private func work(_ seat: Seat) {
    if let body { shares.takeAll(of: partCount, from: seat.index, body) }
  }

  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for word in [generation, resting] {
      word.advance()
      word.wake(.max)
    }
  }
}

/// A job's parts, dealt to the threads in runs of neighbours.
private final class Shares: Sendable {
  let count: Int
  /// The next part of each share, in cache lines of their own.
  private nonisolated(unsafe) let next: UnsafeMutablePointer<Atomic<Int>>
  private static let spacing = 128 / MemoryLayout<Atomic<Int>>.stride

  init(_ count: Int) {
    self.count = count
    next = .allocate(capacity: count * Self.spacing)
    for place in 0..<count * Self.spacing { (next + place).initialize(to: Atomic(0)) }
  }

  deinit {
    next.deinitialize(count: count * Self.spacing)
    next.deallocate()
  }

  /// The first part of a share; that of the share after the last is the number of parts.
  private func start(of share: Int, _ parts: Int) -> Int { parts / count * share + min(share, parts % count) }

  func deal(_ parts: Int) {
    for share in 0..<count { next[share * Self.spacing].store(start(of: share, parts), ordering: .relaxed) }
  }

  /// Computes parts until all are taken, those of one share first; returns how many.
  @discardableResult
  func takeAll(of parts: Int, from own: Int, _ work: (Int) -> Void) -> Int {
    var taken = 0
    for step in 0..<count {
      let share = (own + step) % count
      let end = start(of: share + 1, parts)
      while true {
        let part = next[share * Self.spacing].wrappingAdd(1, ordering: .relaxed).oldValue
        guard part < end else { break }
        work(part)
        taken += 1
      }
    }
    return taken
  }
}

/// One worker's place in a pool.
private final class Seat: @unchecked Sendable {
  let index: Int
  let isInside = Atomic<Bool>(false)
  /// When the worker may take part again; 0: now.
  let restsUntil = Atomic<UInt64>(0)

  // Of the asking thread.
  private var lastEnd: UInt64 = 0
  private var lastLength: UInt64 = 0

  init(_ index: Int) { self.index = index }

  /// Longer than this a freed core is not left unused.
  static let longestRest: UInt64 = 800_000_000

  /// Keeps the worker away for some times as long as it was waited for, and four times as long as the last time where it has
  /// not been back for longer than it was away.
  func rest(after stall: UInt64, now: UInt64) {
    let isRelapse = lastLength > 0 && now < lastEnd + lastLength
    lastLength = min(Self.longestRest, max(8 * stall, isRelapse ? 4 * lastLength : 0))
    lastEnd = now + lastLength
    restsUntil.store(lastEnd, ordering: .releasing)
  }
}

/// What a worker's thread starts with.
private final class Worker {
  let state: State
  let seat: Seat

  init(state: State, seat: Seat) {
    self.state = state
    self.seat = seat
  }
}

/// A 32-bit counter with an address of its own, on which threads sleep and are woken.
private final class FutexWord: Sendable {
  private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  deinit {
    word.deinitialize(count: 1)
    word.deallocate()
  }

  var value: UInt32 { word.pointee.load(ordering: .sequentiallyConsistent) }
  func advance() { word.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent) }
  /// Sleeps until woken, for at most some nanoseconds; negative: as long as it takes.
  func sleep(while value: UInt32, nanoseconds: Int64 = -1) { cp_futex_wait(word, value, nanoseconds) }
  func wake(_ count: Int32) { cp_futex_wake(word, count) }
}

private func workerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  cp_set_thread_name("alcove-worker")
  let worker = Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue()
  worker.state.serve(worker.seat)
  return nil
}
