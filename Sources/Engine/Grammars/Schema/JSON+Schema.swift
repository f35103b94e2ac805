import JSON

extension JSON {
  /// Indicates whether two values are equal as JSON Schema has it: numbers by value, objects whatever their order.
  func isEqual(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)): return one == two || Double(one) == Double(two)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.isEqual($1) }
    case (.object(let one), .object(let two)):
      return one.count == two.count
        && one.allSatisfy { member in other[member.name]?.isEqual(member.value) ?? false }
    default: return self == other
    }
  }

  /// Returns the object without some properties.
  func removing(_ names: Set<String>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members: members.filter { !names.contains($0.name) })
  }

  /// Returns the object with a property set.
  func setting(_ name: String, _ value: JSON) -> JSON {
    guard case .object(var members) = self else { return self }
    if let place = members.lastIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append(Member(name: name, value: value))
    }
    return .object(members: members)
  }

  var members: [Member] { if case .object(let members) = self { members } else { [] } }
  var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

  /// Keywords that do not constrain values.
  private static let annotations: Set<String> = [
    "$schema", "$id", "id", "$comment", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs",
    "definitions", "title", "description",
    "default",
    "examples", "example", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
    "discriminator",
  ]

  /// Indicates whether a schema says anything about what is valid.
  var hasConstraints: Bool {
    members.contains { !Self.annotations.contains($0.name) && !$0.name.hasPrefix("x-") }
  }

  /// Name of the value's type in JSON Schema.
  var typeName: String {
    switch self {
    case .null: return "null"
    case .bool: return "boolean"
    case .number(let digits):
      guard let value = Double(digits) else { return "number" }
      return value == value.rounded() ? "integer" : "number"
    case .string: return "string"
    case .array: return "array"
    case .object: return "object"
    }
  }
}
