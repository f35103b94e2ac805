import JSON

/// Negates schemas, as alternatives that grammars can be made of.
extension SchemaMerging {
  private static let types = ["null", "boolean", "object", "array", "number", "string"]

  /// Returns a schema that admits exactly the values that another does not.
  /// - Throws: ``SchemaError/unsupported(keyword:at:)`` for a keyword whose negation no grammar can enforce.
  func negated(_ schema: JSON, at pointer: String) throws(SchemaError) -> JSON {
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit, at: pointer) }
    try spend(at: pointer)
    var deeper = self
    deeper.depth += 1
    guard case .object(let members) = schema else {
      guard case .bool(let flag) = schema else {
        throw .badValue(keyword: "schema", at: pointer, expected: "an object or a boolean")
      }
      return .bool(!flag)
    }
    var alternatives: [JSON] = []
    for member in members {
      alternatives += try deeper.opposites(of: member.name, member.value, in: schema, at: pointer)
    }
    return Self.any(alternatives)
  }

  private static func object(_ members: (String, JSON)...) -> JSON {
    .object(members)
  }

  private static func typed(_ type: String, _ keyword: String, _ value: JSON) -> JSON {
    object(("type", .string(type)), (keyword, value))
  }

  /// Schemas that break one keyword.
  private func opposites(
    of keyword: String, _ value: JSON, in schema: JSON, at pointer: String
  ) throws(SchemaError) -> [JSON] {
    func next(_ by: Int) throws(SchemaError) -> JSON? {
      guard let number = value.number, number == number.rounded(), abs(number) < 1e9 else {
        throw .badValue(keyword: keyword, at: pointer, expected: "a count")
      }
      let count = Int(number) + by
      return count < 0 ? nil : .int(count)
    }
    func counted(_ type: String, _ opposite: String, _ by: Int) throws(SchemaError) -> [JSON] {
      try next(by).map { [Self.typed(type, opposite, $0)] } ?? []
    }
    switch keyword {
    case "type": return Self.otherTypes(value, isNullable: schema["nullable"] == .bool(true))
    case "const": return Self.others(than: [value])
    case "enum": return Self.others(than: value.items ?? [])
    case "minimum":
      let isOpen = schema["exclusiveMinimum"] == .bool(true)
      return [Self.typed("number", isOpen ? "maximum" : "exclusiveMaximum", value)]
    case "maximum":
      let isOpen = schema["exclusiveMaximum"] == .bool(true)
      return [Self.typed("number", isOpen ? "minimum" : "exclusiveMinimum", value)]
    case "exclusiveMinimum": return value.number == nil ? [] : [Self.typed("number", "maximum", value)]
    case "exclusiveMaximum": return value.number == nil ? [] : [Self.typed("number", "minimum", value)]
    case "minLength": return try counted("string", "maxLength", -1)
    case "maxLength": return try counted("string", "minLength", 1)
    case "minItems": return try counted("array", "maxItems", -1)
    case "maxItems": return try counted("array", "minItems", 1)
    case "minProperties": return try counted("object", "maxProperties", -1)
    case "maxProperties": return try counted("object", "minProperties", 1)
    case "pattern": return [Self.typed("string", Self.refusedPattern, value)]
    case "multipleOf":
      guard case .number(let text) = value, let step = SchemaCompiler.Decimal(text), step.digits == 0 else {
        throw .unsupported(keyword: keyword, at: pointer)
      }
      return [
        Self.typed("integer", Self.refusedMultiple, value), Self.typed("number", Self.fractional, .bool(true)),
      ]
    case "format":
      if let format = value.text, StringFormats.pattern(of: format) == nil { return [] }
      throw .unsupported(keyword: keyword, at: pointer)
    case "required": return (value.items ?? []).compactMap(\.text).map { Self.typedWithout($0) }
    case "properties":
      var alternatives: [JSON] = []
      for member in value.members {
        let opposite = try negated(member.value, at: "\(pointer)/properties/\(Self.escaped(member.name))")
        if opposite == .bool(false) { continue }
        alternatives.append(
          Self.object(
            ("type", .string("object")), ("required", .array([.string(member.name)])),
            (Self.memberConditions, .object([(member.name, opposite)]))))
      }
      return alternatives
    case "items" where value.items == nil && schema["prefixItems"] == nil:
      let opposite = try negated(value, at: "\(pointer)/items")
      return opposite == .bool(false) ? [] : [Self.typed("array", "contains", opposite)]
    case "contains":
      if schema["minContains"] != nil || schema["maxContains"] != nil {
        throw .unsupported(keyword: keyword, at: pointer)
      }
      return [Self.typed("array", "items", try negated(value, at: "\(pointer)/contains"))]
    case "dependentRequired":
      return value.members.flatMap { member in
        (member.value.items ?? []).compactMap(\.text).map { name in
          Self.all([
            Self.object(("type", .string("object"))), Self.requiring([.string(member.name)]), Self.without(name),
          ])
        }
      }
    case "allOf":
      return try opposites(of: value, keyword, pointer)
    case "anyOf", "oneOf":
      // Of one of several all may be broken; that two hold at once is left out.
      return [Self.all(try opposites(of: value, keyword, pointer))]
    case "not": return [value]
    case "if":
      let (then, otherwise) = (schema["then"] ?? .bool(true), schema["else"] ?? .bool(true))
      return [
        Self.all([value, try negated(then, at: "\(pointer)/then")]),
        Self.all([try negated(value, at: "\(pointer)/if"), try negated(otherwise, at: "\(pointer)/else")]),
      ]
    case "$ref":
      let target = try resolve(value, at: pointer)
      return [try negated(target.schema, at: target.pointer)]
    case "then", "else", "nullable", "minContains", "maxContains": return []
    case "uniqueItems" where value == .bool(false), "additionalProperties" where value == .bool(true): return []
    case "uniqueItems", "additionalProperties", "patternProperties", "propertyNames", "prefixItems",
      "items", "additionalItems", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems",
      "$dynamicRef", "$recursiveRef", Self.refusedPattern, Self.exceptedTexts, Self.refusedMultiple,
      Self.fractional,
      Self.memberConditions, Self.unnamed, Self.contents:
      throw .unsupported(keyword: keyword, at: pointer)
    default: return []
    }
  }

  private func opposites(of list: JSON, _ keyword: String, _ pointer: String) throws(SchemaError) -> [JSON] {
    var alternatives: [JSON] = []
    for (index, part) in (list.items ?? []).enumerated() {
      alternatives.append(try negated(part, at: "\(pointer)/\(keyword)/\(index)"))
    }
    return alternatives
  }

  private static func typedWithout(_ name: String) -> JSON {
    all([object(("type", .string("object"))), without(name)])
  }

  private static func otherTypes(_ value: JSON, isNullable: Bool) -> [JSON] {
    let named = (value.items ?? [value]).compactMap(\.text) + (isNullable ? ["null"] : [])
    let isWholeOnly = named.contains("integer") && !named.contains("number")
    let rest = types.filter { !named.contains($0) && !(isWholeOnly && $0 == "number") }
    var alternatives = rest.isEmpty ? [] : [object(("type", .array(rest.map { .string($0) })))]
    if isWholeOnly { alternatives.append(typed("number", fractional, .bool(true))) }
    return alternatives
  }

  /// Returns schemas of the values that are not in a list.
  private static func others(than values: [JSON]) -> [JSON] {
    var byType: [String: [JSON]] = [:]
    for value in values {
      byType[value.typeName == "integer" ? "number" : value.typeName, default: []].append(value)
    }
    let free = types.filter { byType[$0] == nil }
    var alternatives = free.isEmpty ? [] : [object(("type", .array(free.map { .string($0) })))]
    if let texts = byType["string"] { alternatives.append(typed("string", exceptedTexts, .array(texts))) }
    if let flags = byType["boolean"] {
      alternatives += [true, false].filter { !flags.contains(.bool($0)) }.map { object(("const", .bool($0))) }
    }
    if let numbers = byType["number"] {
      let sorted = numbers.sorted { $0.number ?? 0 < $1.number ?? 0 }
      for (place, number) in sorted.enumerated() {
        let above = place + 1 < sorted.count ? sorted[place + 1] : nil
        if place == 0 { alternatives.append(typed("number", "exclusiveMaximum", number)) }
        let from = typed("number", "exclusiveMinimum", number)
        alternatives.append(above.map { from.setting("exclusiveMaximum", $0) } ?? from)
      }
    }
    // Arrays of another length, and objects that lack a member or have one more, are surely others.
    if let arrays = byType["array"] {
      let lengths = arrays.map { $0.items?.count ?? 0 }
      alternatives.append(typed("array", "minItems", .int((lengths.max() ?? 0) + 1)))
      if let least = lengths.min(), least > 0 {
        alternatives.append(typed("array", "maxItems", .int(least - 1)))
      }
    }
    if let objects = byType["object"] {
      let conditions = objects.map { value -> JSON in
        let own = any(value.members.map { without($0.name) })
        return value.members.isEmpty ? object(("minProperties", .int(1))) : own
      }
      alternatives.append(all([object(("type", .string("object")))] + conditions))
    }
    return alternatives
  }
}
