import Foundation
import Synchronization
import Testing
import Threading

@Suite struct WorkerPoolTests {
  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 7, 1000])
  func everyPartIsComputedOnce(threads: Int, count: Int) {
    let pool = WorkerPool(threadCount: threads)
    let calls = (0..<count).map { _ in Counter() }
    for _ in 0..<20 { pool.run(count) { calls[$0].add() } }
    #expect(calls.allSatisfy { $0.value == 20 })
  }

  @Test(arguments: [(10, 3), (9, 3), (1, 100), (0, 4)])
  func rangesCoverEverythingOnce(count: Int, grain: Int) {
    let pool = WorkerPool(threadCount: 2)
    let calls = (0..<count).map { _ in Counter() }
    pool.run(count, grain: grain) { range in
      #expect(range.count <= grain)
      for i in range { calls[i].add() }
    }
    #expect(calls.allSatisfy { $0.value == 1 })
  }

  @Test func manyShortJobsAreNotLost() {
    let pool = WorkerPool(threadCount: 3)
    let calls = Counter()
    for _ in 0..<20_000 { pool.run(3) { _ in calls.add() } }
    #expect(calls.value == 60_000)
  }

  @Test func aJobInsideAJobRunsOnItsThread() {
    let pool = WorkerPool(threadCount: 2)
    let calls = Counter()
    pool.run(8) { _ in pool.run(8) { _ in calls.add() } }
    #expect(calls.value == 64)
  }

  @Test func twoThreadsMayAskAtOnce() {
    let pool = WorkerPool(threadCount: 2)
    let calls = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1000 { pool.run(5) { _ in calls.add() } }
    }
    #expect(calls.value == 20_000)
  }

  /// A worker that keeps the others waiting stays away for a while; nothing is lost and nothing done twice.
  @Test func lateWorkersLoseNothing() {
    let pool = WorkerPool(threadCount: 3)
    let calls = (0..<50).map { _ in Counter() }
    let asking = pthread_self()
    for _ in 0..<60 {
      pool.run(50) { part in
        if pthread_equal(pthread_self(), asking) == 0, part % 10 == 0 { usleep(2000) }
        calls[part].add()
      }
    }
    #expect(calls.allSatisfy { $0.value == 60 })
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 7, 1000])
  func everyIdempotentPartIsDeliveredOnce(threads: Int, count: Int) {
    let pool = WorkerPool(threadCount: threads)
    let work = Squares(count)
    for _ in 0..<20 { pool.run(count, idempotent: work) }
    #expect(work.deliveries.allSatisfy { $0.value == 20 })
    #expect(work.wrong.value == 0)
  }

  /// A worker that is stopped in the midst of a part is not waited for, and what it comes back with is dropped.
  @Test(.timeLimit(.minutes(1))) func aStoppedWorkersPartIsTakenOver() {
    let pool = WorkerPool(threadCount: 2)
    let work = Squares(100)
    let (asking, stopped, goOn) = (pthread_self(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let stops = Counter()
    work.before = { _ in
      if pthread_equal(pthread_self(), asking) == 0 {
        guard stops.value == 0 else { return }
        stops.add()
        stopped.signal()
        goOn.wait()
      } else if stops.value == 0 {
        stopped.wait()
      }
    }
    for _ in 0..<5 { pool.run(100, idempotent: work) }
    #expect(stops.value == 1)
    #expect(work.deliveries.allSatisfy { $0.value == 5 })
    let workerParts = Counter()
    work.before = { _ in if pthread_equal(pthread_self(), asking) == 0 { workerParts.add() } else { usleep(10) } }
    goOn.signal()
    var rounds = 5
    while workerParts.value == 0 {
      pool.run(100, idempotent: work)
      rounds += 1
    }
    #expect(work.deliveries.allSatisfy { $0.value == rounds })
    #expect(work.wrong.value == 0)
  }

  /// Every thread begins with the part that is foretold, so that what it reads first can be asked for.
  @Test(arguments: [2, 3, 7, 100]) func theAskingThreadBeginsWhereItsShareDoes(count: Int) {
    let pool = WorkerPool(threadCount: 3)
    let work = Squares(count)
    let asking = pthread_self()
    let first = Mutex<Int?>(nil)
    work.before = { part in
      if pthread_equal(pthread_self(), asking) != 0 { first.withLock { $0 = $0 ?? part } } else { usleep(1000) }
    }
    pool.run(count, idempotent: work)
    let starts = (0..<3).map { pool.firstPart(of: $0, count) }
    #expect(starts == starts.sorted() && starts[0] == 0)
    // With fewer parts than threads, the last share is empty and another's part may come first.
    if count >= 3 { #expect(first.withLock { $0 } == starts[2]) }
  }

  /// Threads that wait ask for what they are told of, wherever that is; nothing of it is read.
  @Test func whatIsAskedForNeedNotBeThere() {
    let pool = WorkerPool(threadCount: 3)
    let work = Squares(50)
    work.next = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 1 << 20), count: 1 << 20)
    for _ in 0..<200 { pool.run(50, idempotent: work) }
    #expect(work.deliveries.allSatisfy { $0.value == 200 })
    #expect(work.asked.withLock { $0.isSubset(of: [0, 1, 2]) && $0.contains(2) })
  }

  @Test func lateWorkersDeliverOnce() {
    let pool = WorkerPool(threadCount: 3)
    let work = Squares(50)
    let asking = pthread_self()
    work.before = { part in
      if pthread_equal(pthread_self(), asking) == 0, part % 10 == 0 { usleep(2000) }
    }
    for _ in 0..<60 { pool.run(50, idempotent: work) }
    #expect(work.deliveries.allSatisfy { $0.value == 60 })
    #expect(work.wrong.value == 0)
  }

  @Test func anIdlePoolUsesNoProcessorTime() {
    let pool = WorkerPool(threadCount: 4)
    pool.run(4) { _ in }
    Thread.sleep(forTimeInterval: 0.05)
    // Other tests run in this process at the same time, so only the pool's own threads are asked.
    let before = workerTicks()
    Thread.sleep(forTimeInterval: 0.3)
    let after = workerTicks()
    for (thread, ticks) in after where before[thread] == ticks { return }
    Issue.record("every worker used processor time while idle")
  }

  @Test(.enabled(if: sched_getscheduler(0) == SCHED_OTHER, "the threads were given a policy"))
  func workersWaitTheirTurn() {
    let pool = WorkerPool(threadCount: 2)
    pool.run(2) { _ in }
    // SCHED_BATCH. A worker that has just begun may not have chosen it yet.
    for _ in 0..<100 where !workerStats().contains(where: { $0.value[40] == "3" }) {
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(workerStats().contains { $0.value[40] == "3" })
    withExtendedLifetime(pool) {}
  }

  @Test func processorsAreCounted() {
    #expect(ProcessorCount.usable >= 1)
    #expect(ProcessorCount.usable <= ProcessInfo.processInfo.processorCount)
  }

  /// User time of each worker thread of this process, in ticks.
  private func workerTicks() -> [String: String] { workerStats().mapValues { $0[13] } }

  /// Statistics of the system on each worker thread of this process; see proc_pid_stat(5).
  private func workerStats() -> [String: [String]] {
    var stats: [String: [String]] = [:]
    // A thread may end between listing and reading; it is then left out.
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      guard let stat = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
        stat.contains("(alcove-worker)")
      else { continue }
      stats[thread] = stat.split(separator: " ").map(String.init)
    }
    return stats
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  func add() { count.wrappingAdd(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}

/// Delivers the square of each part's number.
private final class Squares: IdempotentWork, @unchecked Sendable {
  let deliveries: [Counter]
  let wrong = Counter()
  let resultByteCount = MemoryLayout<Int>.size
  /// Set between jobs.
  var before: (Int) -> Void = { _ in }
  var next: UnsafeRawBufferPointer?
  /// The threads that asked for what is next.
  let asked = Mutex<Set<Int>>([])

  init(_ count: Int) { deliveries = (0..<count).map { _ in Counter() } }

  func compute(_ part: Int, into result: UnsafeMutableRawPointer) {
    before(part)
    result.storeBytes(of: part * part, as: Int.self)
  }

  func deliver(_ part: Int, from result: UnsafeRawPointer) {
    deliveries[part].add()
    if result.load(as: Int.self) != part * part { wrong.add() }
  }

  func prefetchRange(forThread thread: Int) -> UnsafeRawBufferPointer? {
    asked.withLock { _ = $0.insert(thread) }
    return next
  }
}
