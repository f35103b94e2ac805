import Compute
import JSON
import ModelFormats
import Terminal

/// A model file's metadata and tensors, for people and for programs.
struct GGUFListing {
  let file: GGUFFile

  var json: JSON {
    let header = file.header
    return .document(
      "gguf",
      [
        ("version", .int(Int(header.version))), ("alignment", .int(header.alignment)),
        ("bytes", .int(file.byteCount)), ("parts", .strings(file.parts.map(\.path))),
        (
          "metadata",
          .array(
            header.keys.compactMap { key in header[key].map { .object([("key", .string(key))] + Self.json($0)) } }
          )
        ),
        ("tensors", .array(file.tensors.map(Self.json))),
      ])
  }

  private static func json(_ value: GGUFValue) -> [(String, JSON)] {
    guard case .array(let array) = value else {
      return [("type", .string("\(value.type)")), ("value", scalar(value))]
    }
    let facts: [(String, JSON)] = [
      ("type", .string("array")), ("elementType", .string("\(array.elementType)")), ("count", .int(array.count)),
    ]
    if let strings = array.strings { return facts + [("value", .strings(strings))] }
    // Lists of lists are told by their size alone.
    return facts + (array.scalars.map { [("value", .array($0.map(scalar)))] } ?? [])
  }

  private static func scalar(_ value: GGUFValue) -> JSON {
    switch value {
    case .string(let text): .string(text)
    case .bool(let flag): .bool(flag)
    case .float32(let number): number.isFinite ? .number(Double(number)) : .string("\(number)")
    case .float64(let number): number.isFinite ? .number(number) : .string("\(number)")
    default: value.integer.map(JSON.int) ?? .string("\(value)")
    }
  }

  private static func json(_ tensor: GGUFTensor) -> JSON {
    .object([
      ("name", .string(tensor.name)), ("type", .string(tensor.type.name)),
      ("dimensions", .array(tensor.dimensions.map(JSON.int))), ("offset", .int(tensor.offset)),
      ("bytes", .int(tensor.byteCount)),
    ])
  }

  func text(ink: Ink) -> String {
    let header = file.header
    var text = "GGUF \(header.version), \(file.byteCount) bytes in \(file.parts.count) "
    text += file.parts.count == 1 ? "file\n\n" : "files\n\n"
    var keys = Table(columns: [.init("Key"), .init("Type"), .init("Value", isFlexible: true)])
    for key in header.keys {
      guard let value = header[key] else { continue }
      keys.add([key, "\(value.type)", Self.summary(value)])
    }
    text += keys.text(width: nil, ink: ink) + "\n"
    var tensors = Table(columns: [
      .init("Tensor"), .init("Type"), .init("Dimensions"), .init("Bytes", isRightAligned: true),
    ])
    for tensor in file.tensors {
      tensors.add([
        tensor.name, tensor.type.name, tensor.dimensions.map(String.init).joined(separator: " × "),
        String(tensor.byteCount),
      ])
    }
    return text + tensors.text(width: nil, ink: ink)
  }

  /// The value on one line, long ones cut.
  private static func summary(_ value: GGUFValue) -> String {
    func cut(_ text: String) -> String {
      let line = TextSanitizer.line(text)
      return line.count > 80 ? line.prefix(79) + "…" : line
    }
    switch value {
    case .string(let text): return cut(text)
    case .bool(let flag): return "\(flag)"
    case .array(let array):
      var start: [String] = []
      array.forEachString {
        if start.count < 8 { start.append("\"" + String(decoding: $0, as: UTF8.self) + "\"") }
      }
      if let scalars = array.scalars { start = scalars.prefix(8).map(summary) }
      return cut("\(array.count) × \(array.elementType): " + start.joined(separator: ", "))
    default:
      if let integer = value.integer { return String(integer) }
      return value.number.map { "\($0)" } ?? "\(value)"
    }
  }
}
