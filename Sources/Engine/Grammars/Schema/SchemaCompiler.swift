import JSON

/// Makes a grammar of a JSON Schema (drafts 4 to 2020-12).
///
/// Every text of the grammar is valid by the schema; not every valid text is in the grammar: properties come in the
/// schema's order, objects have no properties that are not named unless the schema says so, and numbers are no longer
/// than is useful.
struct SchemaCompiler {
  let root: JSON
  var rules: [Grammar.Rule] = []
  /// The rules of referenced schemas, by pointer.
  private var references: [String: Int] = [:]
  private var shared: [String: Int] = [:]
  private var depth = 0
  let work = SchemaMerging.Work()

  /// Deepest nesting of schemas, references and combinations counted.
  static let depthLimit = 100

  init(_ text: String) throws(SchemaError) {
    do throws(JSONError) {
      root = try JSON(parsing: text)
    } catch {
      switch error {
      case .malformed(let byte): throw .notJSON(atByte: byte)
      case .tooDeep(let limit): throw .tooDeep(limit: limit, at: "")
      }
    }
  }

  mutating func grammar() throws(SchemaError) -> Grammar {
    rules = [Grammar.Rule(name: "root", expression: .nothing)]
    references["#"] = 0
    rules[0].expression = try compile(root, at: "")
    do {
      return try Grammar(rules: rules, root: 0)
    } catch .matchesNothing {
      throw .matchesNothing(at: "")
    } catch .leftRecursion {
      throw .matchesNothing(at: "")
    } catch {
      throw .grammar(error)
    }
  }

  mutating func addRule(_ name: String, _ expression: GrammarExpression) -> GrammarExpression {
    rules.append(Grammar.Rule(name: name, expression: expression))
    return .rule(rules.count - 1)
  }

  /// Returns a rule that all uses of a name share.
  mutating func sharedRule(_ name: String, _ expression: (inout SchemaCompiler) -> GrammarExpression)
    -> GrammarExpression
  {
    if let known = shared[name] { return .rule(known) }
    rules.append(Grammar.Rule(name: name, expression: .nothing))
    let number = rules.count - 1
    shared[name] = number
    let made = expression(&self)
    rules[number].expression = made
    return .rule(number)
  }

  // MARK: One schema

