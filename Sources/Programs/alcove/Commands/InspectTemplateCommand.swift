import Assistant
import ChatTemplates
import Foundation
import ModelFormats
import Terminal
import TextGeneration
import Tokenization

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
    let template = try template(in: try invocation.required("FILE"), program)
    let context = try context(in: try invocation.required("context", isOption: true), invocation)
    let rendered = try template.render(context)
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

  @MainActor private static func template(in path: String, _ program: Program) throws -> ChatTemplate {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    let isModel = try file.read(upToCount: 4) == Data("GGUF".utf8)
    try file.close()
    guard isModel else { return try ChatTemplate(String(decoding: try ShellInput.data(path), as: UTF8.self)) }
    let header = try GGUFFile(path: path).header
    if let source = try header.string("tokenizer.chat_template") { return try ChatTemplate(source) }
    let tokenizer = try Tokenizer(header)
    let (template, standard) = try ChatTemplate.standard(
      architecture: try header.string("general.architecture") ?? "",
      modelName: try header.string("general.name") ?? "", hasToken: { tokenizer.token(written: $0) != nil })
    switch standard {
    case .family(let name): program.notice("the model file has no chat template; that of \(name) is used")
    case .chatML: program.notice("the model file has no chat template; ChatML is used, which may not fit")
    }
    return template
  }

  private static func context(in path: String, _ invocation: Invocation) throws -> TemplateContext {
    let data = try ShellInput.data(path)
    let json: TemplateValue
    do {
      json = try TemplateValue(json: String(decoding: data, as: UTF8.self))
    } catch {
      throw UsageError(message: "\(path) is not JSON from byte \(error.byte) on", path: invocation.path)
    }
    guard case .object(var members) = json else {
      throw UsageError(message: "\(path) has to hold a JSON object", path: invocation.path)
    }
    var context = TemplateContext()
    if let index = members.firstIndex(where: { $0.key == "now" }) {
      guard case .string(let now) = members[index].value, let time = TemplateTime(now) else {
        throw UsageError(message: "now has to be a time such as 2026-01-15T10:30:00", path: invocation.path)
      }
      context.time = time
      members.remove(at: index)
    }
    // What the program and the model file would say is the template's own; the rest came from outside.
    let own: Set<String> = ["bos_token", "eos_token", "pad_token", "unk_token", "add_generation_prompt"]
    context.trusted = members.filter { own.contains($0.key) }
    context.variables = members.filter { !own.contains($0.key) }
    return context
  }
}
