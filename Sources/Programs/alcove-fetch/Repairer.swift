import Foundation
import ModelStore
import Platform
import Synchronization

/// Fetches the bad blocks of a model again, and takes only what has the hash that came first.
struct Repairer: Sendable {
  let store: ModelStore
  let options: Options
  let events: EventWriter

  /// Repairs a model's file in its place.
  /// - Returns: the reason it could not, or nil.
  func run(_ name: String, blocks wanted: [Int]) async -> String? {
    do {
      guard let model = try await store.models().first(where: { $0.name == name }) else {
        return "there is no model called \(name)"
      }
      guard !model.isLinked, let url = URL(string: model.source), url.scheme?.hasPrefix("http") == true else {
        return "\(name) was not downloaded, so there is no address to repair it from"
      }
      let hashes = try await store.blocks(of: model.id)
      let descriptor = open(store.folder.appending(path: name).path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return "\(name) cannot be opened: \(SystemMessage.of(errno))" }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return "another process is repairing \(name)" }
      guard ftruncate(descriptor, off_t(model.byteCount)) == 0 else { return DiskText.of(errno, missing: 0) }
      let count = BlockHashes.count(of: model.byteCount)
      guard hashes.count == count * BlockHashes.byteCount else {
        return "the hashes of the blocks of \(name) are not known, so it cannot be repaired"
      }
      return try await fetch(Set(wanted.filter { (0..<count).contains($0) }), model, hashes, url, descriptor)
    } catch {
      return DiskText.of(error)
    }
  }

  private func fetch(
    _ wanted: Set<Int>, _ model: ModelRecord, _ hashes: [UInt8], _ url: URL, _ descriptor: Int32
  ) async throws(ModelStoreError) -> String? {
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
        if outcome == .changed { return "the file on the server has changed since the download" }
        if case .stopped(let reason)? = state.stop.map(Puller.Ending.stopped) { return "\(reason)" }
        if state.shared.withLock({ $0.blocks?.hash(of: block) }) == expected { break }
        failures += 1
        guard failures < options.policy.attempts else {
          return "block \(block) comes from the server with another hash than at first"
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
