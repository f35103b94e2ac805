import Assistant
import Foundation
import Terminal
import TextGeneration

extension Command {
  static let models = Command(
    name: "models", summary: "list the models on this machine and choose which one answers",
    subcommands: [.modelsList, .modelsUse, .modelsOff])

  private static let modelsList = Command(
    name: "list", aliases: ["ls"], summary: "list the GGUF files in the folder of models",
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let files = program.modelFiles()
    let chosen = try program.loadedModel?.description.path ?? program.settings().text("model.file")
    if invocation.has("json") {
      let items = files.map {
        JSON.object([("name", .string($0.name)), ("path", .string($0.path)), ("bytes", .int($0.byteCount))])
      }
      program.output.writeLine(
        JSON.document("models", [("models", .array(items)), ("chosen", .optional(chosen.isEmpty ? nil : chosen))])
          .text)
      return .ok
    }
    if files.isEmpty {
      program.output.writeLine("There are no models in \(TextSanitizer.line(program.directories.models.path)).")
    } else {
      var table = Table(columns: [.init("name", isFlexible: true), .init("size", isRightAligned: true)])
      for file in files { table.add([file.name, file.byteCount.formatted(.byteCount(style: .file))]) }
      program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    }
    if !chosen.isEmpty { program.output.writeLine("\(TextSanitizer.line(chosen)) answers.") }
    return .ok
  }

  private static let modelsUse = Command(
    name: "use", summary: "let a model answer: at the prompt for this conversation, in the shell from now on",
    arguments: [Argument(name: "MODEL", kind: .model)],
    examples: ["alcove models use llama-3.2-1b.gguf", "/models use ~/models/qwen2.5-3b.gguf"]
  ) { invocation, program in
    let name = invocation.value("MODEL") ?? ""
    if invocation.surface == .prompt {
      let model = try await program.load(model: name)
      try await program.session().use(model)
      return .ok
    }
    let path = try program.modelFile(name)
    // Loading it now tells at once whether it will do.
    try await program.load(model: path)
    try await program.set("model.file", to: path)
    try program.save("model.file")
    program.output.writeLine("\(TextSanitizer.line(path)) answers from now on.")
    return .ok
  }

  private static let modelsOff = Command(
    name: "off", summary: "let no model answer: the rule-based analysis does"
  ) { invocation, program in
    program.loadedModel = nil
    try await program.set("model.file", to: "")
    if invocation.surface == .prompt {
      try await program.session().use(nil)
    } else {
      try program.save("model.file")
    }
    program.output.writeLine("The rule-based analysis answers.")
    return .ok
  }
}
