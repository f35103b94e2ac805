import Assistant
import Foundation
import JSON
import ModelStore
import Terminal

extension Command {
  static let modelsFit = Command(
    name: "fit", summary: "estimate the memory a model takes, part by part, without loading it",
    arguments: [Argument(name: "MODEL", kind: .model)],
    options: [
      Option(
        name: "context", value: ("TOKENS", .integer(1...(1 << 24))), help: "with a context of so many tokens"),
      Option(
        name: "cache", value: ("FORM", .choice(CacheForm.allCases.map(\.rawValue))),
        help: "how keys and values are kept"),
      Option(name: "json", help: "write JSON"),
    ]
  ) { invocation, program in
    let fit = try program.models.judge(
      model: invocation.value("MODEL") ?? "", context: invocation.integer("context"),
      cache: invocation.value("cache").flatMap(CacheForm.init))
    let (judgement, estimate) = (fit.judgement, fit.judgement.estimate)
    if invocation.has("json") {
      program.output.writeLine(
        JSON.document(
          "models-fit",
          [
            ("path", .string(fit.path)), ("context", .int(judgement.context)), ("weights", .int(estimate.weights)),
            ("cache", .int(estimate.cache)), ("activations", .int(estimate.activations)),
            ("surroundings", .int(estimate.surroundings)), ("total", .int(estimate.total)),
            ("available", .int(judgement.memory.available)), ("fits", .bool(judgement.fits)),
            ("fittingContext", judgement.fittingContext.map(JSON.int) ?? .null),
            ("verdict", .string(fit.verdict.rawValue)),
          ]
        ).text)
    } else {
      for (what, byteCount) in [
        ("weights", estimate.weights), ("keys and values of \(judgement.context) tokens", estimate.cache),
        ("work space", estimate.activations), ("vocabulary and program", estimate.surroundings),
        ("all", estimate.total),
        ("free now", judgement.memory.available),
      ] { program.output.writeLine("\(Program.size(byteCount))  \(what)") }
      program.output.writeLine(fit.verdict.rawValue)
    }
    return judgement.fits ? .ok : .doesNotFit
  }
}
