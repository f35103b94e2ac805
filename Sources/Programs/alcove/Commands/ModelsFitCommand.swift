import Assistant
import Foundation
import JSON
import ModelFormats
import ModelStore
import Terminal

extension Command {
  static let modelsFit = Command(
    name: "fit", summary: "reckon the memory a model takes, part by part, without loading it",
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
    let path = try program.modelFile(invocation.value("MODEL") ?? "")
    let file = try GGUFFile(path: path)
    let shape = try ModelShape(file.header, tensors: file.tensors)
    let set = try program.settings().integer("model.context")
    let context = invocation.integer("context") ?? (set == 0 ? PowerNotice.usualContext : set)
    let form = try invocation.value("cache") ?? program.settings().text("model.cache")
    let judgement = LoadJudgement(
      shape, context: context, cache: CacheForm(rawValue: form) ?? .f16, memory: program.machineMemory())
    let (estimate, verdict) = (judgement.estimate, Verdict(shape, memory: judgement.memory))
    if invocation.has("json") {
      program.output.writeLine(
        JSON.document(
          "models-fit",
          [
            ("path", .string(path)), ("context", .int(judgement.context)), ("weights", .int(estimate.weights)),
            ("cache", .int(estimate.cache)), ("activations", .int(estimate.activations)),
            ("surroundings", .int(estimate.surroundings)), ("total", .int(estimate.total)),
            ("available", .int(judgement.memory.available)), ("fits", .bool(judgement.fits)),
            ("fittingContext", judgement.fittingContext.map(JSON.int) ?? .null),
            ("verdict", .string(verdict.rawValue)),
          ]
        ).text)
    } else {
      for (what, byteCount) in [
        ("weights", estimate.weights), ("keys and values of \(judgement.context) tokens", estimate.cache),
        ("work space", estimate.activations), ("vocabulary and program", estimate.surroundings),
        ("all", estimate.total),
        ("free now", judgement.memory.available),
      ] { program.output.writeLine("\(Program.size(byteCount))  \(what)") }
      program.output.writeLine(verdict.rawValue)
    }
    return judgement.fits ? .ok : .doesNotFit
  }
}
