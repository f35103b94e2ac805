import Foundation
import ModelStore
import Synchronization

/// State that the connections of one download share: the blocks that are here, those under way, and progress.
final class PullState: Sendable {
  /// Reason for which the connections stop.
  enum Stop: Sendable, Equatable {
    case paused(DownloadReason)
    case failed(DownloadReason)
    case cancelled
    /// The content is another one now: all begins again.
    case changed

    /// Reason of a pause or a failure.
    var reason: DownloadReason? {
      switch self {
      case .paused(let reason), .failed(let reason): reason
      case .cancelled, .changed: nil
      }
    }
  }

  struct Shared {
    var blocks: BlockList?
    var underWay: Set<Int> = []
    /// Blocks that are here but are to be fetched again and compared.
    var toCompare: Set<Int> = []
    var bytes = 0
    var total = 0
    var stop: Stop?
    var status = DownloadStatus.running
    var reason: DownloadReason?
    /// Attempts in a row, of all connections, that brought nothing.
    var failures = 0
    var networkGoneSince: ContinuousClock.Instant?
    /// The server knows no ranges: one connection takes all.
    var isWholeOnly = false
    var learntHash: String?
  }

  let descriptor: Int32
  let shared = Mutex(Shared())

  init(descriptor: Int32) { self.descriptor = descriptor }

  var stop: Stop? { shared.withLock { $0.stop } }

  /// Stops all connections; the first reason counts.
  func halt(_ stop: Stop) { shared.withLock { if $0.stop == nil { $0.stop = stop } } }

  /// The next blocks to fetch, in one range; nil where none is left for this connection.
  func take(atMost limit: Int, below end: Int = .max) -> Range<Int>? {
    shared.withLock { shared in
      guard shared.stop == nil, let blocks = shared.blocks else { return nil }
      func isWanted(_ block: Int) -> Bool {
        !shared.underWay.contains(block) && (!blocks.has(block) || shared.toCompare.contains(block))
      }
      let bound = min(end, blocks.count)
      guard let first = (0..<bound).first(where: isWanted) else { return nil }
      var last = first + 1
      while last < bound, last - first < limit, isWanted(last) { last += 1 }
      shared.underWay.formUnion(first..<last)
      return first..<last
    }
  }

  /// Gives back what a connection took; what it did not bring is up for the next.
  func giveBack(_ range: Range<Int>) { shared.withLock { $0.underWay.subtract(range) } }

  /// Indicates whether every block is here and compared.
  var isComplete: Bool {
    shared.withLock { shared in
      guard let blocks = shared.blocks else { return false }
      return shared.toCompare.isEmpty && (0..<blocks.count).allSatisfy(blocks.has)
    }
  }

  /// Writes one whole block and notes it.
  func store(_ block: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let hash = BlockHashes.of(bytes)
    let (range, isKnown) = shared.withLock { shared in
      (shared.blocks?.range(of: block), shared.blocks?.hash(of: block) == hash)
    }
    guard let range, range.count == bytes.count else { return false }
    if !isKnown {
      var done = 0
      while done < bytes.count {
        let count = pwrite(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(range.lowerBound + done))
        if count < 0 {
          if errno == EINTR { continue }
          halt(.paused(.disk(errno, missing: range.count)))
          return false
        }
        done += count
      }
    }
    return shared.withLock { shared in
      if shared.blocks?.has(block) == false { shared.bytes += range.count }
      do throws(ModelStoreError) { try shared.blocks?.add(block, hash: hash) } catch {
        if shared.stop == nil { shared.stop = .paused(DownloadReason(error)) }
        return false
      }
      shared.toCompare.remove(block)
      shared.failures = 0
      shared.networkGoneSince = nil
      if shared.status == .waitingForNetwork { (shared.status, shared.reason) = (.running, nil) }
      return true
    }
  }
}
