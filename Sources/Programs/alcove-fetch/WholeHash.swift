import CPlatform
import Foundation
import ModelStore
import Platform
import Synchronization
import Threading

/// The hash of the whole file, taken block by block behind the connections, on a thread of its own.
actor WholeHash {
  private let thread = DedicatedThread(name: "hash")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let state: PullState
  private var hash: SHA256? = SHA256()
  private var next = 0
  private var block: [UInt8] = []
  // Small enough to stay near the processor until it is hashed.
  private var piece = [UInt8](repeating: 0, count: 128 << 10)

  /// Blocks after which the system is asked to begin writing to the disk, so that little is left to wait for at the
  /// end.
  private static let blocksWrittenTogether = 16

  init(_ state: PullState) { self.state = state }

  /// Follows the connections until it is cancelled.
  nonisolated func run() async {
    while !Task.isCancelled {
      await advance()
      // Ended early by cancellation alone, which the condition sees.
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Reads what an earlier run left, and forgets the blocks that are not what their hashes say.
  func checkWhatIsHere() {
    let (count, isFinal) = state.shared.withLock { ($0.blocks?.count ?? 0, $0.toCompare.isEmpty) }
    for index in 0..<count {
      guard let expected = state.shared.withLock({ $0.blocks?.hash(of: index) }) else { continue }
      let isSound = read(index) && block.withUnsafeBytes { BlockHashes.of($0) } == expected
      if !isSound {
        // An entry that cannot be cleared is overwritten when the block comes again.
        state.shared.withLock { try? $0.blocks?.remove(index) }
      } else if isFinal, index == next {
        hash?.add(block)
        next += 1
      }
    }
    block = []
    state.shared.withLock { $0.bytes = $0.blocks?.byteCount ?? 0 }
  }

  /// Adds the blocks that follow those added so far, as many as are here.
  private func advance() {
    while !Task.isCancelled, isReady(next), addNext() {}
  }

  /// The hash of all blocks, in hexadecimal; nil where one is missing.
  func finish() -> String? {
    while isReady(next), addNext() {}
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

  private func addNext() -> Bool {
    guard let range = state.shared.withLock({ $0.blocks?.range(of: next) }) else { return false }
    var place = range.lowerBound
    while place < range.upperBound {
      let wanted = min(piece.count, range.upperBound - place)
      guard fill(&piece, wanted, at: place) else {
        // Half a block is in the hash already, so all begins again.
        hash = SHA256()
        next = 0
        return false
      }
      piece.withUnsafeBytes { hash?.add(UnsafeRawBufferPointer(rebasing: $0[..<wanted])) }
      place += wanted
    }
    next += 1
    if next % Self.blocksWrittenTogether == 0 {
      let length = Self.blocksWrittenTogether * BlockHashes.blockSize
      cp_begin_writing(state.descriptor, Int64(range.upperBound - length), Int64(length))
    }
    return true
  }

  private func read(_ index: Int) -> Bool {
    guard let range = state.shared.withLock({ $0.blocks?.range(of: index) }) else { return false }
    if block.count != range.count { block = [UInt8](repeating: 0, count: range.count) }
    return fill(&block, range.count, at: range.lowerBound)
  }

  private func fill(_ bytes: inout [UInt8], _ count: Int, at offset: Int) -> Bool {
    var done = 0
    while done < count {
      let more = bytes.withUnsafeMutableBytes {
        pread(state.descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if more < 0, errno == EINTR { continue }
      if more <= 0 { return false }
      done += more
    }
    return true
  }
}
