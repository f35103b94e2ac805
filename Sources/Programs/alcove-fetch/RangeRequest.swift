import Foundation
import ModelStore
import Synchronization

/// Fetches one run of blocks: sends the request, judges the answer, and stores each block as it is whole.
struct RangeRequest: Sendable {
  /// Outcome of the request.
  enum Outcome: Sendable, Equatable {
    case finished
    /// Worth another attempt.
    case later(seconds: Double?, DownloadReason)
    case refused(DownloadReason)
    case changed
    /// The download stops as a whole.
    case stopped

    static func broken(_ fault: ConnectionFault) -> Outcome { .later(seconds: nil, .connection(fault)) }
  }

  let url: URL
  let state: PullState
  let blocks: Range<Int>
  /// The bytes of the blocks; their end may lie beyond the content's where its size is not known yet.
  let range: Range<Int>
  let promisedTotal: Int
  /// Called once with what the first answer says of the content; false: it cannot be had.
  let onFirst: @Sendable (Representation) -> Bool

  private struct Progress {
    var verdict: ResponseVerdict?
    /// The block being gathered, and how much of it is here.
    var block: Int
    var buffer: [UInt8] = []
    var received = 0
    /// The bytes to come.
    var expected = 0
    var isStopped = false
  }

  func run(on connection: Connection) async -> Outcome {
    let known = state.shared.withLock { $0.blocks?.representation }
    let progress = Mutex(Progress(block: blocks.lowerBound))
    let check = ResponseCheck(range: range, known: known, promisedTotal: promisedTotal)
    let ending = await connection.send(
      request(known), isWanted: { state.stop == nil },
      onHead: { head in
        let verdict = check.judge(status: head.status) { head[$0] }
        return progress.withLock { progress in
          progress.verdict = verdict
          return begin(&progress)
        }
      },
      onBytes: { data in
        progress.withLock { progress in take(data, &progress) }
      })
    return progress.withLock { outcome($0, ending) }
  }

  private func request(_ known: Representation?) -> Connection.Request {
    var headers = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
    headers["If-Range"] = known?.tag
    headers["Authorization"] = Credentials.header(for: url)
    return Connection.Request(url, headers: headers)
  }

  /// Prepares for the bytes of an answer that was judged.
  private func begin(_ progress: inout Progress) -> Bool {
    let representation: Representation
    switch progress.verdict {
    case .part(let found):
      representation = found
      progress.expected = min(range.upperBound, found.total) - range.lowerBound
    case .whole(let found):
      representation = found
      progress.expected = found.total
      progress.block = 0
      state.shared.withLock { $0.isWholeOnly = true }
    default: return false
    }
    if state.shared.withLock({ $0.blocks == nil }), !onFirst(representation) {
      progress.isStopped = true
      return false
    }
    return true
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ progress: inout Progress) -> Bool {
    guard state.stop == nil else {
      progress.isStopped = true
      return false
    }
    // No more is taken than was announced.
    guard progress.received + bytes.count <= progress.expected else { return false }
    progress.received += bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let size = state.shared.withLock({ $0.blocks?.range(of: progress.block).count }) else {
        return false
      }
      let piece = rest.prefix(size - progress.buffer.count)
      if progress.buffer.isEmpty, piece.count == size {
        guard state.store(progress.block, UnsafeRawBufferPointer(rebasing: piece)) else {
          return stop(&progress)
        }
        progress.block += 1
      } else {
        progress.buffer.append(contentsOf: piece)
        if progress.buffer.count == size {
          let isStored = progress.buffer.withUnsafeBytes { state.store(progress.block, $0) }
          guard isStored else { return stop(&progress) }
          progress.block += 1
          progress.buffer.removeAll(keepingCapacity: true)
        }
      }
      rest = rest.dropFirst(piece.count)
    }
    return true
  }

  private func stop(_ progress: inout Progress) -> Bool {
    progress.isStopped = true
    return false
  }

  private func outcome(_ progress: Progress, _ ending: Connection.Ending) -> Outcome {
    if progress.isStopped || state.stop != nil { return .stopped }
    switch progress.verdict {
    case .changed: return .changed
    case .later(let seconds, let fault): return .later(seconds: seconds, .server(fault))
    case .refused(let fault): return .refused(.server(fault))
    case .part, .whole:
      if progress.received == progress.expected { return .finished }
      switch ending {
      case .finished: return .broken(.closedEarly)
      case .declined: return .broken(.sentMore)
      case .stalled: return .broken(.stalled)
      // What answered a moment ago can be reached.
      case .broken(let fault): return .broken(fault == .unreachable ? .broken : fault)
      case .refused(let reason): return .refused(reason)
      }
    case nil:
      switch ending {
      case .finished, .declined: return .broken(.noAnswer)
      case .stalled: return .broken(.silent)
      case .broken(let fault): return .broken(fault)
      case .refused(let reason): return .refused(reason)
      }
    }
  }
}

/// Token that proves to the hub who asks: the user put it into the environment, and it is sent to nobody else.
enum Credentials {
  static func header(for url: URL) -> String? {
    let environment = ProcessInfo.processInfo.environment
    guard let token = environment["HF_TOKEN"], !token.isEmpty,
      let hub = URL(string: Hub(environment: environment).endpoint), hub.host() == url.host(),
      hub.scheme == url.scheme
    else { return nil }
    return "Bearer \(token)"
  }
}
