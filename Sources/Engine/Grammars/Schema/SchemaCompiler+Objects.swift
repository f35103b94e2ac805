import JSON

extension SchemaCompiler {
  /// Reads a keyword that counts something.
  func count(_ keyword: String, of schema: JSON, at pointer: String) throws(SchemaError) -> Int? {
    guard let value = schema[keyword] else { return nil }
    guard let number = value.number, number >= 0, number == number.rounded() else {
      throw .badValue(keyword: keyword, at: pointer, expected: "a count")
    }
    return Int(min(number, Double(GrammarParser.repetitionLimit)))
  }

  private struct Property {
    var member: GrammarExpression
    var isRequired: Bool
  }

  /// An object: its properties in the schema's order, required ones always, then such as are not named if the schema
  /// asks for them.
  mutating func object(_ schema: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let named = schema["properties"]?.members ?? []
    if let value = schema["properties"], case .object = value {
    } else if schema["properties"] != nil {
      throw .badValue(keyword: "properties", at: pointer, expected: "an object")
    }
    let required = try requiredNames(schema, at: pointer)
    let sides = SchemaSide.all(of: schema)
    let conditions = schema[SchemaMerging.memberConditions] ?? .object([])
    let names = try schema["propertyNames"].map { (names) throws(SchemaError) in
      try self.names(by: names, at: "\(pointer)/propertyNames")
    }
    var properties: [Property] = []
    var taken: [String] = []
    func add(
      _ name: String, _ value: JSON, _ compiler: inout SchemaCompiler, at place: String
    ) throws(SchemaError) {
      let isRequired = required.contains(name)
      taken.append(name)
      let isAdmitted = names?.admits(name) ?? true
      do throws(SchemaError) {
        guard isAdmitted, value != .bool(false) else { throw SchemaError.matchesNothing(at: place) }
        let value = try compiler.compile(value, at: place)
        properties.append(
          Property(member: compiler.member(.text(JSON.quoted(name)), value), isRequired: isRequired))
      } catch {
        // A property that nothing fits is one that must not be there.
        guard case .matchesNothing = error, !isRequired else { throw error }
      }
    }
    for member in named where !taken.contains(member.name) {
      var values = [named.last { $0.name == member.name }?.value ?? member.value]
      for side in sides where side.isOwn {
        values += try side.values(for: member.name, isNamed: true, at: pointer)
      }
      values += conditions[member.name].map { [$0] } ?? []
      let place = "\(pointer)/properties/\(SchemaMerging.escaped(member.name))"
      try add(member.name, SchemaMerging.all(values), &self, at: place)
    }
    // Named nowhere but here: such a member has what other members have.
    for name in required + conditions.members.map(\.name) where !taken.contains(name) {
      var values: [JSON] = []
      for side in sides { values += try side.values(for: name, isNamed: false, at: pointer) }
      guard required.contains(name) || !values.isEmpty else { continue }
      if values.contains(.bool(false)), required.contains(name) {
        throw .matchesNothing(at: "\(pointer)/required")
      }
      values += conditions[name].map { [$0] } ?? []
      try add(name, SchemaMerging.all(values), &self, at: "\(pointer)/additionalProperties")
    }
    let known = Array(Set(taken + conditions.members.map(\.name))).sorted()
    let extra = try additional(sides, names, taken: known, at: pointer)
    return try members(properties, extra, schema, at: pointer)
  }

  private func requiredNames(_ schema: JSON, at pointer: String) throws(SchemaError) -> [String] {
    // Draft 3 has booleans here.
    guard let value = schema["required"], value != .bool(false), value != .bool(true) else { return [] }
    guard let items = value.items, items.allSatisfy({ $0.text != nil }) else {
      throw .badValue(keyword: "required", at: pointer, expected: "an array of names")
    }
    return items.compactMap(\.text)
  }

  private mutating func member(_ name: GrammarExpression, _ value: GrammarExpression) -> GrammarExpression {
    addRule("member", .sequence([name, .text(":"), space(), value]))
  }

  // MARK: Members that are not named

  /// Largest number of patterns of names at one place: names may fit any of them, in any combination.
  private static let patternLimit = 6

  /// Returns the members that are not named, or nil for none.
  private mutating func additional(
    _ sides: [SchemaSide], _ names: StringAutomaton?, taken: [String], at pointer: String
  ) throws(SchemaError) -> GrammarExpression? {
    var patterns: [String] = []
    for pattern in sides.flatMap(\.patterns) where !patterns.contains(pattern.name) {
      patterns.append(pattern.name)
    }
    guard patterns.count <= Self.patternLimit else {
      throw .unsupported(keyword: "patternProperties", at: pointer)
    }
    if patterns.isEmpty, names == nil {
      let values = sides.compactMap(\.additional)
      guard !values.isEmpty, !values.contains(.bool(false)) else { return nil }
      let value = try compile(SchemaMerging.all(values), at: "\(pointer)/additionalProperties")
      return member(taken.isEmpty ? anyString() : StringSyntax.string(noneOf: taken), value)
    }
    var members: [GrammarExpression] = []
    // A name fits some of the patterns and none of the others.
    for fitting in 0..<1 << patterns.count {
      let isFitting = { (pattern: String) in
        patterns.firstIndex(of: pattern).map { fitting >> $0 & 1 == 1 } ?? false
      }
      var values: [JSON] = []
      for side in sides {
        let own = side.patterns.filter { isFitting($0.name) }.map(\.value)
        values += own.isEmpty ? side.additional.map { [$0] } ?? [] : own
      }
      guard !values.isEmpty || names != nil, !values.contains(.bool(false)) else { continue }
      let admitted = try nameAutomaton(
        fitting: patterns.filter(isFitting), not: patterns.filter { !isFitting($0) }, names, taken, at: pointer)
      if admitted.isEmpty { continue }
      do {
        let value = try compile(SchemaMerging.all(values), at: "\(pointer)/patternProperties")
        members.append(member(.sequence([.text("\""), .characterAutomaton(admitted), .text("\"")]), value))
      } catch .matchesNothing {
        continue
      }
    }
    return members.isEmpty ? nil : .oneOf(members)
  }

