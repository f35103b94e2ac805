import Foundation
import ModelStore
import Synchronization
import Threading

/// The hash of the whole file, taken block by block behind the lanes, on a thread of its own.
actor WholeHash {
  private let thread = DedicatedThread(name: "hash")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let state: PullState
  private var hash: StreamingHash? = StreamingHash()
  private var next = 0
  private var buffer: [UInt8] = []

  init(_ state: PullState) { self.state = state }

  /// Reads what an earlier run left, and forgets the blocks that are not what their hashes say.
  func checkWhatIsHere() {
    let (count, isFinal) = state.shared.withLock { ($0.blocks?.count ?? 0, $0.toCompare.isEmpty) }
    for block in 0..<count {
      guard let expected = state.shared.withLock({ $0.blocks?.hash(of: block) }) else { continue }
      let isSound = read(block) && buffer.withUnsafeBytes { StreamingHash.of($0) } == expected
      if !isSound {
        // An entry that cannot be cleared is overwritten when the block comes again.
        state.shared.withLock { try? $0.blocks?.remove(block) }
      } else if isFinal, block == next {
        hash?.add(buffer)
        next += 1
      }
    }
    state.shared.withLock { $0.bytes = $0.blocks?.byteCount ?? 0 }
  }

  /// Adds the blocks that follow those added so far, as many as are here.
  func advance() {
    while isReady(next), read(next) {
      hash?.add(buffer)
      next += 1
    }
  }

  /// The hash of all blocks, in hexadecimal; nil where one is missing.
  func finish() -> String? {
    advance()
    guard next == state.shared.withLock({ $0.blocks?.count }), let whole = hash.take() else { return nil }
    return whole.finish().hexadecimal
  }

  private func isReady(_ block: Int) -> Bool {
    state.shared.withLock { shared in
      guard let blocks = shared.blocks, block < blocks.count else { return false }
      // What is still to be compared may become another.
      return shared.toCompare.isEmpty && blocks.has(block)
    }
  }

  private func read(_ block: Int) -> Bool {
    guard let range = state.shared.withLock({ $0.blocks?.range(of: block) }) else { return false }
    if buffer.count != range.count { buffer = [UInt8](repeating: 0, count: range.count) }
    var done = 0
    while done < range.count {
      let count = buffer.withUnsafeMutableBytes {
        pread(state.descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
