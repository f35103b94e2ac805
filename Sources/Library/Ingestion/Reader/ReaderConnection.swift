import CPlatform
import Documents
import Glibc
import Threading

/// Connection to one fork server, which reads one file at a time; it runs on a thread of its own.
actor ReaderConnection {
  private let thread = DedicatedThread(name: "reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let program: String
  private var forkServer: ForkServer?

  /// Result of reading one file.
  enum Outcome: Sendable {
    case read(ExtractedDocument)
    case failed(ReadingFailure)
    case stopped
  }

  init(program: String) { self.program = program }

  /// Reads a file in a child of the fork server; a fork server that dies meanwhile is replaced and the file tried once
  /// more.
  /// - Parameters:
  ///   - state: state of the file when it was hashed; a file that has changed since fails as `.unreadable`.
  ///   - stop: ends the child at once when given.
  func read(_ path: String, expecting state: FileState?, request: ReaderRequest, stop: StopSignal) -> Outcome {
    do throws(ReadingFailure) {
      let file = try OpenedFile(path: path)
      if let state, state != file.state { throw ReadingFailure.unreadable(detail: "it changed meanwhile") }
      guard file.state.byteCount <= request.limits.fileByteCount else {
        throw ReadingFailure.limit(.fileBytes, request.limits.fileByteCount)
      }
      var request = request
      request.limits = request.limits.forFile(byteCount: file.state.byteCount)
      var outcome = try attempt(file, request, stop)
      if outcome == nil { outcome = try attempt(file, request, stop) }
      if case .read = outcome, !file.isUnchanged {
        throw ReadingFailure.unreadable(detail: "it changed while it was read")
      }
      return outcome ?? .failed(.crashed(signal: SIGKILL))
    } catch {
      return .failed(error)
    }
  }

  /// Ends the fork server; the next file starts another.
  func close() { forkServer = nil }

  // MARK: One attempt

  /// Runs a child on a file; nil where the fork server died meanwhile.
  private func attempt(
    _ file: borrowing OpenedFile, _ request: ReaderRequest, _ stop: StopSignal
  ) throws(ReadingFailure) -> Outcome? {
    do throws(Errno) {
      let control = try startedForkServer().control
      let (channel, theirChannel) = try Self.pair(cp_stream_pair)
      defer { Glibc.close(channel) }
      let (errors, theirErrors) = try Self.pair(cp_stream_pair, elseClosing: [channel, theirChannel])
      defer { Glibc.close(errors) }
      var job = cp_fork_server_job(file: file.descriptor, channel: theirChannel, errors: theirErrors)
      let isStarted = cp_fork_server_start(control, &job) == 0
      Glibc.close(theirChannel)
      Glibc.close(theirErrors)
      guard isStarted, Self.send(request.encoded(), to: channel) else {
        forkServer = nil
        return nil
      }
      var run = ReaderRun(
        control: control, channel: channel, errors: errors, stop: stop.descriptor,
        mostBytes: ReaderAnswer.largest(for: request.limits))
      let end = run.wait(milliseconds: request.limits.wallSeconds * 1000)
      if end == .lost {
        forkServer = nil
        return nil
      }
      return Self.outcome(of: end, run, request.limits)
    } catch {
      throw .unreadable(detail: "no reader can be started: \(error.text)")
    }
  }

  private func startedForkServer() throws(Errno) -> ForkServer {
    if let forkServer { return forkServer }
    let started = try ForkServer(program: program)
    forkServer = started
    return started
  }

  private static func pair(
    _ make: (UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>) -> CInt, elseClosing others: [CInt] = []
  ) throws(Errno) -> (CInt, CInt) {
    var (one, other): (CInt, CInt) = (-1, -1)
    do {
      try Errno.check(make(&one, &other))
    } catch {
      for descriptor in others { Glibc.close(descriptor) }
      throw error
    }
    return (one, other)
  }

  /// Sends all bytes.
  /// - Returns: false where sending failed, unless the child is gone: its exit status tells why.
  private static func send(_ bytes: [UInt8], to channel: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        cp_send(channel, $0.baseAddress, UInt($0.count))
      }
      if sent <= 0 { return errno == EPIPE || errno == ECONNRESET }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  // MARK: Outcome

  private static func outcome(of end: ReaderRun.End, _ run: ReaderRun, _ limits: ReadingLimits) -> Outcome {
    switch end {
    case .stopped: return .stopped
    case .late, .lost: return .failed(.timeout(seconds: limits.wallSeconds))
    case .tooLong: return .failed(.limit(.characters, limits.characterCount))
    case .ended(let status, let microseconds):
      if run.ranOutOfMemory { return .failed(.limit(.memory, limits.addressSpaceByteCount)) }
      let signal = status & 0x7f
      if signal == SIGXCPU || (signal == SIGKILL && microseconds >= Int64(limits.processorSeconds) * 1_000_000) {
        return .failed(.limit(.processorTime, limits.processorSeconds))
      }
      guard signal == 0, status == 0, let answer = ReaderAnswer(decoding: run.answer, limits: limits) else {
        return .failed(.crashed(signal: signal))
      }
      switch answer {
      case .document(let document): return .read(document)
      case .failure(let failure): return .failed(failure)
      }
    }
  }
}
