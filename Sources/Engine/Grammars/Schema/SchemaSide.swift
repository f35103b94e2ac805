import JSON

/// Rules of one schema for the members that it does not name.
struct SchemaSide {
  /// Patterns of names, each with the schema of the members it matches.
  var patterns: [JSON.Member]
  /// Schema of members whose names match none of the patterns; nil where nothing is said.
  var additional: JSON?
  /// Indicates whether it is what a schema says itself, not what was gathered from several.
  var isOwn: Bool

  /// Rules of a schema, and those that were gathered in it.
  static func all(of schema: JSON) -> [SchemaSide] {
    var sides = (schema[SchemaMerging.unnamed]?.items ?? []).map {
      SchemaSide(patterns: ($0["patterns"] ?? .null).members, additional: $0["additional"], isOwn: false)
    }
    let patterns = (schema["patternProperties"] ?? .null).members
    if !patterns.isEmpty || schema["additionalProperties"] != nil {
      sides.append(SchemaSide(patterns: patterns, additional: schema["additionalProperties"], isOwn: true))
    }
    return sides
  }

  /// The constraints as JSON, as they are kept below ``SchemaMerging/unnamed``.
  var text: JSON {
    .object([("patterns", .object(members: patterns))] + (additional.map { [("additional", $0)] } ?? []))
  }

  /// Schemas that it has for a member.
  /// - Parameter isNamed: whether the schema names it, so that it is none of the additional ones.
  func values(for name: String, isNamed: Bool, at pointer: String) throws(SchemaError) -> [JSON] {
    var values: [JSON] = []
    for pattern in patterns {
      if try Self.matches(name, pattern.name, at: pointer) { values.append(pattern.value) }
    }
    return values.isEmpty && !isNamed ? additional.map { [$0] } ?? [] : values
  }

  private static func matches(_ name: String, _ pattern: String, at pointer: String) throws(SchemaError) -> Bool {
    var parser = PatternParser(pattern, at: "\(pointer)/patternProperties") { .characters($0) }
    let expression = try parser.parse()
    do { return try StringAutomaton(expression).admits(name) } catch {
      throw .unsupported(keyword: "patternProperties", at: pointer)
    }
  }
}
