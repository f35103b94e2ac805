import JSON

extension SchemaCompiler {
  /// The items of an array, each as a schema with the place it stands at.
  private struct Items {
    var places: [(schema: JSON, pointer: String)]
    /// Schema of the items that follow them; nil for none.
    var rest: (schema: JSON, pointer: String)?
    var least: Int
    var most: Int?

    func schema(at place: Int) -> (schema: JSON, pointer: String)? {
      place < places.count ? places[place] : rest
    }
  }

  /// Compiles an array: the items with places of their own, all of them unless `maxItems` is less, then the others.
  mutating func array(_ schema: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let items = try items(of: schema, at: pointer)
    let contents = schema[SchemaMerging.contents]?.items ?? []
    if schema["uniqueItems"] == .bool(true), (items.most ?? .max) > 1 {
      guard contents.isEmpty else { throw .unsupported(keyword: "contains", at: pointer) }
      return try unique(items, at: pointer)
    }
    if !contents.isEmpty { return try containing(contents, items, at: pointer) }
    let (space, least, most) = (space(), items.least, items.most)
    if items.places.isEmpty {
      guard let rest = items.rest, most != 0 else {
        guard least == 0 else { throw .matchesNothing(at: pointer) }
        return .sequence([.text("["), space, .text("]")])
      }
      do {
        let item = addRule("item", try compile(rest.schema, at: rest.pointer))
        return Self.list(item, open: "[", close: "]", space: space, least: least, most: most)
      } catch .matchesNothing where least == 0 {
        return .sequence([.text("["), space, .text("]")])
      }
    }
    var parts: [GrammarExpression] = []
    for (index, item) in items.places.prefix(most ?? .max).enumerated() {
      let value = try compile(item.schema, at: item.pointer)
      parts.append(.sequence(index == 0 ? [value] : [.text(","), space, value]))
    }
    if let rest = items.rest, (most ?? .max) > items.places.count {
      let item = addRule("item", try compile(rest.schema, at: rest.pointer))
      let following = GrammarExpression.sequence([.text(","), space, item])
      parts.append(
        .repeated(
          following, min: max(0, least - items.places.count), max: most.map { $0 - items.places.count }))
    }
    return .sequence([.text("["), space] + parts + [space, .text("]")])
  }

  private func items(of schema: JSON, at pointer: String) throws(SchemaError) -> Items {
    let least = try count("minItems", of: schema, at: pointer) ?? 0
    var most = try count("maxItems", of: schema, at: pointer)
    if let most, most < least { throw .matchesNothing(at: pointer) }
    let isTuple = schema["prefixItems"] != nil || schema["items"]?.items != nil
    let keyword = schema["prefixItems"] != nil ? "prefixItems" : "items"
    let restKeyword = schema["prefixItems"] != nil || !isTuple ? "items" : "additionalItems"
    var items = Items(places: [], least: least, most: most)
    if isTuple {
      guard let places = schema[keyword]?.items else {
        throw .badValue(keyword: keyword, at: pointer, expected: "an array of schemas")
      }
      items.places = places.enumerated().map { ($1, "\(pointer)/\(keyword)/\($0)") }
    }
    // Without a word on what follows places of their own, only as much does as has to.
    let isAsked = least > items.places.count || schema[SchemaMerging.contents] != nil
    if schema[restKeyword] == nil, isTuple, isAsked, schema[SchemaMerging.contents] == nil {
      most = min(most ?? .max, least)
      items.most = most
    }
    let rest = schema[restKeyword] ?? .bool(!isTuple || isAsked)
    if rest != .bool(false) {
      items.rest = (rest, "\(pointer)/\(restKeyword)")
    } else if least > items.places.count {
      throw .matchesNothing(at: pointer)
    }
    return items
  }

  // MARK: Every item another one

  private static let stateLimit = 3000
  private static let valueLimit = 1000

