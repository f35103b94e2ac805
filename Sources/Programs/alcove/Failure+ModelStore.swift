import Assistant
import Foundation
import ModelStore
import Platform
import Terminal

extension Failure {
  /// Says what is wrong with the models on this machine, or nil for another kind of error.
  static func explainModelStore(_ error: any Error) -> (sentence: String, code: ExitCode)? {
    switch error {
    case let error as MemoryRefusal: (sentence(error), .doesNotFit)
    case let error as RoomRefusal: (sentence(error), .doesNotFit)
    case let error as ModelStoreError: explain(error)
    case let error as FetchFailure: (error.reason, error.code)
    default: nil
    }
  }

  private static func sentence(_ refusal: MemoryRefusal) -> String {
    let judgement = refusal.judgement
    let estimate = judgement.estimate
    func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
    var ways: [String] = []
    if let smaller = refusal.smaller {
      ways.append("a smaller form: \(smaller.name) takes \(size(smaller.byteCount))")
    } else {
      ways.append("a smaller form: `alcove models catalog` shows what fits")
    }
    ways.append(
      judgement.fittingContext.map { "a smaller context: --set model.context=\($0) fits" }
        ?? "a smaller context is not enough")
    if let total = judgement.quantizedCacheTotal {
      ways.append("keys and values in eight bits: --set model.cache=q8_0 makes it \(size(total))")
    }
    return """
      \(refusal.name) takes \(size(estimate.total)) with a context of \(judgement.context) tokens (weights \
      \(size(estimate.weights)), keys and values \(size(estimate.cache)), work space \
      \(size(estimate.activations + estimate.surroundings))), but \(size(judgement.memory.available)) are free\
      \(judgement.memory.limitedBy.map { " (\($0))" } ?? ""). Ways out: \(ways.joined(separator: "; ")). --force \
      loads it all the same.
      """
  }

  private static func sentence(_ refusal: RoomRefusal) -> String {
    func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
    let others = refusal.atWork.isEmpty ? "" : ", and \(refusal.atWork.joined(separator: ", ")) is at work"
    return
      "\(refusal.name) takes \(size(refusal.needed)), of which \(size(refusal.missing)) are missing\(others); "
      + "close other programs, take a smaller form, or load it all the same with --force."
  }

  private static func explain(_ error: ModelStoreError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let path, let call, let code):
      ("\(path) cannot be used (\(call)): \(SystemMessage.of(code))", code == ENOENT ? .notFound : .failure)
    case .database(let error): (ErrorSentence.describe(error), .failure)
    case .catalogue(let path, let reason): ("the catalogue \(path) cannot be read: \(reason)", .failure)
    case .unknown(let name):
      (
        "there is no model '\(name)'; `alcove models list` and `alcove models catalog` show those there are",
        .notFound
      )
    case .exists(let name):
      ("there is a model called \(name) already; `alcove models remove` makes room", .failure)
    case .notAModel(let path, let fault): ("\(path) \(fault.sentence)", .integrity)
    case .badAddress(let text, let reason): ("'\(text)' cannot be fetched: \(reason)", .usage)
    case .diskFull(let missing, let path):
      ("\(path) lacks \(missing.formatted(.byteCount(style: .memory))) of room", .failure)
    case .wrongHash(let path, let expected, let found):
      ("\(path) has the SHA-256 \(found), not \(expected)", .integrity)
    case .busy(let name): ("\(name) is being fetched by another Alcove from another address", .failure)
    }
  }
}
