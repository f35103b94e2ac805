import Assistant
import Foundation
import ModelStore
import Terminal

extension Command {
  static let modelsCatalogue = Command(
    name: "catalog", aliases: ["catalogue"],
    summary: "show models worth fetching, and how each goes with this machine",
    details: """
      The verdict is reckoned from each model's own numbers (weights, keys and values of the context, work space) and the \
      memory that is free now, limits of control groups included. The quantization shown is the one that suits this \
      machine; the first model is the one to begin with. A file catalog.json in the settings folder adds entries to the \
      list, or changes those of the same name.
      """,
    options: [
      Option(name: "kind", value: ("KIND", .choice(ModelKind.allCases.map(\.rawValue))), help: "only this kind"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: ["alcove models catalog", "alcove models pull qwen2.5-3b"]
  ) { invocation, program in
    let memory = program.machineMemory()
    var choices = try program.catalogue().choices(memory: memory)
    if let kind = invocation.value("kind").flatMap(ModelKind.init) { choices.removeAll { $0.entry.kind != kind } }
    let listing = CatalogueListing(choices: choices, memory: memory)
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
    } else {
      listing.write(to: program)
    }
    return .ok
  }
}

/// The catalogue for people and for programs.
struct CatalogueListing {
  let choices: [Catalogue.Choice]
  let memory: MachineMemory

  @MainActor
  func write(to program: Program) {
    var table = Table(columns: [
      .init("name"), .init("form"), .init("file", isRightAligned: true), .init("at 4k", isRightAligned: true),
      .init("at 16k", isRightAligned: true), .init("verdict"), .init("good for", isFlexible: true),
    ])
    for choice in choices {
      let (entry, file) = (choice.entry, choice.file)
      let about = file.bytes == nil ? "≈ " : ""
      let hasContext = entry.kind == .text
      table.add([
        (choice.isRecommended ? "* " : "  ") + entry.name, file.quantization,
        about + Program.size(entry.byteCount(of: file)),
        Program.size(entry.memory(of: file, context: hasContext ? 4096 : entry.context)),
        hasContext ? Program.size(entry.memory(of: file, context: 16_384)) : "", choice.verdict.rawValue,
        entry.goodFor,
      ])
    }
    program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    program.output.writeLine(
      "\(Program.size(memory.available)) of \(Program.size(memory.total)) memory are free"
        + (memory.limitedBy.map { " (\($0))" } ?? "")
        + ". * is the one to begin with; `alcove models pull NAME` fetches a model.")
  }

  var json: JSON {
    .document(
      "catalog",
      [
        ("memoryAvailable", .int(memory.available)), ("memoryTotal", .int(memory.total)),
        ("models", .array(choices.map(Self.json))),
      ])
  }

  private static func json(_ choice: Catalogue.Choice) -> JSON {
    let (entry, file) = (choice.entry, choice.file)
    return .object([
      ("name", .string(entry.name)), ("title", .string(entry.title)), ("kind", .string(entry.kind.rawValue)),
      ("family", .string(entry.family)), ("parameters", .int(entry.parameters)),
      ("licence", .string(entry.licence)),
      ("context", .int(entry.context)), ("goodFor", .string(entry.goodFor)),
      ("repository", .string(entry.repository)), ("quantization", .string(file.quantization)),
      ("file", .string(file.file)), ("bytes", .int(entry.byteCount(of: file))),
      ("bytesAreKnown", .bool(file.bytes != nil)), ("sha256", .optional(file.sha256)),
      ("memoryAt4k", .int(entry.memory(of: file, context: 4096))),
      ("memoryAt16k", .int(entry.memory(of: file, context: 16_384))),
      ("verdict", .string(choice.verdict.rawValue)), ("recommended", .bool(choice.isRecommended)),
      ("quantizations", .strings(entry.files.map(\.quantization))),
    ])
  }
}