  private func nameAutomaton(
    fitting: [String], not others: [String], _ names: StringAutomaton?, _ taken: [String], at pointer: String
  ) throws(SchemaError) -> StringAutomaton {
    func parsed(_ pattern: String) throws(SchemaError) -> GrammarExpression {
      var parser = PatternParser(pattern, at: "\(pointer)/patternProperties") { .characters($0) }
      return try parser.parse()
    }
    let (wanted, unwanted) = (try fitting.map(parsed), try others.map(parsed))
    do throws(StringAutomaton.TooLarge) {
      var result = names ?? .all
      for expression in wanted { result = try result.intersection(StringAutomaton(expression)) }
      for expression in unwanted { result = try result.intersection(StringAutomaton(expression).complement()) }
      if !taken.isEmpty { result = try result.intersection(StringAutomaton(texts: taken).complement()) }
      return result
    } catch {
      throw .unsupported(keyword: "patternProperties", at: pointer)
    }
  }

  /// Returns the names that a schema of names admits.
  private func names(by schema: JSON, at pointer: String) throws(SchemaError) -> StringAutomaton {
    let merging = SchemaMerging(root: root, work: work)
    var parts: [StringAutomaton] = []
    for branch in try merging.flattened(schema, at: pointer) {
      for plain in try merging.expanded(branch) { parts += try names(byPlain: plain.schema, at: plain.pointer) }
    }
    do throws(StringAutomaton.TooLarge) {
      var result = StringAutomaton.all.complement()
      for part in parts { result = try result.union(part) }
      return result
    } catch {
      throw .unsupported(keyword: "propertyNames", at: pointer)
    }
  }

  private func names(byPlain schema: JSON, at pointer: String) throws(SchemaError) -> [StringAutomaton] {
    if schema["type"] != nil, try !types(of: schema, at: pointer).contains("string") { return [] }
    let (least, most) = (
      try count("minLength", of: schema, at: pointer) ?? 0, try count("maxLength", of: schema, at: pointer)
    )
    let strings = try SchemaStrings(schema, at: pointer).automaton(least: least, most: most, at: pointer)
    do throws(StringAutomaton.TooLarge) {
      if let values = schema["const"].map({ [$0] }) ?? schema["enum"]?.items {
        let check = SchemaCheck(root: root)
        let texts = values.filter { check.verdict(on: $0, by: schema) == true }.compactMap(\.text)
        return [try StringAutomaton(texts: texts)]
      }
      if let strings { return [strings] }
      return [try StringAutomaton(least: least, most: most)]
    } catch {
      throw .unsupported(keyword: "propertyNames", at: pointer)
    }
  }

  // MARK: How many

  private static let countedLimit = 20_000

  private mutating func members(
    _ properties: [Property], _ extra: GrammarExpression?, _ schema: JSON, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    let least = try count("minProperties", of: schema, at: pointer) ?? 0
    let most = try count("maxProperties", of: schema, at: pointer)
    let requiredCount = properties.count(where: \.isRequired)
    if most ?? .max < max(least, requiredCount) || extra == nil && properties.count < least {
      throw .matchesNothing(at: pointer)
    }
    let isBounded = most.map { extra != nil || $0 < properties.count } ?? false
    guard isBounded || least > max(1, requiredCount) else {
      return members(properties, extra, isEmptyAllowed: least == 0)
    }
    let end = isBounded ? most ?? least : least
    guard (properties.count + 1) * (end + 1) <= Self.countedLimit else {
      throw .unsupported(keyword: isBounded ? "maxProperties" : "minProperties", at: pointer)
    }
    return .sequence([
      .text("{"), counted(properties[...], extra, least: least, most: isBounded ? end : nil), space(), .text("}"),
    ])
  }

  /// Compiles the members where their number is bounded: a rule for each place and number.
  private mutating func counted(
    _ properties: ArraySlice<Property>, _ extra: GrammarExpression?, least: Int, most: Int?
  ) -> GrammarExpression {
    let (end, space) = (most ?? max(1, least), space())
    let start = rules.count
    func rule(_ place: Int, _ count: Int) -> GrammarExpression { .rule(start + place * (end + 1) + count) }
    for _ in 0..<(properties.count + 1) * (end + 1) {
      rules.append(Grammar.Rule(name: "counted", expression: .characters(CharacterSet([]))))
    }
    for place in 0...properties.count {
      for count in 0...end {
        // Beyond the least number, without a most, numbers no longer count.
        let next = count < end ? count + 1 : most == nil ? end : nil
        func with(_ member: GrammarExpression, _ rest: GrammarExpression) -> GrammarExpression {
          .sequence(count == 0 ? [space, member, rest] : [.text(","), space, member, rest])
        }
        var choices: [GrammarExpression] = []
        if place < properties.count {
          let property = properties[properties.startIndex + place]
          if let next { choices.append(with(property.member, rule(place + 1, next))) }
          if !property.isRequired { choices.append(rule(place + 1, count)) }
        } else {
          if count >= least { choices.append(.nothing) }
          if let next, let extra { choices.append(with(extra, rule(place, next))) }
        }
        if !choices.isEmpty { rules[start + place * (end + 1) + count].expression = .oneOf(choices) }
      }
    }
    return rule(0, 0)
  }

  /// Compiles the members with commas between those that are present; one rule for each place keeps this linear.
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
}
