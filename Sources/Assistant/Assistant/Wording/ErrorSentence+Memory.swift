import Foundation
import ModelStore

extension ErrorSentence {
  /// Says that a model does not fit into the memory, and the ways out.
  /// - Parameter smaller: a smaller form of the same model, and the bytes it takes.
  package static func noMemory(
    for name: String, _ judgement: LoadJudgement, smaller: (name: String, byteCount: Int)?
  ) -> String {
    let estimate = judgement.estimate
    func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
    var ways: [String] = []
    if let smaller {
      ways.append("a smaller form: \(smaller.name) takes \(size(smaller.byteCount))")
    } else {
      ways.append("a smaller form: `alcove models catalog` shows what fits")
    }
    ways.append(
      judgement.fittingContext.map { "a smaller context: --set model.context=\($0) fits" }
        ?? "a smaller context is not enough")
    if let total = judgement.quantizedCacheTotal {
      ways.append("a KV cache in eight bits: --set model.cache=q8_0 makes it \(size(total))")
    }
    return """
      \(name) takes \(size(estimate.total)) with a context of \(judgement.context) tokens (weights \
      \(size(estimate.weights)), KV cache \(size(estimate.cache)), work space \
      \(size(estimate.activations + estimate.surroundings))), but \(size(judgement.memory.available)) are free\
      \(judgement.memory.limitedBy.map { " (\($0))" } ?? ""). Ways out: \(ways.joined(separator: "; ")). --force \
      loads it all the same.
      """
  }

  /// Says that there is no room for a model next to those at work.
  package static func noRoom(for name: String, needed: Int, missing: Int, atWork: [String]) -> String {
    func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
    let others = atWork.isEmpty ? "" : ", and \(atWork.joined(separator: ", ")) is at work"
    return "\(name) takes \(size(needed)), of which \(size(missing)) are missing\(others); "
      + "close other programs, take a smaller form, or load it all the same with --force."
  }
}
