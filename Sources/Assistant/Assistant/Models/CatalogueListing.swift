import Foundation
import JSON
import ModelStore

/// Models worth fetching, for people and for programs.
package struct CatalogueListing {
  private let choices: [Catalogue.Choice]
  private let memory: MachineMemory

  /// Names of the kinds of models.
  package static var kinds: [String] { ModelKind.allCases.map(\.rawValue) }

  /// Judges each model by the memory that is free.
  /// - Parameter kind: only models of this kind; nil for all.
  @MainActor
  package init(_ host: ModelHost, kind: String?) throws {
    memory = host.memory()
    let kind = kind.flatMap(ModelKind.init)
    choices = try host.catalogue().choices(memory: memory).filter { kind == nil || $0.entry.kind == kind }
  }

  /// Name, form, file size, memory with contexts of 4k and 16k tokens, verdict and use of each model.
  package var rows: [[String]] {
    choices.map { choice in
      let (entry, file) = (choice.entry, choice.file)
      let about = file.bytes == nil ? "≈ " : ""
      let hasContext = entry.kind == .text
      return [
        (choice.isRecommended ? "* " : "  ") + entry.name, file.quantization,
        about + entry.byteCount(of: file).memorySize,
        entry.memory(of: file, context: hasContext ? 4096 : entry.context).memorySize,
        hasContext ? entry.memory(of: file, context: 16_384).memorySize : "", choice.verdict.rawValue,
        entry.goodFor,
      ]
    }
  }

  /// Sentence on the memory that is free.
  package var note: String {
    "\(memory.available.memorySize) of \(memory.total.memorySize) memory are free"
      + (memory.limitedBy.map { " (\($0))" } ?? "")
      + ". * is the one to begin with; `alcove models pull NAME` fetches a model."
  }

  /// The listing as a document.
  package var json: JSON {
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
