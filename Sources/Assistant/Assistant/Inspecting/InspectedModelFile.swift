import Compute
import ModelFormats

/// GGUF file as the engine reads it: its header's entries and its tensors.
package struct InspectedModelFile: Sendable {
  private let file: GGUFFile

  /// Opens a model file; of a model in parts, all of them.
  /// - Throws: `GGUFError`
  package init(path: String) throws { file = try GGUFFile(path: path) }

  /// Version of the format.
  package var version: Int { Int(file.header.version) }
  /// Bytes that the offset of a tensor is a multiple of.
  package var alignment: Int { file.header.alignment }
  /// Size of all parts together, in bytes.
  package var byteCount: Int { file.byteCount }
  /// Paths of the parts, in order.
  package var parts: [String] { file.parts.map(\.path) }
  /// Entries of the header, in the order of the file.
  package var entries: [Entry] {
    file.header.keys.compactMap { key in file.header[key].map { Entry(key: key, value: $0) } }
  }
  /// Tensors, in the order of the file.
  package var tensors: [Tensor] {
    file.tensors.map {
      Tensor(
        name: $0.name, type: $0.type.name, dimensions: $0.dimensions, offset: $0.offset, byteCount: $0.byteCount)
    }
  }

  /// Place and form of one tensor.
  package struct Tensor: Sendable {
    package let name: String
    package let type: String
    /// Sizes, the one that varies fastest first.
    package let dimensions: [Int]
    /// Place in its part, in bytes.
    package let offset: Int
    package let byteCount: Int
  }

  /// Scalar of the header in one of the forms that JSON has.
  package enum Scalar: Sendable {
    case text(String)
    case flag(Bool)
    case integer(Int)
    /// A finite number.
    case number(Double)
  }

  /// Content of an entry.
  package enum Content: Sendable {
    case scalar(Scalar)
    /// A list; of a list of lists, `elements` is nil.
    case list(elementType: String, count: Int, elements: [Scalar]?)
  }

  /// Entry of the header.
  package struct Entry: Sendable {
    package let key: String
    private let value: GGUFValue

    init(key: String, value: GGUFValue) {
      self.key = key
      self.value = value
    }

    /// Name of the value's type.
    package var type: String { "\(value.type)" }

    /// Whole value. A vocabulary's lists are long, so it is made when it is asked for.
    package var content: Content {
      guard case .array(let array) = value else { return .scalar(Self.scalar(value)) }
      let elements = array.strings?.map(Scalar.text) ?? array.scalars?.map(Self.scalar)
      return .list(elementType: "\(array.elementType)", count: array.count, elements: elements)
    }

    /// Value as text: of a list its size and its first eight elements.
    package var summary: String { Self.summary(value) }

    private static func scalar(_ value: GGUFValue) -> Scalar {
      switch value {
      case .string(let text): .text(text)
      case .bool(let flag): .flag(flag)
      case .float32(let number): number.isFinite ? .number(Double(number)) : .text("\(number)")
      case .float64(let number): number.isFinite ? .number(number) : .text("\(number)")
      default: value.integer.map(Scalar.integer) ?? .text("\(value)")
      }
    }

    private static func summary(_ value: GGUFValue) -> String {
      switch value {
      case .string(let text): return text
      case .bool(let flag): return "\(flag)"
      case .array(let array):
        var start: [String] = []
        array.forEachString {
          if start.count < 8 { start.append("\"" + String(decoding: $0, as: UTF8.self) + "\"") }
        }
        if let scalars = array.scalars { start = scalars.prefix(8).map(summary) }
        return "\(array.count) × \(array.elementType): " + start.joined(separator: ", ")
      default:
        if let integer = value.integer { return String(integer) }
        return value.number.map { "\($0)" } ?? "\(value)"
      }
    }
  }
}
