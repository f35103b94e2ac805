import CPlatform
import Foundation

/// A thread of one's own on which one actor runs, so that blocking work never holds the shared pool.
///
/// An actor uses it as its executor:
///
///     public actor Library {
///       private let thread = DedicatedThread(name: "library")
///       public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
///     }
///
/// Jobs run one at a time in the order they came. The thread ends after the executor is released and its last job ran.
package final class DedicatedThread: SerialExecutor {
  private let queue = JobQueue()

  /// Starts the thread.
  /// - Parameters:
  ///   - name: shown by debuggers; the kernel keeps its first 15 bytes.
  ///   - stackByteCount: the size of the thread's stack.
  package init(name: String, stackByteCount: Int = 8 << 20) {
    let queue = queue
    let thread = Thread {
      cp_set_thread_name(name)
      queue.drain()
    }
    thread.stackSize = stackByteCount
    thread.start()
  }

  deinit { queue.close() }

  /// Adds a job behind those already waiting.
  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), executor: asUnownedSerialExecutor())
  }

  /// This executor as actors ask for it.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The jobs that wait for one thread; it outlives the executor so that the thread can finish them.
private final class JobQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
  private var isClosed = false

  func append(_ job: UnownedJob, executor: UnownedSerialExecutor) {
    condition.lock()
    jobs.append((job, executor))
    condition.signal()
    condition.unlock()
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.signal()
    condition.unlock()
  }

  func drain() {
    while true {
      condition.lock()
      while jobs.isEmpty && !isClosed { condition.wait() }
      let ready = jobs
      jobs.removeAll(keepingCapacity: true)
      condition.unlock()
      if ready.isEmpty { return }
      for (job, executor) in ready { job.runSynchronously(on: executor) }
    }
  }
}
