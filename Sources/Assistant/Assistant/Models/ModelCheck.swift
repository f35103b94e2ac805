import Foundation
import ModelStore

/// Outcome of reading a model again and comparing it with its record.
package struct ModelCheck: Sendable {
  /// Fault of the file, to follow the model's name; nil where nothing is.
  package var fault: String?
  /// Blocks that differ from the record.
  package var badBlocks: [Int] = []
  /// Indicates whether the bad blocks were fetched again.
  package var wasRepaired = false

  /// The outcome for a person.
  package var sentence: String {
    if let fault { return fault }
    return wasRepaired ? "repaired; it is as it came" : "sound"
  }
}

extension ModelHost {
  /// Reads a model again and compares it with its record; cancelling the task stops it.
  package func check(_ model: ModelRecord) async throws -> ModelCheck {
    if model.presence == .gone { return ModelCheck(fault: "gone: there is no \(model.path)") }
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
    let blocks = "\(bad.count) of \(BlockHashes.count(of: max(whole.byteCount, model.byteCount))) blocks"
    return ModelCheck(
      fault: "changed since it came: \(blocks) differ"
        + (model.isLinked ? "; it is linked, so its owner may have changed it" : ""), badBlocks: bad)
  }
}
