import JSON

/// Decides whether a value is valid by a schema, where that is certain.
struct SchemaCheck {
  let root: JSON
  private static let depthLimit = 40

  /// Returns whether a value is valid, or nil where that is not certain.
  func verdict(on value: JSON, by schema: JSON, depth: Int = 0) -> Bool? {
    guard depth < Self.depthLimit else { return nil }
    guard case .object(let keywords) = schema else {
      if case .bool(let flag) = schema { return flag }
      return nil
    }
    return Self.all(keywords) { verdict(on: value, $0.name, $0.value, schema, depth + 1) }
  }

  /// Indicates whether all are so; one that is not decides, one that is not sure leaves it open.
  private static func all<Element>(_ list: some Sequence<Element>, _ test: (Element) -> Bool?) -> Bool? {
    var isOpen = false
    for element in list {
      switch test(element) {
      case false?: return false
      case nil: isOpen = true
      default: break
      }
    }
    return isOpen ? nil : true
  }

  private static func opposite(_ verdict: Bool?) -> Bool? { verdict.map { !$0 } }

  private static func any<Element>(_ list: some Sequence<Element>, _ test: (Element) -> Bool?) -> Bool? {
    opposite(all(list) { opposite(test($0)) })
  }

  /// Verdict of one keyword on a value.
  private func verdict(
    on value: JSON, _ keyword: String, _ given: JSON, _ schema: JSON, _ depth: Int
  ) -> Bool? {
    func check(_ other: JSON) -> Bool? { verdict(on: value, by: other, depth: depth) }
    switch keyword {
    case "type":
      let names = (given.items ?? [given]).compactMap(\.text) + (schema["nullable"] == .bool(true) ? ["null"] : [])
      return names.contains(value.typeName) || value.typeName == "integer" && names.contains("number")
    case "const": return given.isEqual(value)
    case "enum": return given.items.map { $0.contains { $0.isEqual(value) } }
    case "allOf": return Self.all(given.items ?? [], check)
    case "anyOf": return Self.any(given.items ?? [], check)
    case "oneOf":
      let verdicts = (given.items ?? []).map(check)
      let holding = verdicts.count { $0 == true }
      return holding > 1 ? false : verdicts.contains(nil) ? nil : holding == 1
    case "not": return Self.opposite(check(given))
    case "if":
      switch check(given) {
      case true?: return schema["then"].map(check) ?? true
      case false?: return schema["else"].map(check) ?? true
      default: return nil
      }
    case "$ref":
      // A reference that leads nowhere is an error elsewhere.
      guard let target = try? SchemaMerging(root: root, work: SchemaMerging.Work()).resolve(given, at: "") else {
        return nil
      }
      return check(target.schema)
    case "$dynamicRef", "$recursiveRef":
      let merging = SchemaMerging(root: root, work: SchemaMerging.Work())
      return (try? merging.resolveDynamic(given, at: "")).flatMap { check($0.schema) }
    case "unevaluatedProperties", "unevaluatedItems": return nil
    default: break
    }
    switch value {
    case .number: return verdict(onNumber: value, keyword, given, schema)
    case .string(let text): return verdict(onText: text, keyword, given)
    case .array(let items): return verdict(onItems: items, keyword, given, schema, depth)
    case .object(let members): return verdict(onMembers: members, value, keyword, given, schema, depth)
    default: return true
    }
  }

  // MARK: Kinds of values

  private func verdict(onNumber value: JSON, _ keyword: String, _ given: JSON, _ schema: JSON) -> Bool? {
    guard let number = value.number else { return nil }
    switch keyword {
    case "minimum":
      return given.number.map { schema["exclusiveMinimum"] == .bool(true) ? number > $0 : number >= $0 }
    case "maximum":
      return given.number.map { schema["exclusiveMaximum"] == .bool(true) ? number < $0 : number <= $0 }
    case "exclusiveMinimum": return given.number.map { number > $0 } ?? true
    case "exclusiveMaximum": return given.number.map { number < $0 } ?? true
    case "multipleOf":
      return Self.all(SchemaMerging.conjunction(given)) { step in
        guard case .number(let digits) = value, case .number(let text) = step,
          let one = SchemaCompiler.Decimal(digits), let other = SchemaCompiler.Decimal(text), other.units > 0,
          max(one.digits, other.digits) <= SchemaCompiler.fractionLimit,
          abs(one.units) < 1 << 30, other.units < 1 << 30
        else { return nil }
        let scale = max(one.digits, other.digits)
        return one.units(at: scale) % other.units(at: scale) == 0
      }
    case SchemaMerging.refusedMultiple:
      return Self.all(SchemaMerging.conjunction(given)) {
        Self.opposite(verdict(onNumber: value, "multipleOf", $0, schema))
      }
    case SchemaMerging.fractional: return number != number.rounded()
    default: return true
    }
  }

