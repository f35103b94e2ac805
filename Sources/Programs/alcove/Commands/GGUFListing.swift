import Assistant
import JSON
import Terminal

/// Listing of a model file's metadata and tensors, for people and for programs.
struct GGUFListing {
  let file: InspectedModelFile

  var json: JSON {
    .document(
      "gguf",
      [
        ("version", .int(file.version)), ("alignment", .int(file.alignment)), ("bytes", .int(file.byteCount)),
        ("parts", .strings(file.parts)),
        ("metadata", .array(file.entries.map { .object([("key", .string($0.key))] + Self.members(of: $0)) })),
        ("tensors", .array(file.tensors.map(Self.json))),
      ])
  }

  private static func members(of entry: InspectedModelFile.Entry) -> [(String, JSON)] {
    switch entry.content {
    case .scalar(let value): return [("type", .string(entry.type)), ("value", json(value))]
    case .list(let elementType, let count, let elements):
      let facts: [(String, JSON)] = [
        ("type", .string("array")), ("elementType", .string(elementType)), ("count", .int(count)),
      ]
      // Of lists of lists only the size is told.
      return facts + (elements.map { [("value", .array($0.map(json)))] } ?? [])
    }
  }

  private static func json(_ value: InspectedModelFile.Scalar) -> JSON {
    switch value {
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .integer(let number): .int(number)
    case .number(let number): .number(number)
    }
  }

  private static func json(_ tensor: InspectedModelFile.Tensor) -> JSON {
    .object([
      ("name", .string(tensor.name)), ("type", .string(tensor.type)),
      ("dimensions", .array(tensor.dimensions.map(JSON.int))), ("offset", .int(tensor.offset)),
      ("bytes", .int(tensor.byteCount)),
    ])
  }

  func text(ink: Ink) -> String {
    var text = "GGUF \(file.version), \(file.byteCount) bytes in \(file.parts.count) "
    text += file.parts.count == 1 ? "file\n\n" : "files\n\n"
    var keys = Table(columns: [.init("Key"), .init("Type"), .init("Value", isFlexible: true)])
    for entry in file.entries { keys.add([entry.key, entry.type, Self.cut(entry.summary)]) }
    text += keys.text(width: nil, ink: ink) + "\n"
    var tensors = Table(columns: [
      .init("Tensor"), .init("Type"), .init("Dimensions"), .init("Bytes", isRightAligned: true),
    ])
    for tensor in file.tensors {
      tensors.add([
        tensor.name, tensor.type, tensor.dimensions.map(String.init).joined(separator: " × "),
        String(tensor.byteCount),
      ])
    }
    return text + tensors.text(width: nil, ink: ink)
  }

  /// A value on one line; a long one is cut.
  private static func cut(_ text: String) -> String {
    let line = TextSanitizer.line(text)
    return line.count > 80 ? line.prefix(79) + "…" : line
  }
}
