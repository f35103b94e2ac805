extension SchemaCompiler {
  /// A keyword that counts something.
  func count(_ keyword: String, of schema: JSONText, at pointer: String) throws(SchemaError) -> Int? {
    guard let value = schema[keyword] else { return nil }
    guard let number = value.number, number >= 0, number == number.rounded() else {
      throw .badValue(keyword: keyword, at: pointer, expected: "a count")
    }
    return Int(min(number, Double(GrammarParser.repetitionLimit)))
  }

  // MARK: Objects

  private struct Property {
    var member: GrammarExpression
    var isRequired: Bool
  }

  /// An object: its properties in the schema's order, required ones always, then such as are not named if the schema asks
  /// for them.
  mutating func object(_ schema: JSONText, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let named = schema["properties"]?.members ?? []
    if let value = schema["properties"], case .object = value {
    } else if schema["properties"] != nil {
      throw .badValue(keyword: "properties", at: pointer, expected: "an object")
    }
    var required: [String] = []
    if let value = schema["required"], value != .bool(false), value != .bool(true) {
      guard let items = value.items, items.allSatisfy({ $0.text != nil }) else {
        throw .badValue(keyword: "required", at: pointer, expected: "an array of names")
      }
      required = items.compactMap(\.text)
    }
    var properties: [Property] = []
    var names: [String] = []
    for member in named where !names.contains(member.name) {
      let isRequired = required.contains(member.name)
      names.append(member.name)
      do {
        let value = try compile(
          named.last { $0.name == member.name }?.value ?? member.value,
          at: "\(pointer)/properties/\(SchemaMerging.escaped(member.name))")
        properties.append(
          Property(member: self.member(.text(JSONText.quoted(member.name)), value), isRequired: isRequired))
      } catch .matchesNothing where !isRequired {
        // A property that nothing fits is one that must not be there.
        continue
      }
    }
    let extra = try additional(schema, named: names, at: pointer)
    for name in required where !names.contains(name) {
      // Named nowhere but here: it has what other properties have.
      names.append(name)
      let rest = schema["additionalProperties"] ?? .bool(true)
      guard rest != .bool(false), schema["patternProperties"] == nil else {
        throw .matchesNothing(at: "\(pointer)/required")
      }
      let value = try compile(rest, at: "\(pointer)/additionalProperties")
      properties.append(Property(member: member(.text(JSONText.quoted(name)), value), isRequired: true))
    }
    return try members(properties, extra, schema, at: pointer)
  }

  private mutating func member(_ name: GrammarExpression, _ value: GrammarExpression) -> GrammarExpression {
    addRule("member", .sequence([name, .text(":"), space(), value]))
  }

  /// The members that are not named, or nil for none.
  private mutating func additional(
    _ schema: JSONText, named: [String], at pointer: String
  ) throws(SchemaError) -> GrammarExpression? {
    if let patterns = schema["patternProperties"]?.members, !patterns.isEmpty {
      return try patterned(patterns, schema, named: named, at: pointer)
    }
    let rest = schema["additionalProperties"] ?? .bool(false)
    guard rest != .bool(false) else { return nil }
    let required = (schema["required"]?.items ?? []).compactMap(\.text)
    let value = try compile(rest, at: "\(pointer)/additionalProperties")
    let taken = Array(Set(named + required)).sorted()
    return member(taken.isEmpty ? anyString() : StringSyntax.string(noneOf: taken), value)
  }

  private mutating func patterned(
    _ patterns: [JSONText.Member], _ schema: JSONText, named: [String], at pointer: String
  ) throws(SchemaError) -> GrammarExpression? {
    let place = "\(pointer)/patternProperties"
    // A name may fit several patterns, and must then fit what all of them say.
    guard patterns.count == 1, let only = patterns.first, named.isEmpty else {
      throw .unsupported(keyword: "patternProperties", at: pointer)
    }
    let name = try pattern(only.name, at: place)
    let value = try compile(only.value, at: "\(place)/\(SchemaMerging.escaped(only.name))")
    return member(.sequence([.text("\""), name, .text("\"")]), value)
  }

  private mutating func members(
    _ properties: [Property], _ extra: GrammarExpression?, _ schema: JSONText, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    let least = try count("minProperties", of: schema, at: pointer) ?? 0
    let most = try count("maxProperties", of: schema, at: pointer)
    let requiredCount = properties.count { $0.isRequired }
    if let most, most < max(least, requiredCount) { throw .matchesNothing(at: pointer) }
    let space = space()
    if properties.isEmpty, let extra {
      // The same name may come twice, so that more than one member cannot be asked for.
      guard least <= 1 else { throw .unsupported(keyword: "minProperties", at: pointer) }
      return Self.list(extra, open: "{", close: "}", space: space, least: least, most: most)
    }
    let canAll = properties.count + (extra == nil ? 0 : 1)
    if let most, most < properties.count || extra != nil && most < canAll {
      guard requiredCount == most else { throw .unsupported(keyword: "maxProperties", at: pointer) }
      return members(properties.filter(\.isRequired), nil, isEmptyAllowed: requiredCount == 0)
    }
    if least > max(1, requiredCount) {
      // All of them, where it takes all.
      guard least <= properties.count else {
        if extra == nil { throw .matchesNothing(at: pointer) }
        throw .unsupported(keyword: "minProperties", at: pointer)
      }
      let needed = properties.map { Property(member: $0.member, isRequired: true) }
      return members(needed, extra, isEmptyAllowed: false)
    }
    return members(properties, extra, isEmptyAllowed: least == 0)
  }

  /// The members with commas between those that are there; one rule for each place keeps this linear.
  private mutating func members(
    _ properties: [Property], _ extra: GrammarExpression?, isEmptyAllowed: Bool
  ) -> GrammarExpression {
    let space = space()
    func follow(_ member: GrammarExpression) -> GrammarExpression { .sequence([.text(","), space, member]) }
    var after: GrammarExpression = extra.map { .any(follow($0)) } ?? .nothing
    var firsts: [GrammarExpression] = extra.map { [.sequence([$0, .any(follow($0))])] } ?? []
    var canBeEmpty = true
    for property in properties.reversed() {
      let rest = addRule("rest", after)
      let first = GrammarExpression.sequence([property.member, rest])
      if property.isRequired {
        firsts = [first]
        canBeEmpty = false
        after = .sequence([follow(property.member), rest])
      } else {
        firsts.append(first)
        after = .sequence([.optional(follow(property.member)), rest])
      }
    }
    let some = GrammarExpression.sequence([space, .oneOf(firsts)])
    let inside: GrammarExpression =
      firsts.isEmpty ? .nothing : canBeEmpty && isEmptyAllowed ? .optional(some) : some
    return .sequence([.text("{"), inside, space, .text("}")])
  }

  // MARK: Arrays

  /// An array: the items with places of their own, all of them unless `maxItems` is less, then the others.
  mutating func array(_ schema: JSONText, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let least = try count("minItems", of: schema, at: pointer) ?? 0
    let most = try count("maxItems", of: schema, at: pointer)
    if let most, most < least { throw .matchesNothing(at: pointer) }
    if schema["uniqueItems"] == .bool(true), (most ?? .max) > 1 {
      throw .unsupported(keyword: "uniqueItems", at: pointer)
    }
    let isTuple = schema["prefixItems"] != nil || schema["items"]?.items != nil
    let prefixKeyword = schema["prefixItems"] != nil ? "prefixItems" : "items"
    let restKeyword = schema["prefixItems"] != nil || !isTuple ? "items" : "additionalItems"
    let space = space()
    guard isTuple else {
      let rest = schema["items"] ?? .bool(true)
      if rest == .bool(false) || most == 0 {
        guard least == 0 else { throw .matchesNothing(at: pointer) }
        return .sequence([.text("["), space, .text("]")])
      }
      do {
        let item = addRule("item", try compile(rest, at: "\(pointer)/items"))
        return Self.list(item, open: "[", close: "]", space: space, least: least, most: most)
      } catch .matchesNothing where least == 0 {
        return .sequence([.text("["), space, .text("]")])
      }
    }
    guard let prefix = schema[prefixKeyword]?.items else {
      throw .badValue(keyword: prefixKeyword, at: pointer, expected: "an array of schemas")
    }
    var parts: [GrammarExpression] = []
    for (index, item) in prefix.prefix(most ?? .max).enumerated() {
      let value = try compile(item, at: "\(pointer)/\(prefixKeyword)/\(index)")
      parts.append(.sequence(index == 0 ? [value] : [.text(","), space, value]))
    }
    let missing = max(0, least - prefix.count)
    let rest = schema[restKeyword] ?? .bool(missing > 0)
    if missing > 0, rest == .bool(false) { throw .matchesNothing(at: pointer) }
    if rest != .bool(false), (most ?? .max) > prefix.count {
      let item = addRule("item", try compile(rest, at: "\(pointer)/\(restKeyword)"))
      let following = GrammarExpression.sequence([.text(","), space, item])
      let room = most.map { $0 - prefix.count }
      if prefix.isEmpty { return Self.list(item, open: "[", close: "]", space: space, least: least, most: most) }
      parts.append(.repeated(following, min: missing, max: schema[restKeyword] == nil ? missing : room))
    }
    return .sequence([.text("["), space] + parts + [space, .text("]")])
  }
}