  /// Compiles a schema to the expression of the texts that it admits.
  mutating func compile(_ schema: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit, at: pointer) }
    switch schema {
    case .bool(true): return anyValue()
    case .bool(false): throw .matchesNothing(at: pointer)
    case .object: break
    default: throw .badValue(keyword: "schema", at: pointer, expected: "an object or a boolean")
    }
    let schema = try SchemaMerging(root: root, work: work).withPlainReferences(schema, at: pointer)
    if let reference = schema["$ref"] {
      let siblings = schema.removing(["$ref", "$defs", "definitions"])
      if !siblings.hasConstraints { return try compile(reference: reference, at: pointer) }
    }
    let plain = try SchemaMerging(root: root, work: work).flattened(schema, at: pointer)
    if plain.count > 1 {
      var branches: [GrammarExpression] = []
      var failure: SchemaError?
      for branch in plain {
        do {
          branches.append(try compile(branch.schema, at: branch.pointer))
        } catch .matchesNothing(let at) {
          // Of several some may be impossible.
          failure = .matchesNothing(at: at)
        }
      }
      if branches.isEmpty, let failure { throw failure }
      return .oneOf(branches)
    }
    guard let only = plain.first else { throw .matchesNothing(at: pointer) }
    if only.schema["$ref"] != nil { return try compile(only.schema, at: only.pointer) }
    return try compile(plain: only.schema, at: only.pointer)
  }

  private mutating func compile(reference: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let (target, place) = try SchemaMerging(root: root, work: work).resolve(reference, at: pointer)
    let key = "#" + place
    if let known = references[key] { return .rule(known) }
    rules.append(Grammar.Rule(name: "ref-\(rules.count)", expression: .nothing))
    let number = rules.count - 1
    references[key] = number
    let made = try compile(target, at: place)
    rules[number].expression = made
    return .rule(number)
  }

  /// Compiles a schema without references and combinations.
  private mutating func compile(plain schema: JSON, at pointer: String) throws(SchemaError)
    -> GrammarExpression
  {
    if let values = try enumerated(schema, at: pointer) { return values }
    let types = try types(of: schema, at: pointer)
    if types.isEmpty { return anyValue() }
    var branches: [GrammarExpression] = []
    for type in types {
      switch type {
      case "object": branches.append(try object(schema, at: pointer))
      case "array": branches.append(try array(schema, at: pointer))
      case "string": branches.append(try string(schema, at: pointer))
      case "number": branches.append(try number(schema, isWhole: false, at: pointer))
      case "integer": branches.append(try number(schema, isWhole: true, at: pointer))
      case "boolean": branches.append(.choice([.text("true"), .text("false")]))
      case "null": branches.append(.text("null"))
      default: throw .badValue(keyword: "type", at: pointer, expected: "one of the types of JSON")
      }
    }
    return .oneOf(branches)
  }

  /// Returns the types a schema names, or those its keywords are about; none for any.
  func types(of schema: JSON, at pointer: String) throws(SchemaError) -> [String] {
    switch schema["type"] {
    case .string(let type): return [type] + (schema["nullable"] == .bool(true) && type != "null" ? ["null"] : [])
    case .array(let list):
      var types: [String] = []
      for case .string(let type) in list where !types.contains(type) { types.append(type) }
      guard types.count > 0, list.allSatisfy({ if case .string = $0 { true } else { false } }) else {
        throw .badValue(keyword: "type", at: pointer, expected: "the names of types")
      }
      // Every integer is a number.
      return types.contains("number") ? types.filter { $0 != "integer" } : types
    case nil: break
    default: throw .badValue(keyword: "type", at: pointer, expected: "the name of a type")
    }
    func has(_ keywords: [String]) -> Bool { keywords.contains { schema[$0] != nil } }
    if has([
      "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
      "propertyNames", SchemaMerging.memberConditions, SchemaMerging.unnamed,
    ]) {
      return ["object"]
    }
    if has([
      "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "additionalItems", SchemaMerging.contents,
    ]) {
      return ["array"]
    }
    if has([
      "pattern", "minLength", "maxLength", "format", SchemaMerging.refusedPattern, SchemaMerging.exceptedTexts,
    ]) {
      return ["string"]
    }
    if has([
      "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", SchemaMerging.fractional,
      SchemaMerging.refusedMultiple,
    ]) {
      return ["number"]
    }
    return []
  }

  /// Compiles the values of `enum` or `const` that fit the other keywords.
  private func enumerated(_ schema: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression? {
    var values: [JSON]
    switch (schema["const"], schema["enum"]) {
    case (let value?, _): values = [value]
    case (nil, .array(let list)?): values = list
    case (nil, nil): return nil
    default: throw .badValue(keyword: "enum", at: pointer, expected: "an array")
    }
    if case .array(let list)? = schema["enum"] {
      values.removeAll { value in !list.contains { $0.isEqual(value) } }
    }
    let check = SchemaCheck(root: root)
    let verdicts = values.map { check.verdict(on: $0, by: schema) }
    // A value is left out unless it certainly fits.
    let sure = zip(values, verdicts).filter { $0.1 == true }.map(\.0)
    guard !sure.isEmpty else {
      if verdicts.contains(nil) { throw .unsupported(keyword: "enum", at: pointer) }
      throw .matchesNothing(at: pointer)
    }
    return .oneOf(sure.map { .text($0.written()) })
  }

  // MARK: Values

  /// Whitespace between the parts of a value: none, a space, or a line's end and its indentation.
  mutating func space() -> GrammarExpression {
    sharedRule("space") { _ in
      .choice([
        .nothing, .text(" "),
        .sequence([
          .repeated(.text("\n"), min: 1, max: 2), .repeated(.characters(CharacterSet(" \t")), min: 0, max: 20),
        ]),
      ])
    }
  }

  mutating func anyValue() -> GrammarExpression {
    sharedRule("value") { compiler in
      let space = compiler.space()
      let value = GrammarExpression.rule(compiler.shared["value"] ?? 0)
      let text = compiler.anyString()
      let member = GrammarExpression.sequence([text, .text(":"), space, value])
      return .choice([
        .choice([.text("null"), .text("true"), .text("false")]), Self.anyNumber, text,
        Self.list(member, open: "{", close: "}", space: space, least: 0, most: nil),
        Self.list(value, open: "[", close: "]", space: space, least: 0, most: nil),
      ])
    }
  }

  mutating func anyString() -> GrammarExpression {
    sharedRule("string") { _ in .sequence([.text("\""), .any(StringSyntax.unit), .text("\"")]) }
  }

  private static let digit = GrammarExpression.characters(CharacterSet([0x30...0x39]))
  static let anyInteger = GrammarExpression.sequence([
    .optional(.text("-")),
    .choice([
      .text("0"),
      .sequence([.characters(CharacterSet([0x31...0x39])), .repeated(digit, min: 0, max: 14)]),
    ]),
  ])
  static let anyNumber = GrammarExpression.sequence([
    anyInteger, .optional(.sequence([.text("."), .repeated(digit, min: 1, max: 16)])),
    .optional(
      .sequence([
        .characters(CharacterSet("eE")), .optional(.characters(CharacterSet("+-"))),
        .repeated(digit, min: 1, max: 2),
      ])),
  ])

  /// Returns a list in brackets.
  static func list(
    _ item: GrammarExpression, open: String, close: String, space: GrammarExpression, least: Int, most: Int?
  ) -> GrammarExpression {
    let more = GrammarExpression.repeated(
      .sequence([.text(","), space, item]), min: max(0, least - 1), max: most.map { max(0, $0 - 1) })
    let some = GrammarExpression.sequence([space, item, more])
    let inside: GrammarExpression = most == 0 ? .nothing : least == 0 ? .optional(some) : some
    return .sequence([.text(open), inside, space, .text(close)])
  }
}
