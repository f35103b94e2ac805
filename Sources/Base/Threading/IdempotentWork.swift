/// A job whose parts may each be computed twice, so that a preempted thread is not waited for.
package protocol IdempotentWork: AnyObject, Sendable {
  /// Largest size of a part's result, in bytes.
  var resultByteCount: Int { get }
  /// Computes a part.
  ///
  /// It may still run after the job, while its input is being overwritten: its result is then dropped, but the memory
  /// it reads must live as long as this object.
  func compute(_ part: Int, into result: UnsafeMutableRawPointer)
  /// Stores the result of a part at its destination: called once for every part, while the job runs.
  func deliver(_ part: Int, from result: UnsafeRawPointer)
  /// Returns the memory that a thread will probably read first in the next job, for it to prefetch; nil where unknown.
  /// - Parameter thread: index of its share; see ``WorkerPool/firstPart(of:_:)``.
  func prefetchRange(forThread thread: Int) -> UnsafeRawBufferPointer?
}

extension IdempotentWork {
  /// Calls `body` with memory for the result of one part.
  func withScratch<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: max(64, resultByteCount), alignment: 64)
    defer { scratch.deallocate() }
    return body(scratch)
  }
}

/// Computation of a job's parts.
enum Work {
  case once((Int) -> Void)
  case idempotent(any IdempotentWork)
}
