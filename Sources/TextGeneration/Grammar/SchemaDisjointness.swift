/// Tells whether the texts made for one schema surely do not fit another.
struct SchemaDisjointness {
  let merging: SchemaMerging

  /// Whether no text made for `one` is valid by `other`; false where that is not sure.
  func excludes(_ one: JSONText, _ other: JSONText, at pointer: String, depth: Int = 0) -> Bool {
    guard depth < 8, let first = plain(one, pointer), let second = plain(other, pointer) else { return false }
    return first.allSatisfy { mine in
      second.allSatisfy { theirs in excludes(plain: mine, theirs, at: pointer, depth: depth) }
    }
  }

  private func plain(_ schema: JSONText, _ pointer: String) -> [JSONText]? {
    // What cannot be read is not sure.
    guard let parts = try? merging.flattened(schema, at: pointer) else { return nil }
    var result: [JSONText] = []
    for part in parts {
      guard let expanded = try? merging.expanded(part) else { return nil }
      result += expanded.map(\.schema)
    }
    return result
  }

  private func excludes(plain one: JSONText, _ other: JSONText, at pointer: String, depth: Int) -> Bool {
    let check = SchemaCheck(root: merging.root)
    if let value = one["const"] { return !check.admits(value, other) }
    if let values = one["enum"]?.items { return values.allSatisfy { !check.admits($0, other) } }
    guard let compiler = try? SchemaCompiler("true"), let types = try? compiler.types(of: one, at: pointer),
      !types.isEmpty
    else { return false }
    return types.allSatisfy { type in
      excludes(type: type, one, other)
        || type == "object" && excludes(object: one, other, at: pointer, depth: depth)
    }
  }

  private func excludes(type: String, _ one: JSONText, _ other: JSONText) -> Bool {
    if let value = other["const"], value.typeName != type, type != "number" || value.typeName != "integer" {
      return true
    }
    if let values = other["enum"]?.items,
      values.allSatisfy({ $0.typeName != type && (type != "number" || $0.typeName != "integer") })
    {
      return true
    }
    if let named = other["type"] {
      let theirs = (named.items ?? [named]).compactMap(\.text) + (other["nullable"] == .bool(true) ? ["null"] : [])
      let isShared = theirs.contains { $0 == type || Set([$0, type]) == ["number", "integer"] }
      if !isShared { return true }
    }
    func isBelow(_ most: String, _ least: String) -> Bool {
      func apart(_ low: JSONText, _ high: JSONText) -> Bool {
        guard let top = low[most]?.number, let bottom = high[least]?.number else { return false }
        return top < bottom
      }
      return apart(one, other) || apart(other, one)
    }
    switch type {
    case "string": return isBelow("maxLength", "minLength")
    case "array": return isBelow("maxItems", "minItems")
    case "number", "integer":
      return isBelow("maximum", "minimum") || isBelow("exclusiveMaximum", "minimum")
        || isBelow("maximum", "exclusiveMinimum")
    default: return false
    }
  }

  private func excludes(object one: JSONText, _ other: JSONText, at pointer: String, depth: Int) -> Bool {
    let (mine, theirs) = (one["properties"] ?? .object([]), other["properties"] ?? .object([]))
    let always = (one["required"]?.items ?? []).compactMap(\.text)
    let needed = (other["required"]?.items ?? []).compactMap(\.text)
    // Objects are made without properties that are not named, unless the schema asks for them.
    let isClosed = one["additionalProperties"] ?? .bool(false) == .bool(false) && one["patternProperties"] == nil
    if isClosed, needed.contains(where: { mine[$0] == nil && !always.contains($0) }) { return true }
    for name in always {
      if let own = mine[name], let their = theirs[name], excludes(own, their, at: pointer, depth: depth + 1) {
        return true
      }
      if theirs[name] == nil, other["additionalProperties"] == .bool(false), other["patternProperties"] == nil {
        return true
      }
    }
    return false
  }
}

/// A check of values that errs on the side of admitting.
struct SchemaCheck {
  let root: JSONText

  /// Whether a value may be valid; false only where it surely is not.
  func admits(_ value: JSONText, _ schema: JSONText, depth: Int = 0) -> Bool {
    guard depth < 16 else { return true }
    if schema == .bool(false) { return false }
    if let type = schema["type"] {
      let names = (type.items ?? [type]).compactMap(\.text) + (schema["nullable"] == .bool(true) ? ["null"] : [])
      let own = value.typeName
      guard names.contains(own) || own == "integer" && names.contains("number") else { return false }
    }
    if let only = schema["const"], !only.isEqual(value) { return false }
    if let values = schema["enum"]?.items, !values.contains(where: { $0.isEqual(value) }) { return false }
    func within(_ size: Double, _ least: String, _ most: String) -> Bool {
      size >= schema[least]?.number ?? -.infinity && size <= schema[most]?.number ?? .infinity
    }
    switch value {
    case .number:
      guard let number = value.number else { return true }
      guard within(number, "minimum", "maximum") else { return false }
      if let bound = schema["exclusiveMinimum"]?.number, number <= bound { return false }
      if let bound = schema["exclusiveMaximum"]?.number, number >= bound { return false }
      return true
    case .string(let text): return within(Double(text.unicodeScalars.count), "minLength", "maxLength")
    case .array(let items): return within(Double(items.count), "minItems", "maxItems")
    case .object(let members):
      let needed = (schema["required"]?.items ?? []).compactMap(\.text)
      guard needed.allSatisfy({ value[$0] != nil }) else { return false }
      return members.allSatisfy { member in
        if let own = schema["properties"]?[member.name] { return admits(member.value, own, depth: depth + 1) }
        return schema["additionalProperties"] != .bool(false) || schema["patternProperties"] != nil
      }
    default: return true
    }
  }
}
