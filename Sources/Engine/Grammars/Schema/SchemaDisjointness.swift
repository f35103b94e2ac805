import JSON

/// Decides whether the texts made for one schema certainly do not fit another.
struct SchemaDisjointness {
  let merging: SchemaMerging

  /// Indicates whether no text made for `one` is valid by `other`; false where that is not sure.
  func excludes(_ one: JSON, _ other: JSON, at pointer: String, depth: Int = 0) -> Bool {
    guard depth < 8, let first = plain(one, pointer), let second = plain(other, pointer) else { return false }
    return first.allSatisfy { mine in
      second.allSatisfy { theirs in excludes(plain: mine, theirs, at: pointer, depth: depth) }
    }
  }

  /// Returns the members that all objects of one schema need and those of the other neither need nor name.
  func missing(in one: JSON, neededBy other: JSON, at pointer: String) -> [String] {
    guard let mine = plain(one, pointer), let theirs = plain(other, pointer), let first = theirs.first else {
      return []
    }
    func needed(_ schema: JSON) -> [String] { (schema["required"]?.items ?? []).compactMap(\.text) }
    return needed(first).filter { name in
      theirs.allSatisfy { needed($0).contains(name) }
        && mine.allSatisfy { $0["properties"]?[name] == nil && !needed($0).contains(name) }
    }
  }

  private func plain(_ schema: JSON, _ pointer: String) -> [JSON]? {
    // A schema that cannot be read leaves it uncertain.
    guard let parts = try? merging.flattened(schema, at: pointer) else { return nil }
    var result: [JSON] = []
    for part in parts {
      guard let expanded = try? merging.expanded(part) else { return nil }
      result += expanded.map(\.schema)
    }
    return result
  }

  private func excludes(plain one: JSON, _ other: JSON, at pointer: String, depth: Int) -> Bool {
    let check = SchemaCheck(root: merging.root)
    if let value = one["const"] { return check.verdict(on: value, by: other) == false }
    if let values = one["enum"]?.items { return values.allSatisfy { check.verdict(on: $0, by: other) == false } }
    guard let compiler = try? SchemaCompiler("true"), let types = try? compiler.types(of: one, at: pointer),
      !types.isEmpty
    else { return false }
    return types.allSatisfy { type in
      excludes(type: type, one, other)
        || type == "object" && excludes(object: one, other, at: pointer, depth: depth)
    }
  }

  private func excludes(type: String, _ one: JSON, _ other: JSON) -> Bool {
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
      func apart(_ low: JSON, _ high: JSON) -> Bool {
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

  private func excludes(object one: JSON, _ other: JSON, at pointer: String, depth: Int) -> Bool {
    let (mine, theirs) = (one["properties"] ?? .object([]), other["properties"] ?? .object([]))
    let always = (one["required"]?.items ?? []).compactMap(\.text)
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
