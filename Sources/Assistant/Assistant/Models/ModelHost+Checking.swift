import Foundation
import ModelStore

extension ModelHost {
  /// Reads a model again and compares it with its record; cancelling the task stops it.
  package func check(_ model: ModelRecord) async throws -> ModelCheck {
    if model.presence == .gone { return ModelCheck(fault: .gone(path: model.path)) }
    // A picture model is a folder; its hash is that of its files.
    var facts = stat()
    if stat(model.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { return ModelCheck() }
    let path = model.path
    let work = Task.detached { try BlockHashes.read(path) { _ in try Task.checkCancellation() } }
    let whole = try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
    let store = try store()
    let known = try await store.blocks(of: model.id)
    guard whole.sha256 != model.sha256 else {
      // A record of an older form has none.
      if known.isEmpty { try await store.keep(blocks: whole.blocks, of: model.id) }
      return ModelCheck()
    }
    let bad = BlockHashes.differences(known, whole.blocks)
    let count = BlockHashes.count(of: max(whole.byteCount, model.byteCount))
    return ModelCheck(fault: .changed(blocks: bad.count, of: count, isLinked: model.isLinked), badBlocks: bad)
  }
}
