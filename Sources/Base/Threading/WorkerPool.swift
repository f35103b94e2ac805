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
/// A worker that loses its core in the midst of a part of ``RepeatableWork`` is not waited for: the asking thread computes
/// the part too, and the worker's result is dropped. In the midst of any other part it makes the others wait for the
/// system's whole time slice; it then stays away for a while, longer each time.
package final class WorkerPool: Sendable {
  /// Threads that work on a job, the asking one included.
  package let threadCount: Int

  private let state: State
  private let threads: [pthread_t]

  /// Starts `threadCount - 1` threads; by default one for each usable physical core.
  package init(threadCount: Int = ProcessorCount.usable) {
    precondition(threadCount >= 1, "a pool has at least one thread")
    let seats = (0..<threadCount - 1).map { PoolSeat($0) }
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
  package func run(_ count: Int, _ body: (_ part: Int) -> Void) {
    guard count > 1, threadCount > 1, state.acquire() else {
      for part in 0..<max(0, count) { body(part) }
      return
    }
    withoutActuallyEscaping(body) { state.perform(count, .once($0)) }
    state.isTaken.store(false, ordering: .releasing)
  }

  /// Computes and delivers the parts in `0..<count`, on all threads, and returns when all are delivered.
  ///
  /// A call from inside a part, or while another thread's job runs, computes all parts on the calling thread.
  package func run(_ count: Int, repeatable work: any RepeatableWork) {
    guard count > 1, threadCount > 1, state.acquire() else {
      work.withRoom { room in
        for part in 0..<max(0, count) {
          work.compute(part, into: room)
          work.deliver(part, from: room)
        }
      }
      return
    }
    state.perform(count, .repeatable(work))
    state.isTaken.store(false, ordering: .releasing)
  }

  /// The part of a job with `count` parts that a thread begins with: `thread` is below ``threadCount``, the asking one the last.
  package func firstPart(of thread: Int, _ count: Int) -> Int {
    PoolShares.start(of: thread, sharedBy: threadCount, count)
  }

  /// Calls `body` with consecutive ranges of at most `grain` elements that together cover `0..<count`.
  package func run(_ count: Int, grain: Int, _ body: (_ range: Range<Int>) -> Void) {
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
  let seats: [PoolSeat]
  /// The next part of each thread's share, the asking thread's last.
  private let shares: PoolShares

  // Written by the asking thread before it opens a job, read by workers that entered it.
  var partCount = 0
  var work: Work?
  /// Of the asking thread.
  private var lookahead = Lookahead()

  init(_ seats: [PoolSeat]) {
    self.seats = seats
    shares = PoolShares(seats.count + 1)
  }

  static let closed = 1 << 32
  /// About 50 microseconds of pauses: longer than the gap between two products of a token.
  static let spinLimit = 4000
  /// Nanoseconds that a part is taken to need where the asking thread had none.
  static let unknownPart: UInt64 = 30_000

  func acquire() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }

  func perform(_ count: Int, _ work: Work) {
    partCount = count
    self.work = work
    shares.deal(count)
    inside.store(0, ordering: .releasing)
    generation.advance()
    if sleeperCount.load(ordering: .sequentiallyConsistent) > 0 { generation.wake(.max) }
    let (started, startTicks) = (State.now(), cp_ticks())
    let taken = takeParts(nil, &lookahead) ?? 0
    let entered = inside.wrappingAdd(State.closed, ordering: .acquiringAndReleasing).newValue
    if entered != State.closed {
      let length = State.now() - started
      let usualPart = taken > 0 ? length / UInt64(taken) : State.unknownPart
      // No processor's clock is as fast as the limit; where one jumps, less is taken over or more.
      let ticks = min(100, Double(cp_ticks() &- startTicks) / Double(max(1, length)))
      waitForDepartures(usualPart: usualPart, ticksPerNanosecond: ticks)
    }
    self.work = nil
  }

  /// - Parameter usualPart: nanoseconds that a part took this thread.
  private func waitForDepartures(usualPart: UInt64, ticksPerNanosecond: Double) {
    var spins = 0
    // A copy: access to what an object keeps is checked every time.
    var lookahead = lookahead
    defer { self.lookahead = lookahead }
    let started = State.now()
    // Longer than a part, so that seldom one is computed twice; far longer, so that only a lost core takes so long.
    let patience = Int64(Double(10_000 + 2 * usualPart) * ticksPerNanosecond)
    let longPatience = 100_000 + 4 * usualPart
    var late: [PoolSeat] = []
    while true {
      let seen = departures.value
      if inside.load(ordering: .acquiring) == State.closed { break }
      if late.isEmpty, spins % 64 == 0 || spins >= State.spinLimit {
        let now = State.now()
        if case .repeatable(let work) = work { takeOver(work, heldFor: patience) }
        if now - started > longPatience { late = seats.filter(\.isInside) }
      }
      spins += 1
      if spins < State.spinLimit {
        lookahead.spin()
      } else {
        departures.sleep(while: seen, nanoseconds: late.isEmpty ? Int64(longPatience) : -1)
      }
    }
    guard !late.isEmpty else { return }
    let now = State.now()
    for seat in late { seat.rest(after: now - started, now: now) }
  }

  /// Computes the parts that workers have held for more than some ticks in their stead; they no longer count as inside.
  private func takeOver(_ work: any RepeatableWork, heldFor ticks: Int64) {
    for seat in seats {
      guard let part = seat.takeOver(heldFor: ticks) else { continue }
      work.withRoom { room in
        work.compute(part, into: room)
        work.deliver(part, from: room)
      }
      inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
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

  func serve(_ seat: PoolSeat) {
    var served: UInt32 = 0
    var lookahead = Lookahead()
    while !isStopping.load(ordering: .acquiring) {
      if restIfAsked(seat) { continue }
      var spins = 0
      while generation.value == served, spins < State.spinLimit {
        lookahead.spin()
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
        seat.comeInside()
        // A worker whose part was taken over is outside already.
        if takeParts(seat, &lookahead) != nil {
          seat.goOutside()
          leave()
        }
      }
    }
  }

  /// Sleeps as long as a worker is to stay away; returns false where it need not.
  private func restIfAsked(_ seat: PoolSeat) -> Bool {
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

  /// Computes parts of the current job until all are taken. Not inlined: a closure must be released before ``leave()``
  /// tells the asking thread that it may go.
  /// - Parameters:
  ///   - seat: that of the worker; nil for the asking thread.
  ///   - lookahead: what this thread will read next, where the job knows.
  /// - Returns: how many parts this thread computed; nil where the last one was taken from it.
  @inline(never)
  private func takeParts(_ seat: PoolSeat?, _ lookahead: inout Lookahead) -> Int? {
    let own = seat?.index ?? seats.count
    switch work {
    case nil: return 0
    case .once(let body):
      return shares.takeAll(of: partCount, from: own) { part in
        body(part)
        return true
      }
    case .repeatable(let work):
      let taken = work.withRoom { room in
        shares.takeAll(of: partCount, from: own) { part in
          seat?.hold(part)
          work.compute(part, into: room)
          if let seat, !seat.letGo(of: part) { return false }
          work.deliver(part, from: room)
          return true
        }
      }
      if taken != nil { lookahead = Lookahead(work.readNext(by: own)) }
      return taken
    }
  }

  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for word in [generation, resting] {
      word.advance()
      word.wake(.max)
    }
  }
}

/// What a worker's thread starts with.
private final class Worker {
  let state: State
  let seat: PoolSeat

  init(state: State, seat: PoolSeat) {
    self.state = state
    self.seat = seat
  }
}

private func workerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  cp_set_thread_name("alcove-worker")
  // Or it would now and then push the asking thread off its core, where something else keeps the worker's busy.
  cp_wait_ones_turn()
  let worker = Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue()
  worker.state.serve(worker.seat)
  return nil
}