  /// Items of which no two are equal: what each can be is listed, and what was said is remembered; of many values each
  /// may come once, in the schema's order.
  private mutating func unique(_ items: Items, at pointer: String) throws(SchemaError) -> GrammarExpression {
    var values: [JSON] = []
    func numbers(_ list: [JSON]) -> [Int] {
      list.map { value in
        if let known = values.firstIndex(where: { $0.isEqual(value) }) { return known }
        values.append(value)
        return values.count - 1
      }
    }
    var places: [[Int]] = []
    for place in items.places.prefix(items.most ?? .max) {
      guard let list = try finite(place.schema, at: place.pointer) else {
        throw .unsupported(keyword: "uniqueItems", at: pointer)
      }
      places.append(numbers(list))
    }
    var rest: [Int] = []
    if let other = items.rest, (items.most ?? .max) > places.count {
      guard let list = try finite(other.schema, at: other.pointer) else {
        throw .unsupported(keyword: "uniqueItems", at: pointer)
      }
      rest = numbers(list)
    }
    let texts = values.map { GrammarExpression.text($0.written()) }
    if let made = remembering(places, rest, texts, items) { return try made.get() }
    guard places.isEmpty else { throw .unsupported(keyword: "uniqueItems", at: pointer) }
    return try inOrder(rest.map { texts[$0] }, items, at: pointer)
  }

  /// Returns a rule for each set of values already used; nil where there would be too many.
  private mutating func remembering(
    _ places: [[Int]], _ rest: [Int], _ texts: [GrammarExpression], _ items: Items
  ) -> Result<GrammarExpression, SchemaError>? {
    struct State: Hashable { var count: Int, used: Set<Int> }
    var order = [State(count: 0, used: [])]
    var found: [State: Int] = [order[0]: 0]
    var next = 0
    var steps: [[(value: Int, state: Int)]] = []
    while next < order.count {
      let state = order[next]
      next += 1
      var own: [(Int, Int)] = []
      if state.count < items.most ?? .max {
        for value in state.count < places.count ? places[state.count] : rest where !state.used.contains(value) {
          let after = State(count: state.count + 1, used: state.used.union([value]))
          if found[after] == nil {
            guard order.count < Self.stateLimit else { return nil }
            found[after] = order.count
            order.append(after)
          }
          own.append((value, found[after] ?? 0))
        }
      }
      steps.append(own)
    }
    let least = max(items.least, min(places.count, items.most ?? .max))
    guard order.contains(where: { $0.count >= least }) else { return .failure(.matchesNothing(at: "")) }
    let space = space()
    let base = rules.count
    for (index, state) in order.enumerated() {
      var choices: [GrammarExpression] = state.count >= least ? [.nothing] : []
      for (value, after) in steps[index] {
        choices.append(
          .sequence((state.count == 0 ? [space] : [.text(","), space]) + [texts[value], .rule(base + after)]))
      }
      rules.append(
        Grammar.Rule(
          name: "unique", expression: choices.isEmpty ? .characters(CharacterSet([])) : .oneOf(choices)))
    }
    return .success(.sequence([.text("["), .rule(base), space, .text("]")]))
  }

  private mutating func inOrder(
    _ texts: [GrammarExpression], _ items: Items, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    let most = min(items.most ?? .max, texts.count)
    guard items.least <= most else { throw .matchesNothing(at: pointer) }
    // Without a most number of items, they count up to the least.
    let end = items.most == nil ? max(1, items.least) : max(1, most)
    guard texts.count * (end + 1) <= 20_000 else { throw .unsupported(keyword: "uniqueItems", at: pointer) }
    let space = space()
    let base = rules.count
    for place in 0...texts.count {
      for count in 0...end {
        var choices: [GrammarExpression] = []
        func rule(_ place: Int, _ count: Int) -> GrammarExpression { .rule(base + place * (end + 1) + count) }
        if place == texts.count {
          if count >= items.least { choices.append(.nothing) }
        } else {
          let next = count < end ? count + 1 : items.most == nil ? end : nil
          if let next {
            choices.append(
              .sequence((count == 0 ? [space] : [.text(","), space]) + [texts[place], rule(place + 1, next)]))
          }
          choices.append(rule(place + 1, count))
        }
        rules.append(
          Grammar.Rule(
            name: "ordered", expression: choices.isEmpty ? .characters(CharacterSet([])) : .oneOf(choices)))
      }
    }
    return .sequence([.text("["), .rule(base), space, .text("]")])
  }

  /// Returns all values that a schema admits, or nil where they cannot be listed.
  private func finite(_ schema: JSON, at pointer: String) throws(SchemaError) -> [JSON]? {
    let merging = SchemaMerging(root: root, work: work)
    let check = SchemaCheck(root: root)
    var values: [JSON] = []
    for branch in try merging.flattened(schema, at: pointer) {
      for plain in try merging.expanded(branch) {
        guard let own = try listed(plain.schema, at: plain.pointer) else { return nil }
        for value in own where check.verdict(on: value, by: plain.schema) == true {
          if !values.contains(where: { $0.isEqual(value) }) { values.append(value) }
          guard values.count <= Self.valueLimit else { return nil }
        }
      }
    }
    return values
  }

