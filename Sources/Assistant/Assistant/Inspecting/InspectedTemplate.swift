import ChatTemplates
import Foundation
import ModelFormats
import TextGeneration
import Tokenization

/// Chat template of a file, as `alcove inspect template` renders it.
package struct InspectedTemplate: Sendable {
  /// Origin of a template.
  package enum Origin: Sendable, Equatable {
    /// It stands in the file that was named.
    case file
    /// Template of the model's family; the file has none.
    case family(String)
    /// ChatML; the file has none and the model's family is unknown.
    case chatML
  }

  /// Part of a rendered text that came from one side.
  package struct Piece: Sendable {
    package let text: String
    /// Indicates whether it came from the template or the model file, not from a variable.
    package let isTrusted: Bool
  }

  /// Rendered text.
  package struct Rendering: Sendable {
    package let text: String
    package let pieces: [Piece]
  }

  package let origin: Origin
  private let template: ChatTemplate

  /// Reads a template from a file of its own, or from a model file, which may lack one.
  /// - Parameter read: reads the bytes of a file that is no model.
  /// - Throws: `GGUFError`, `TemplateError`, or what Foundation says of an unreadable file.
  package init(file path: String, read: (String) throws -> Data) throws {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    let isModel = try file.read(upToCount: 4) == Data("GGUF".utf8)
    try file.close()
    guard isModel else {
      template = try ChatTemplate(String(decoding: try read(path), as: UTF8.self))
      origin = .file
      return
    }
    let header = try GGUFFile(path: path).header
    if let source = try header.string("tokenizer.chat_template") {
      template = try ChatTemplate(source)
      origin = .file
      return
    }
    let tokenizer = try Tokenizer(header)
    let (template, standard) = try ChatTemplate.standard(
      architecture: try header.string("general.architecture") ?? "",
      modelName: try header.string("general.name") ?? "", hasToken: { tokenizer.token(written: $0) != nil })
    self.template = template
    origin =
      switch standard {
      case .family(let name): .family(name)
      case .chatML: .chatML
      }
  }

  /// Renders the template.
  /// - Parameter variables: a JSON object of the variables; its entry `now` sets the clock.
  /// - Throws: ``VariablesError``, `TemplateError`
  package func render(_ variables: Data) throws -> Rendering {
    let rendered = try template.render(try Self.context(of: variables))
    return Rendering(
      text: rendered.text, pieces: rendered.pieces.map { Piece(text: $0.text, isTrusted: $0.isTrusted) })
  }

  private static func context(of data: Data) throws(VariablesError) -> TemplateContext {
    let json: TemplateValue
    do {
      json = try TemplateValue(json: String(decoding: data, as: UTF8.self))
    } catch {
      throw .notJSON(byte: error.byte)
    }
    guard case .object(var members) = json else { throw .noObject }
    var context = TemplateContext()
    if let index = members.firstIndex(where: { $0.key == "now" }) {
      guard case .string(let now) = members[index].value, let time = TemplateTime(now) else { throw .badTime }
      context.time = time
      members.remove(at: index)
    }
    // The values of the program and of the model file are the template's own; the rest came from outside.
    let own: Set<String> = ["bos_token", "eos_token", "pad_token", "unk_token", "add_generation_prompt"]
    context.trusted = members.filter { own.contains($0.key) }
    context.variables = members.filter { !own.contains($0.key) }
    return context
  }
}

/// Fault of the variables given to a chat template.
package enum VariablesError: Error, Sendable, Equatable {
  /// They are not JSON from this byte on.
  case notJSON(byte: Int)
  /// They are JSON, but no object.
  case noObject
  /// Their entry `now` is no time.
  case badTime
}
