extension SchemaMerging {
  /// The schema that admits what both admit; nil where they contradict each other.
  func merge(_ one: JSONText, _ other: JSONText, at pointer: String) throws(SchemaError) -> JSONText? {
    guard let first = try closing(one, against: other, at: pointer),
      let second = try closing(other, against: one, at: pointer)
    else { return nil }
    var result = first
    for member in second.members {
      guard let own = result[member.name] else {
        result = result.setting(member.name, member.value)
        continue
      }
      guard own != member.value else { continue }
      guard let both = try merge(member.name, own, member.value, at: pointer) else { return nil }
      result = result.setting(member.name, both)
    }
    return result
  }

  /// A schema whose properties keep to what the other one says of properties it does not name.
  private func closing(
    _ schema: JSONText, against other: JSONText, at pointer: String
  ) throws(SchemaError) -> JSONText? {
    guard let additional = other["additionalProperties"], additional != .bool(true) else { return schema }
    let named = other["properties"] ?? .object([])
    let extra = (schema["properties"]?.members ?? []).filter { named[$0.name] == nil }
    guard !extra.isEmpty else { return schema }
    guard other["patternProperties"] == nil else { throw .unsupported(keyword: "patternProperties", at: pointer) }
    var properties = schema["properties"] ?? .object([])
    if additional == .bool(false) {
      let required = schema["required"]?.items ?? []
      if extra.contains(where: { required.contains(.string($0.name)) }) { return nil }
      properties = properties.removing(Set(extra.map(\.name)))
    } else {
      for member in extra { properties = properties.setting(member.name, Self.both(member.value, additional)) }
    }
    return schema.setting("properties", properties)
  }

  private static func both(_ one: JSONText, _ other: JSONText) -> JSONText {
    .object([.init(name: "allOf", value: .array([one, other]))])
  }

  /// A keyword's value that says what two values say; nil where nothing fits both.
  private func merge(
    _ keyword: String, _ one: JSONText, _ other: JSONText, at pointer: String
  ) throws(SchemaError) -> JSONText? {
    switch keyword {
    case "type": return Self.commonTypes(one, other)
    case "properties", "patternProperties":
      var result = one
      for member in other.members {
        result = result.setting(
          member.name, result[member.name].map { Self.both($0, member.value) } ?? member.value)
      }
      return result
    case "required":
      let own = one.items ?? []
      return .array(own + (other.items ?? []).filter { !own.contains($0) })
    case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
      return try limits(keyword, one, other, at: pointer) { $0 > $1 }
    case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
      return try limits(keyword, one, other, at: pointer) { $0 < $1 }
    case "enum":
      let common = (one.items ?? []).filter { value in (other.items ?? []).contains { $0.isEqual(value) } }
      return common.isEmpty ? nil : .array(common)
    case "const": return one.isEqual(other) ? one : nil
    case "items", "additionalItems":
      guard one.items == nil, other.items == nil else { throw .unsupported(keyword: keyword, at: pointer) }
      return Self.both(one, other)
    case "additionalProperties":
      if one == .bool(false) || other == .bool(false) { return .bool(false) }
      return one == .bool(true) ? other : other == .bool(true) ? one : Self.both(one, other)
    case "uniqueItems", "nullable":
      let isEither = one == .bool(true) || other == .bool(true)
      return .bool(keyword == "uniqueItems" ? isEither : one == .bool(true) && other == .bool(true))
    case "pattern", "format", "multipleOf", "prefixItems", "not", "if", "then", "else", "contains":
      throw .unsupported(keyword: keyword, at: pointer)
    default: return one
    }
  }

  private func limits(
    _ keyword: String, _ one: JSONText, _ other: JSONText, at pointer: String,
    _ isTighter: (Double, Double) -> Bool
  ) throws(SchemaError) -> JSONText {
    guard let first = one.number, let second = other.number else {
      throw .badValue(keyword: keyword, at: pointer, expected: "a number")
    }
    return isTighter(first, second) ? one : other
  }

  private static func commonTypes(_ one: JSONText, _ other: JSONText) -> JSONText? {
    let (first, second) = (one.items ?? [one], other.items ?? [other])
    var common: [JSONText] = []
    for type in first {
      if second.contains(type) {
        common.append(type)
      } else if type == .string("number"), second.contains(.string("integer")) {
        common.append(.string("integer"))
      } else if type == .string("integer"), second.contains(.string("number")) {
        common.append(type)
      }
    }
    return common.isEmpty ? nil : common.count == 1 ? common[0] : .array(common)
  }
}
