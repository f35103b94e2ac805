import JSON

extension SchemaMerging {
  /// Returns a schema that admits the values that both admit; nil where they contradict each other.
  func merge(_ one: JSON, _ other: JSON, at pointer: String) throws(SchemaError) -> JSON? {
    var (first, second) = (one, other)
    if Self.isAboutUnnamed(one) || Self.isAboutUnnamed(other) {
      let names = Self.names(one, other)
      (first, second) = (
        try naming(names, in: one, at: pointer), try naming(names, in: other, at: pointer)
      )
    }
    (first, second) = Self.tupled(first, second)
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

  // MARK: Members that are not named

  private static func isAboutUnnamed(_ schema: JSON) -> Bool {
    ["additionalProperties", "patternProperties", unnamed].contains { schema[$0] != nil }
  }

  private static func names(_ one: JSON, _ other: JSON) -> [String] {
    var names: [String] = []
    for member in (one["properties"] ?? .null).members + (other["properties"] ?? .null).members
    where !names.contains(member.name) {
      names.append(member.name)
    }
    return names
  }

  /// A schema that says of some names itself what it says of them by patterns or as of any other; the rest of that
  /// becomes one of the entries of ``unnamed``.
  private func naming(_ names: [String], in schema: JSON, at pointer: String) throws(SchemaError) -> JSON {
    let sides = SchemaSide.all(of: schema)
    let own = schema["properties"] ?? .object([])
    var properties = JSON.object([])
    for name in names {
      var values = own[name].map { [$0] } ?? []
      for side in sides {
        values += try side.values(for: name, isNamed: side.isOwn && own[name] != nil, at: pointer)
      }
      if !values.isEmpty { properties = properties.setting(name, Self.all(values)) }
    }
    var result = schema.removing(["patternProperties", "additionalProperties", Self.unnamed])
    if properties != .object([]) || schema["properties"] != nil {
      result = result.setting("properties", properties)
    }
    return sides.isEmpty ? result : result.setting(Self.unnamed, .array(sides.map(\.text)))
  }

  // MARK: Items

  /// Returns two schemas of which at most one constrains the items behind those with places of their own.
  private static func tupled(_ one: JSON, _ other: JSON) -> (JSON, JSON) {
    func places(_ schema: JSON) -> [JSON]? { schema["prefixItems"]?.items ?? schema["items"]?.items }
    func rest(_ schema: JSON) -> JSON? {
      schema["prefixItems"] == nil && schema["items"]?.items != nil ? schema["additionalItems"] : schema["items"]
    }
    let (first, second) = (places(one), places(other))
    guard first != nil || second != nil, first != second || rest(one) != rest(other) else { return (one, other) }
    func item(_ place: Int, _ schema: JSON) -> JSON {
      let own = places(schema) ?? []
      return place < own.count ? own[place] : rest(schema) ?? .bool(true)
    }
    let joined = (0..<max(first?.count ?? 0, second?.count ?? 0)).map { all([item($0, one), item($0, other)]) }
    func bare(_ schema: JSON) -> JSON {
      let bare = schema.removing(["prefixItems", "items", "additionalItems"])
      return rest(schema).map { bare.setting("items", $0) } ?? bare
    }
    return (bare(one).setting("prefixItems", .array(joined)), bare(other))
  }

  private static func both(_ one: JSON, _ other: JSON) -> JSON { all([one, other]) }

  /// Returns a schema that admits the values that all admit.
  static func all(_ schemas: [JSON]) -> JSON {
    if schemas.contains(.bool(false)) { return .bool(false) }
    var parts: [JSON] = []
    for schema in schemas where schema != .bool(true) && schema != .object([]) && !parts.contains(schema) {
      parts.append(schema)
    }
    return parts.isEmpty
      ? .bool(true) : parts.count == 1 ? parts[0] : .object([("allOf", .array(parts))])
  }

  /// Returns a schema that admits the values that any admits.
  static func any(_ schemas: [JSON]) -> JSON {
    if schemas.contains(.bool(true)) { return .bool(true) }
    let parts = schemas.filter { $0 != .bool(false) }
    return parts.isEmpty
      ? .bool(false) : parts.count == 1 ? parts[0] : .object([("anyOf", .array(parts))])
  }

  // MARK: Keywords of our own

  private static let conjunctionKey = "\u{1}all"
  /// Keyword of patterns that a string must not match.
  static let refusedPattern = "\u{1}refusedPattern"
  /// Keyword of lists of texts that a string must not be.
  static let exceptedTexts = "\u{1}exceptedTexts"
  /// Indicates whether a number must not be whole.
  static let fractional = "\u{1}fractional"
  /// Keyword of steps that a number must not be a multiple of.
  static let refusedMultiple = "\u{1}refusedMultiple"
  /// Schemas that members must fit where they are there, which does not name them.
  static let memberConditions = "\u{1}members"
  /// Schemas of several schemas for members that none of them names.
  static let unnamed = "\u{1}unnamed"
  /// Schemas that items must fit, with how often.
  static let contents = "\u{1}contents"

  /// Returns the values of a keyword that several schemas gave.
  static func conjunction(_ value: JSON?) -> [JSON] {
    guard let value else { return [] }
    return value[conjunctionKey]?.items ?? [value]
  }

  /// Returns a keyword's value that says the same as two values together; nil where nothing fits both.
  private func merge(
    _ keyword: String, _ one: JSON, _ other: JSON, at pointer: String
  ) throws(SchemaError) -> JSON? {
    switch keyword {
    case "type": return Self.commonTypes(one, other)
    case "properties", Self.memberConditions:
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
    case "propertyNames": return Self.both(one, other)
    case Self.unnamed, Self.contents: return .array((one.items ?? []) + (other.items ?? []))
    case "uniqueItems", "nullable":
      let isEither = one == .bool(true) || other == .bool(true)
      return .bool(keyword == "uniqueItems" ? isEither : one == .bool(true) && other == .bool(true))
    case "pattern", "format", "multipleOf", Self.refusedPattern, Self.exceptedTexts, Self.refusedMultiple:
      let own = Self.conjunction(one)
      let others = Self.conjunction(other).filter { !own.contains($0) }
      return .object([(Self.conjunctionKey, .array(own + others))])
    default: return one
    }
  }

  private func limits(
    _ keyword: String, _ one: JSON, _ other: JSON, at pointer: String,
    _ isTighter: (Double, Double) -> Bool
  ) throws(SchemaError) -> JSON {
    guard let first = one.number, let second = other.number else {
      throw .badValue(keyword: keyword, at: pointer, expected: "a number")
    }
    return isTighter(first, second) ? one : other
  }

  private static func commonTypes(_ one: JSON, _ other: JSON) -> JSON? {
    let (first, second) = (one.items ?? [one], other.items ?? [other])
    var common: [JSON] = []
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