  private func verdict(onText text: String, _ keyword: String, _ given: JSON) -> Bool? {
    let length = Double(text.unicodeScalars.count)
    switch keyword {
    case "minLength": return given.number.map { length >= $0 }
    case "maxLength": return given.number.map { length <= $0 }
    case "pattern": return Self.all(SchemaMerging.conjunction(given)) { Self.matches(text, $0.text) }
    case SchemaMerging.refusedPattern:
      return Self.all(SchemaMerging.conjunction(given)) { Self.opposite(Self.matches(text, $0.text)) }
    case SchemaMerging.exceptedTexts:
      return SchemaMerging.conjunction(given).allSatisfy { !($0.items ?? []).contains(.string(text)) }
    // A format tells what a text is for; listed texts are taken at their word.
    default: return true
    }
  }

  private static func matches(_ text: String, _ pattern: String?) -> Bool? {
    guard let pattern else { return nil }
    var parser = PatternParser(pattern, at: "") { .characters($0) }
    // A pattern that cannot be read is an error elsewhere.
    return (try? StringAutomaton(parser.parse()))?.admits(text)
  }

  private func verdict(
    onItems items: [JSON], _ keyword: String, _ given: JSON, _ schema: JSON, _ depth: Int
  ) -> Bool? {
    let count = Double(items.count)
    let places = schema["prefixItems"]?.items ?? schema["items"]?.items ?? []
    func holding(_ item: JSON, _ least: Int, _ most: Int?) -> Bool? {
      let verdicts = items.map { verdict(on: $0, by: item, depth: depth) }
      let (sure, open) = (verdicts.count { $0 == true }, verdicts.count { $0 == nil })
      if sure + open < least || most.map({ sure > $0 }) ?? false { return false }
      return sure >= least && most.map { sure + open <= $0 } ?? true ? true : nil
    }
    switch keyword {
    case "minItems": return given.number.map { count >= $0 }
    case "maxItems": return given.number.map { count <= $0 }
    case "uniqueItems":
      guard given == .bool(true) else { return true }
      return !items.indices.contains { one in items[..<one].contains { $0.isEqual(items[one]) } }
    case "prefixItems": return Self.all(zip(items, places)) { verdict(on: $0.0, by: $0.1, depth: depth) }
    case "items" where given.items != nil:
      return Self.all(zip(items, places)) { verdict(on: $0.0, by: $0.1, depth: depth) }
    case "items", "additionalItems":
      return Self.all(items.dropFirst(places.count)) { verdict(on: $0, by: given, depth: depth) }
    case "contains":
      let least = Int(schema["minContains"]?.number ?? 1)
      return holding(given, least, schema["maxContains"]?.number.map { Int($0) })
    case SchemaMerging.contents:
      return Self.all(given.items ?? []) { entry in
        holding(
          entry["item"] ?? .bool(true), Int(entry["least"]?.number ?? 1), entry["most"]?.number.map { Int($0) })
      }
    default: return true
    }
  }

  private func verdict(
    onMembers members: [JSON.Member], _ value: JSON, _ keyword: String, _ given: JSON,
    _ schema: JSON,
    _ depth: Int
  ) -> Bool? {
    func names(_ list: JSON) -> [String] { (list.items ?? []).compactMap(\.text) }
    let count = Double(members.count)
    switch keyword {
    case "required": return names(given).allSatisfy { value[$0] != nil }
    case "minProperties": return given.number.map { count >= $0 }
    case "maxProperties": return given.number.map { count <= $0 }
    case "properties", SchemaMerging.memberConditions:
      return Self.all(given.members) { own in
        value[own.name].map { verdict(on: $0, by: own.value, depth: depth) } ?? true
      }
    case "propertyNames": return Self.all(members) { verdict(on: .string($0.name), by: given, depth: depth) }
    case "dependentRequired", "dependentSchemas", "dependencies":
      return Self.all(given.members) { own in
        if value[own.name] == nil { return true }
        if own.value.items != nil { return names(own.value).allSatisfy { value[$0] != nil } }
        return verdict(on: value, by: own.value, depth: depth)
      }
    case "patternProperties", "additionalProperties", SchemaMerging.unnamed:
      return Self.all(members) { member in
        var values: [JSON] = []
        for side in SchemaSide.all(of: schema) {
          let isNamed = schema["properties"]?[member.name] != nil
          if !side.isOwn, isNamed { continue }
          guard let own = try? side.values(for: member.name, isNamed: isNamed, at: "") else { return nil }
          values += own
        }
        return Self.all(values) { verdict(on: member.value, by: $0, depth: depth) }
      }
    default: return true
    }
  }
}
