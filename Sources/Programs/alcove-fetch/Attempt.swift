import Foundation
import ModelFormats
import ModelStore
import Synchronization
import Threading

/// One attempt at a download, as long as the content on the server stays the same.
struct Attempt: Sendable {
  let puller: Puller
  let url: URL
  let state: PullState
  let whole: WholeHash
  private let rule: RedirectRule

  init(puller: Puller, url: URL, state: PullState) {
    self.puller = puller
    self.url = url
    self.state = state
    whole = WholeHash(state)
    rule = RedirectRule(namedBy: puller.options.named)
  }

  private var record: DownloadRecord { puller.record }
  private var store: ModelStore { puller.store }

  func run() async -> Puller.Ending {
    await resume()
    let connection = Connection(rule: rule, stall: puller.options.stall)
    let hashing = Task { await whole.run() }
    let ticker = Task { await Ticker(attempt: self).run() }
    let ending = await fetch(on: connection)
    hashing.cancel()
    ticker.cancel()
    // What it records last must not come behind the record of the end.
    await ticker.value
    connection.close()
    if let ending { return ending }
    return await finish()
  }

  /// Fetches what is missing; nil where all of it came.
  private func fetch(on connection: Connection) async -> Puller.Ending? {
    if let ending = await fetchHeader(on: connection) { return ending }
    let others = puller.options.connections - 1
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work(on: connection) }
      let isWholeOnly = state.shared.withLock { $0.isWholeOnly }
      for _ in 0..<(isWholeOnly ? 0 : others) {
        group.addTask {
          let connection = Connection(rule: rule, stall: puller.options.stall)
          await work(on: connection)
          connection.close()
        }
      }
    }
    return state.stop.map { .stopped($0) }
  }

  /// Takes up what an earlier run left, if it can be told to be of the same content.
  private func resume() async {
    guard let blocks = BlockList(at: store.blockList(record.id).path) else { return }
    let known = blocks.representation
    let isVouchedFor = known.tag != nil || known.modified != nil || !record.sha256.isEmpty
    guard isVouchedFor else { return }
    state.shared.withLock { shared in
      shared.blocks = blocks
      shared.total = known.total
      shared.reason = .checking
      if record.comparesBlocks { shared.toCompare = Set((0..<blocks.count).filter(blocks.has)) }
    }
    await whole.checkWhatIsHere()
    state.shared.withLock { $0.reason = nil }
  }

  // MARK: The header

  /// Fetches blocks from the first on until the header is whole and says that this is a model that can be run here.
  /// - Returns: the end of the download, or nil to go on.
  private func fetchHeader(on connection: Connection) async -> Puller.Ending? {
    let isModel = ModelName.isModel(record.file)
    var wanted = 1
    while true {
      let isHere = state.shared.withLock { shared -> Bool in
        guard let blocks = shared.blocks else { return false }
        return (0..<min(wanted, blocks.count)).allSatisfy { blocks.has($0) && !shared.toCompare.contains($0) }
      }
      if !isHere { await work(on: connection, below: wanted) }
      if let stop = state.stop { return .stopped(stop) }
      guard isModel, let total = state.shared.withLock({ $0.blocks?.representation.total }) else { return nil }
      switch judgeHeader(blocks: wanted, total: total) {
      case .needsMore where wanted < 64: wanted *= 4
      case .needsMore: return .stopped(.failed(.endlessHeader))
      case .sound: return nil
      case .ending(let ending): return ending
      }
    }
  }

  private enum HeaderVerdict {
    case sound, needsMore
    case ending(Puller.Ending)
  }

  private func judgeHeader(blocks: Int, total: Int) -> HeaderVerdict {
    let count = min(blocks * BlockHashes.blockSize, total)
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = bytes.withUnsafeMutableBytes {
        pread(state.descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(done))
      }
      guard more > 0 else { return .ending(.stopped(.paused(.notReadBack))) }
      done += more
    }
    if let fault = ModelFile.fault(ofBeginning: bytes) {
      return .ending(.stopped(.failed(.server(fault == .webPage ? .webPage : .otherFormat))))
    }
    guard bytes.starts(with: "GGUF".utf8) else { return judgeTensors(bytes, total: total) }
    do throws(GGUFError) {
      let header = try bytes.withUnsafeBufferPointer { bytes throws(GGUFError) in
        try GGUFHeader(parsing: UnsafeRawBufferPointer(bytes), fileSize: total)
      }
      return judgeMemory(header)
    } catch .truncated where count < total {
      return .needsMore
    } catch {
      return .ending(.stopped(.failed(.notAModel(.header(error)))))
    }
  }

  private func judgeTensors(_ bytes: [UInt8], total: Int) -> HeaderVerdict {
    do throws(SafetensorsError) {
      _ = try bytes.withUnsafeBufferPointer { bytes throws(SafetensorsError) in
        try SafetensorsFile.parse(UnsafeRawBufferPointer(bytes), fileSize: total)
      }
      return .sound
    } catch .truncated(let needed, _) where bytes.count < total && needed <= total {
      return .needsMore
    } catch {
      return .ending(.stopped(.failed(.notAModel(.tensors(error)))))
    }
  }

  /// A model that could not be loaded even with everything else gone is not fetched, unless the user insists.
  private func judgeMemory(_ header: GGUFHeader) -> HeaderVerdict {
    // Parts of a split model, and kinds whose memory cannot be estimated, are judged when they are loaded.
    guard !record.isForced, let shape = try? ModelShape(header) else { return .sound }
    let least = MemoryEstimate.smallest(shape)
    guard least.total > puller.memory.total, puller.memory.total > 0 else { return .sound }
    return .ending(.doesNotFit(.doesNotFit(needed: least.total, memory: puller.memory.total)))
  }

  // MARK: The connections

  /// Fetches runs of blocks until none is left or all stops.
  private func work(on connection: Connection, below end: Int = .max) async {
    var random = SystemRandomNumberGenerator()
    while state.stop == nil {
      let isKnown = state.shared.withLock { $0.blocks != nil }
      let isWholeOnly = state.shared.withLock { $0.isWholeOnly }
      let blocks: Range<Int>
      if !isKnown {
        blocks = 0..<1
      } else {
        // Without ranges all blocks come in one answer.
        let limit = isWholeOnly ? Int.max : Puller.blocksOfOneRequest
        guard let taken = state.take(atMost: limit, below: isWholeOnly ? .max : end) else { return }
        blocks = taken
      }
      let outcome = await request(blocks, isKnown: isKnown).run(on: connection)
      state.giveBack(blocks)
      learn(from: connection)
      switch outcome {
      case .finished:
        state.shared.withLock { ($0.failures, $0.networkGoneSince) = (0, nil) }
        if !isKnown { return }
      case .stopped: return
      case .changed: state.halt(.changed)
      case .refused(let reason): state.halt(.failed(reason))
      case .later(let seconds, let reason):
        let failures = count(reason)
        guard state.stop == nil else { return }
        let wait = puller.options.policy.wait(afterFailures: failures, serverAsks: seconds, random: &random)
        await pause(wait)
      }
    }
  }

  private func request(_ blocks: Range<Int>, isKnown: Bool) -> RangeRequest {
    let size = BlockHashes.blockSize
    let total = state.shared.withLock { $0.blocks?.representation.total } ?? .max
    let range = blocks.lowerBound * size..<min(total, blocks.upperBound * size)
    return RangeRequest(
      url: url, state: state, blocks: blocks, range: range, promisedTotal: record.total,
      onFirst: { accept($0) })
  }

  /// Begins the list of blocks of a content seen for the first time, and makes room for it.
  private func accept(_ representation: Representation) -> Bool {
    let missing = DiskSpace.reserve(representation.total, descriptor: state.descriptor)
    guard missing == 0 else {
      state.halt(.paused(.diskFull(missing: missing)))
      return false
    }
    do {
      let blocks = try BlockList(at: store.blockList(record.id).path, representation)
      state.shared.withLock { ($0.blocks, $0.total) = (blocks, representation.total) }
      return true
    } catch {
      state.halt(.paused(DownloadReason(error)))
      return false
    }
  }

  /// Counts an attempt that brought nothing, and stops all where there were too many.
  private func count(_ reason: DownloadReason) -> Int {
    let policy = puller.options.policy
    return state.shared.withLock { shared in
      shared.failures += 1
      shared.reason = reason
      if reason == .connection(.unreachable) {
        let since = shared.networkGoneSince ?? .now
        shared.networkGoneSince = since
        shared.status = .waitingForNetwork
        if ContinuousClock.now - since > .seconds(policy.patience), shared.stop == nil {
          shared.stop = .paused(reason)
        }
      } else if shared.failures >= policy.attempts * max(1, puller.options.connections), shared.stop == nil {
        shared.stop = .failed(reason)
      }
      return (shared.failures + puller.options.connections - 1) / max(1, puller.options.connections)
    }
  }

  /// Waits, but not longer than all goes on.
  private func pause(_ seconds: Double) async {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, state.stop == nil, !Task.isCancelled {
      // Ended early by cancellation alone, which the condition sees.
      try? await Task.sleep(for: min(.milliseconds(100), end - ContinuousClock.now))
    }
  }

  /// The hub tells the hash of a file when it sends us to where the file lies.
  private func learn(from connection: Connection) {
    guard record.sha256.isEmpty, let tag = connection.redirectHeader("x-linked-etag") else { return }
    let hash = tag.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    guard Hub.isHash(hash) else { return }
    state.shared.withLock { $0.learntHash = hash.lowercased() }
  }

  // MARK: The end

  private func finish() async -> Puller.Ending {
    state.shared.withLock { $0.status = .verifying }
    puller.events.write(Ticker.event(record, state))
    // Where it cannot be recorded, the end says so.
    try? await store.progress(record.id, bytes: 0, total: 0, status: .verifying)
    guard state.isComplete, let hash = await whole.finish() else {
      return .stopped(.paused(.blocksMissing))
    }
    let learnt = state.shared.withLock { $0.learntHash }
    let expected = record.sha256.isEmpty ? learnt ?? "" : record.sha256.lowercased()
    guard expected.isEmpty || expected == hash else {
      // A second complaint after every block was compared: the server's file is another.
      try? await store.compareBlocks(record.id, !record.comparesBlocks)
      if record.comparesBlocks {
        unlink(store.partial(record.id).path)
        unlink(store.blockList(record.id).path)
      }
      return .stopped(
        .failed(.otherHash(found: hash, expected: expected, isSecond: record.comparesBlocks)))
    }
    return await publish(hash)
  }

  private func publish(_ hash: String) async -> Puller.Ending {
    let (partial, target) = (store.partial(record.id).path, store.folder.appending(path: record.file).path)
    do {
      if ModelName.isModel(record.file) { try ModelFile.check(partial, named: record.file) }
      var facts = stat()
      if lstat(target, &facts) == 0 {
        return .stopped(.failed(.nameTaken(record.file)))
      }
      try DurableFile.publish(partial, as: target)
      let blocks = state.shared.withLock { $0.blocks?.all } ?? []
      try await store.register(
        name: record.file, path: target, isLinked: false, sha256: hash, source: record.url, blocks: blocks)
      unlink(store.blockList(record.id).path)
      return .completed(path: target)
    } catch {
      if case .notAModel(_, let fault) = error {
        return .stopped(.failed(.notAModel(fault)))
      }
      return .stopped(.paused(DownloadReason(error)))
    }
  }
}