  private func listed(_ schema: JSON, at pointer: String) throws(SchemaError) -> [JSON]? {
    if let value = schema["const"] { return [value] }
    if let values = schema["enum"]?.items { return values }
    let types = try types(of: schema, at: pointer)
    var values: [JSON] = []
    for type in types {
      switch type {
      case "boolean": values += [.bool(true), .bool(false)]
      case "null": values.append(.null)
      case "integer":
        guard let range = try wholeRange(schema, at: pointer), range.count <= Self.valueLimit else { return nil }
        values += range.map { .int($0) }
      default: return nil
      }
    }
    return types.isEmpty ? nil : values
  }

  // MARK: What an array contains

  private struct Content { var item: JSON, least: Int, most: Int? }

  /// Compiles items of which some match `contains`, counted as they come.
  private mutating func containing(
    _ entries: [JSON], _ items: Items, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    let contents = entries.map { entry in
      Content(
        item: entry["item"] ?? .bool(true), least: Int(entry["least"]?.number ?? 1),
        most: entry["most"]?.number.map { Int($0) })
    }
    guard contents.count <= 3 else { throw .unsupported(keyword: "contains", at: pointer) }
    let merging = SchemaMerging(root: root, work: work)
    // An upper bound on how often items match needs a schema of those that do not.
    var opposites: [JSON] = []
    for content in contents {
      opposites.append(
        content.most == nil ? .bool(true) : try merging.negated(content.item, at: "\(pointer)/contains"))
    }
    let end = items.most ?? max(1, items.least, items.places.count)
    let ends = contents.map { $0.most ?? $0.least }
    var kinds: [[Int]: GrammarExpression?] = [:]
    func kind(_ place: Int, _ kept: Int, _ compiler: inout SchemaCompiler) throws(SchemaError)
      -> GrammarExpression?
    {
      let key = [min(place, items.places.count), kept]
      if let known = kinds[key] { return known }
      guard let item = items.schema(at: place) else { return nil }
      let parts = contents.indices.map { kept >> $0 & 1 == 1 ? contents[$0].item : opposites[$0] }
      var made: GrammarExpression?
      do {
        let value = try compiler.compile(SchemaMerging.all([item.schema] + parts), at: item.pointer)
        made = compiler.addRule("item", value)
      } catch .matchesNothing {
        made = nil
      }
      kinds[key] = .some(made)
      return made
    }
    var numbers: [[Int]: Int] = [[0] + contents.map { _ in 0 }: 0]
    var order = Array(numbers.keys)
    var states: [[GrammarExpression]] = []
    var next = 0
    var isPossible = false
    let space = space()
    // The rules come behind those of the items, so their places are known only in the end.
    var steps: [[(item: GrammarExpression, state: Int)]] = []
    while next < order.count {
      let state = order[next]
      next += 1
      var own: [(GrammarExpression, Int)] = []
      for kept in 0..<1 << contents.count where items.most == nil || state[0] < end {
        var after = state
        after[0] = min(state[0] + 1, end)
        var isAllowed = true
        for place in contents.indices where kept >> place & 1 == 1 {
          if state[place + 1] == ends[place] {
            isAllowed = contents[place].most == nil
          } else {
            after[place + 1] += 1
          }
        }
        guard isAllowed, let item = try kind(state[0], kept, &self) else { continue }
        if numbers[after] == nil {
          guard order.count < Self.stateLimit else { throw .unsupported(keyword: "contains", at: pointer) }
          numbers[after] = order.count
          order.append(after)
        }
        own.append((item, numbers[after] ?? 0))
      }
      steps.append(own)
    }
    let base = rules.count
    for (index, state) in order.enumerated() {
      let isEnough =
        state[0] >= max(items.least, min(items.places.count, end))
        && contents.indices.allSatisfy { state[$0 + 1] >= contents[$0].least }
      isPossible = isPossible || isEnough
      var choices: [GrammarExpression] = isEnough ? [.nothing] : []
      for (item, after) in steps[index] {
        choices.append(.sequence((state[0] == 0 ? [space] : [.text(","), space]) + [item, .rule(base + after)]))
      }
      states.append(choices)
    }
    guard isPossible else { throw .matchesNothing(at: pointer) }
    for choices in states {
      rules.append(
        Grammar.Rule(
          name: "containing", expression: choices.isEmpty ? .characters(CharacterSet([])) : .oneOf(choices)))
    }
    return .sequence([.text("["), .rule(base), space, .text("]")])
  }
}
