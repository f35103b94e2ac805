import Foundation
import ModelStore
import Synchronization

/// Fetches the bad blocks of a model again, and takes only what has the hash that came first.
struct Repairer: Sendable {
  let store: ModelStore
  let options: Options
  let events: EventWriter

  /// Repairs a model's file in its place.
  /// - Returns: the reason it could not, or nil.
  func run(_ name: String, blocks wanted: [Int]) async -> DownloadReason? {
    func reason(_ fault: RepairFault) -> DownloadReason { .repair(model: name, fault) }
    do {
      guard let model = try await store.models().first(where: { $0.name == name }) else {
        return reason(.noModel)
      }
      guard !model.isLinked, let url = URL(string: model.source), url.scheme?.hasPrefix("http") == true else {
        return reason(.notDownloaded)
      }
      let hashes = try await store.blocks(of: model.id)
      let descriptor = open(store.folder.appending(path: name).path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return reason(.notOpened(code: errno)) }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return reason(.busy) }
      guard ftruncate(descriptor, off_t(model.byteCount)) == 0 else { return .disk(errno) }
      let count = BlockHashes.count(of: model.byteCount)
      guard hashes.count == count * BlockHashes.byteCount else {
        return reason(.unknownHashes)
      }
      return try await fetch(Set(wanted.filter { (0..<count).contains($0) }), model, hashes, url, descriptor)
    } catch {
      return DownloadReason(error)
    }
  }

  private func fetch(
    _ wanted: Set<Int>, _ model: ModelRecord, _ hashes: [UInt8], _ url: URL, _ descriptor: Int32
  ) async throws(ModelStoreError) -> DownloadReason? {
    let scratch = ModelStore.partials(store.folder).appending(path: "repair-\(getpid())").path
    defer {
      unlink(scratch + ".blocks")
      unlink(scratch)
    }
    let copy = open(scratch, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw .file(path: scratch, call: "open", code: errno) }
    defer { close(copy) }
    // Into a sparse file of its own first: only what has the right hash goes into the model.
    let state = PullState(descriptor: copy)
    let list = try BlockList(at: scratch + ".blocks", Representation(total: model.byteCount, tag: nil))
    state.shared.withLock { $0.blocks = list }
    let connection = Connection(rule: RedirectRule(namedBy: options.named), stall: options.stall)
    defer { connection.close() }
    var random = SystemRandomNumberGenerator()
    for block in wanted.sorted() {
      var failures = 0
      let size = BlockHashes.byteCount
      let expected = Array(hashes[block * size..<(block + 1) * size])
      while true {
        let outcome = await RangeRequest(
          url: url, state: state, blocks: block..<block + 1, range: list.range(of: block),
          promisedTotal: model.byteCount, onFirst: { _ in true }
        ).run(on: connection)
        if case .refused(let reason) = outcome { return reason }
        if outcome == .changed { return .repair(model: model.name, .changed) }
        if let stop = state.stop { return stop.reason ?? .repair(model: model.name, .changed) }
        if state.shared.withLock({ $0.blocks?.hash(of: block) }) == expected { break }
        failures += 1
        guard failures < options.policy.attempts else {
          return .repair(model: model.name, .otherBlock(block))
        }
        let wait = options.policy.wait(afterFailures: failures, serverAsks: nil, random: &random)
        // Ended early by cancellation alone, and then the process ends.
        try? await Task.sleep(for: .seconds(wait))
      }
      try move(list.range(of: block), from: copy, to: descriptor, path: model.path)
    }
    guard fsync(descriptor) == 0 else { throw .file(path: model.path, call: "fsync", code: errno) }
    // The record keeps the hash it had; what changed is when the file was written.
    try await store.register(
      name: model.name, path: model.path, isLinked: false, sha256: model.sha256, source: model.source,
      blocks: hashes)
    return nil
  }

  private func move(_ range: Range<Int>, from: Int32, to: Int32, path: String) throws(ModelStoreError) {
    var bytes = [UInt8](repeating: 0, count: range.count)
    guard pread(from, &bytes, bytes.count, off_t(range.lowerBound)) == bytes.count,
      pwrite(to, bytes, bytes.count, off_t(range.lowerBound)) == bytes.count
    else { throw .file(path: path, call: "write", code: errno) }
  }
}
