import CPlatform
import Glibc
import Synchronization

/// A fixed set of threads that computes the parts of one job together with the calling thread.
///
/// Each thread begins with a share of its own, part after part, so that it reads memory in one stream; a thread that
/// has finished its share steals parts of the others. A thread preempted by another process thus delays only the part
/// it holds, and a worker that has not woken yet is not waited for. Any thread may compute any part: a part's result
/// must not depend on it. Workers spin briefly for the next job and then sleep, so an idle pool uses no CPU.
///
/// A worker preempted within a part of ``IdempotentWork`` is not waited for: the calling thread computes the part too,
/// and the worker's result is dropped. Within a part of any other job the worker stalls the others for a whole time
/// slice of the scheduler; it then stays out of later jobs for a while, with exponential backoff.
package final class WorkerPool: Sendable {
  /// Number of threads that work on a job, the calling one included.
  package let threadCount: Int

  private let state: State
  private let threads: [pthread_t]

  /// Starts `threadCount - 1` threads; by default one for each usable physical core.
  package init(threadCount: Int = ProcessorCount.usable) {
    precondition(threadCount >= 1, "a pool has at least one thread")
    let slots = (0..<threadCount - 1).map { WorkerSlot($0) }
    let state = State(slots)
    var threads: [pthread_t] = []
    for slot in slots {
      var thread = pthread_t()
      let argument = Unmanaged.passRetained(Worker(state: state, slot: slot))
      let status = pthread_create(&thread, nil, workerMain, argument.toOpaque())
      guard status == 0 else {
        // Fewer threads compute the same results; a thread that cannot be started costs only speed.
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
  package func run(_ count: Int, idempotent work: any IdempotentWork) {
    guard count > 1, threadCount > 1, state.acquire() else {
      work.withScratch { scratch in
        for part in 0..<max(0, count) {
          work.compute(part, into: scratch)
          work.deliver(part, from: scratch)
        }
      }
      return
    }
    state.perform(count, .idempotent(work))
    state.isTaken.store(false, ordering: .releasing)
  }

  /// Returns the part with which a thread begins a job of `count` parts.
  /// - Parameter thread: below ``threadCount``; the calling thread is the last.
  package func firstPart(of thread: Int, _ count: Int) -> Int {
    PoolShares.start(of: thread, sharedBy: threadCount, count)
  }

  /// Calls `body` with consecutive ranges of at most `grain` elements that together cover `0..<count`.
  package func run(_ count: Int, grain: Int, _ body: (_ range: Range<Int>) -> Void) {
    precondition(grain > 0, "a grain has at least one element")
    run((count + grain - 1) / grain) { part in body(part * grain..<min(count, (part + 1) * grain)) }
  }
}

/// State shared by the calling thread and the workers.
private final class State: @unchecked Sendable {
  /// Number of jobs so far, on which workers sleep; it wraps harmlessly.
  let generation = FutexWord()
  /// Number of workers inside the current job; `closed` is added when no more may enter.
  let inside = Atomic<Int>(State.closed)
  let isTaken = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let sleeperCount = Atomic<Int>(0)
  /// Advanced by the last worker to leave a closed job, to wake the calling thread.
  let departures = FutexWord()

  /// Counter on which workers sleep while they back off.
  let backingOff = FutexWord()
  let slots: [WorkerSlot]
  /// Next part of each thread's share; the calling thread's share is the last.
  private let shares: PoolShares

  // Written by the calling thread before it opens a job, read by workers that entered it.
  var partCount = 0
  var work: Work?
  /// Prefetcher of the calling thread.
  private var prefetcher = Prefetcher()

  init(_ slots: [WorkerSlot]) {
    self.slots = slots
    shares = PoolShares(slots.count + 1)
  }

  static let closed = 1 << 32
  /// Number of pauses before a thread sleeps: about 50 microseconds, longer than the gap between two products of a
  /// token.
  static let spinLimit = 4000
  /// Assumed duration of a part, in nanoseconds, where the calling thread computed none.
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
    let taken = takeParts(nil, &prefetcher) ?? 0
    let entered = inside.wrappingAdd(State.closed, ordering: .acquiringAndReleasing).newValue
    if entered != State.closed {
      let length = State.now() - started
      let usualPart = taken > 0 ? length / UInt64(taken) : State.unknownPart
      // No processor's tick counter is faster than the limit; where one jumps, fewer or more parts are taken over.
      let ticks = min(100, Double(cp_ticks() &- startTicks) / Double(max(1, length)))
      waitForDepartures(usualPart: usualPart, ticksPerNanosecond: ticks)
    }
    self.work = nil
  }

  /// Waits until every worker has left the job.
  /// - Parameter usualPart: duration of a part on this thread, in nanoseconds.
  private func waitForDepartures(usualPart: UInt64, ticksPerNanosecond: Double) {
    var spins = 0
    // A copy: Swift checks exclusive access to stored properties of an object every time.
    var prefetcher = prefetcher
    defer { self.prefetcher = prefetcher }
    let started = State.now()
    // Longer than a part, so that few are computed twice; the second far longer, so that only a preempted thread takes
    // it.
    let patience = Int64(Double(10_000 + 2 * usualPart) * ticksPerNanosecond)
    let longPatience = 100_000 + 4 * usualPart
    var late: [WorkerSlot] = []
    while true {
      let seen = departures.value
      if inside.load(ordering: .acquiring) == State.closed { break }
      if late.isEmpty, spins % 64 == 0 || spins >= State.spinLimit {
        let now = State.now()
        if case .idempotent(let work) = work { takeOver(work, heldFor: patience) }
        if now - started > longPatience { late = slots.filter(\.isInside) }
      }
      spins += 1
      if spins < State.spinLimit {
        prefetcher.spin()
      } else {
        departures.sleep(while: seen, nanoseconds: late.isEmpty ? Int64(longPatience) : -1)
      }
    }
    guard !late.isEmpty else { return }
    let now = State.now()
    for slot in late { slot.backOff(after: now - started, now: now) }
  }

  /// Computes the parts that workers have held for more than `ticks`; those workers no longer count as inside.
  private func takeOver(_ work: any IdempotentWork, heldFor ticks: Int64) {
    for slot in slots {
      guard let part = slot.takeOver(heldFor: ticks) else { continue }
      work.withScratch { scratch in
        work.compute(part, into: scratch)
        work.deliver(part, from: scratch)
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

  func serve(_ slot: WorkerSlot) {
    var served: UInt32 = 0
    var prefetcher = Prefetcher()
    while !isStopping.load(ordering: .acquiring) {
      if backOffIfAsked(slot) { continue }
      var spins = 0
      while generation.value == served, spins < State.spinLimit {
        prefetcher.spin()
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
        slot.enterJob()
        // A worker whose part was taken over has left already.
        if takeParts(slot, &prefetcher) != nil {
          slot.leaveJob()
          leave()
        }
      }
    }
  }

  /// Sleeps while a worker is backing off.
  /// - Returns: false where it is not.
  private func backOffIfAsked(_ slot: WorkerSlot) -> Bool {
    let end = slot.backsOffUntil.load(ordering: .acquiring)
    guard end > 0 else { return false }
    let seen = backingOff.value
    let now = State.now()
    guard end > now, !isStopping.load(ordering: .sequentiallyConsistent) else {
      // A backoff set meanwhile is kept.
      _ = slot.backsOffUntil.compareExchange(expected: end, desired: 0, ordering: .acquiringAndReleasing)
      return false
    }
    backingOff.sleep(while: seen, nanoseconds: Int64(end - now))
    return true
  }

  /// Computes parts of the current job until all are taken. Not inlined: a closure must be released before ``leave()``
  /// lets the calling thread return.
  /// - Parameters:
  ///   - slot: slot of the worker; nil for the calling thread.
  ///   - prefetcher: set to the memory this thread will read next, where the job knows it.
  /// - Returns: number of parts this thread computed; nil where the last one was taken over.
  @inline(never)
  private func takeParts(_ slot: WorkerSlot?, _ prefetcher: inout Prefetcher) -> Int? {
    let own = slot?.index ?? slots.count
    switch work {
    case nil: return 0
    case .once(let body):
      return shares.takeAll(of: partCount, from: own) { part in
        body(part)
        return true
      }
    case .idempotent(let work):
      let taken = work.withScratch { scratch in
        shares.takeAll(of: partCount, from: own) { part in
          slot?.hold(part)
          work.compute(part, into: scratch)
          if let slot, !slot.release(part) { return false }
          work.deliver(part, from: scratch)
          return true
        }
      }
      if taken != nil { prefetcher = Prefetcher(work.prefetchRange(forThread: own)) }
      return taken
    }
  }

  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for word in [generation, backingOff] {
      word.advance()
      word.wake(.max)
    }
  }
}

/// Argument of a worker's thread.
private final class Worker {
  let state: State
  let slot: WorkerSlot

  init(state: State, slot: WorkerSlot) {
    self.state = state
    self.slot = slot
  }
}

private func workerMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  cp_set_thread_name("alcove-worker")
  // Else a woken worker whose core is busy would now and then preempt the calling thread.
  cp_set_batch_scheduling()
  let worker = Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue()
  worker.state.serve(worker.slot)
  return nil
}
