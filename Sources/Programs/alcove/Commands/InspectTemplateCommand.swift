import Assistant
import JSON
import Terminal

extension Command {
  static let inspectTemplate = Command(
    name: "template", surface: .shell, summary: "render a chat template",
    details: """
      The template is a file of its own or the one in a model file; for a model file without one, that of the \
      model's family is taken. The context is a JSON object of the variables, such as messages, tools and \
      bos_token; its entry now (2026-01-15T10:30:00) sets the clock.
      """,
    arguments: [Argument(name: "FILE", kind: .path)],
    options: [
      Option(name: "context", value: ("FILE", .path), help: "the variables; - reads them from standard input"),
      Option(name: "json", help: "write JSON, with the pieces that came from the template and from the variables"),
    ], examples: ["alcove inspect template model.gguf --context chat.json"]
  ) { invocation, program in
    let template = try InspectedTemplate(file: try invocation.required("FILE"), read: ShellInput.data)
    switch template.origin {
    case .file: break
    case .family(let name): program.notice("the model file has no chat template; that of \(name) is used")
    case .chatML: program.notice("the model file has no chat template; ChatML is used, which may not fit")
    }
    let file = try invocation.required("context", isOption: true)
    let rendered: InspectedTemplate.Rendering
    do {
      rendered = try template.render(try ShellInput.data(file))
    } catch let error as VariablesError {
      throw UsageError(message: ErrorSentence.describe(error, in: file), path: invocation.path)
    }
    if invocation.has("json") {
      let pieces = rendered.pieces.map { piece in
        JSON.object([("text", .string(piece.text)), ("trusted", .bool(piece.isTrusted))])
      }
      program.output.writeLine(
        JSON.document("rendering", [("text", .string(rendered.text)), ("pieces", .array(pieces))]).text)
    } else {
      // To a file or pipe the text goes as it is, to the last byte.
      program.output.write(program.output.isTerminal ? TextSanitizer.text(rendered.text) : rendered.text)
    }
    return .ok
  }
}
