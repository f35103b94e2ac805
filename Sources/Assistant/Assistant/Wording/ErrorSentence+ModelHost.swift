import Foundation
import ModelStore

extension ErrorSentence {
  /// Says why a model was not loaded, with the ways out.
  package static func describe(_ error: ModelHostError) -> String {
    switch error {
    case .noModelFile(let name, let known, let folder):
      "there is no model file '\(name)'" + hint(name, known, folder)
    case .noPictureModel(let name, let known, let folder):
      "there is no model for pictures '\(name)'" + hint(name, known, folder)
    case .tooLarge(let name, let judgement, let smaller): tooLarge(name, judgement, smaller)
    case .noRoom(let name, let needed, let missing, let atWork):
      "\(name) takes \(needed.memorySize), of which \(missing.memorySize) are missing"
        + (atWork.isEmpty ? "" : ", and \(atWork.joined(separator: ", ")) is at work")
        + "; close other programs, take a smaller form, or load it all the same with --force."
    }
  }

  private static func hint(_ name: String, _ known: [String], _ folder: String) -> String {
    NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ", and none of that name in \(folder)"
  }

  private static func tooLarge(
    _ name: String, _ judgement: LoadJudgement, _ smaller: (name: String, byteCount: Int)?
  ) -> String {
    let estimate = judgement.estimate
    var ways: [String] = []
    if let smaller {
      ways.append("a smaller form: \(smaller.name) takes \(smaller.byteCount.memorySize)")
    } else {
      ways.append("a smaller form: `alcove models catalog` shows what fits")
    }
    ways.append(
      judgement.fittingContext.map { "a smaller context: --set model.context=\($0) fits" }
        ?? "a smaller context is not enough")
    if let total = judgement.quantizedCacheTotal {
      ways.append("a KV cache in eight bits: --set model.cache=q8_0 makes it \(total.memorySize)")
    }
    return """
      \(name) takes \(estimate.total.memorySize) with a context of \(judgement.context) tokens (weights \
      \(estimate.weights.memorySize), KV cache \(estimate.cache.memorySize), work space \
      \((estimate.activations + estimate.surroundings).memorySize)), but \(judgement.memory.available.memorySize) are free\
      \(judgement.memory.limitedBy.map { " (\($0))" } ?? ""). Ways out: \(ways.joined(separator: "; ")). --force \
      loads it all the same.
      """
  }

}

extension ModelNotice {
  /// The notice for a person.
  package var sentence: String {
    switch self {
    case .noGraphicsEngine:
      "This version has no engine for graphics processors; the processor computes (setting model.compute)."
    case .steppedDown(let strains, let context, let threads):
      "As \(strains.map(Self.reason).joined(separator: " and ")), the model runs with a context of \(context) tokens on "
        + "\(threads) thread\(threads == 1 ? "" : "s") (power.step-down off forbids that)."
    case .answers(let name, let quantization, let window, let isLimitedByMemory):
      "\(name) (\(quantization), a window of \(window.formatted()) tokens\(isLimitedByMemory ? ", as memory allows" : "")) "
        + "answers."
    case .borrowedTemplate(let family):
      "The file has no chat template; the one of the \(family) family is used."
    case .assumedChatML: "The file has no chat template; ChatML is used, which this model may not know."
    }
  }

  private static func reason(_ strain: PowerCondition.Strain) -> String {
    switch strain {
    case .battery(let percent): "the battery is at \(percent) %"
    case .lowPowerProfile: "the low-power profile is on"
    case .throttled: "the processor is too hot"
    }
  }
}
