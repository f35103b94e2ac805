/// A job whose parts may each be computed twice, so that a thread that loses its core is not waited for.
package protocol RepeatableWork: AnyObject, Sendable {
  /// Bytes that the result of any part takes at most.
  var resultByteCount: Int { get }
  /// Computes a part. It may still run when the job is over and what it reads is being overwritten: then its result is
  /// dropped, but all that it reads must live as long as this object.
  func compute(_ part: Int, into result: UnsafeMutableRawPointer)
  /// Puts the result of a part where it belongs: once for every part, and while the job runs.
  func deliver(_ part: Int, from result: UnsafeRawPointer)
  /// The memory that a thread will probably read when the next job comes; it is never read before. Nil where nobody knows.
  /// - Parameter thread: the number of its share; see ``WorkerPool/firstPart(of:_:)``.
  func readNext(by thread: Int) -> UnsafeRawBufferPointer?
}

extension RepeatableWork {
  func withRoom<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    let room = UnsafeMutableRawPointer.allocate(byteCount: max(64, resultByteCount), alignment: 64)
    defer { room.deallocate() }
    return body(room)
  }
}

/// What is to be done with the parts of a job.
enum Work {
  case once((Int) -> Void)
  case repeatable(any RepeatableWork)
}
