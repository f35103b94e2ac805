import JSON

/// Turns conditions into alternatives, one for each of their outcomes.
extension SchemaMerging {
  /// Returns the alternatives of each condition of a schema; one of each has to hold.
  func choices(
    _ schema: JSON, at pointer: String
  ) throws(SchemaError) -> [[(schema: JSON, pointer: String)]] {
    var choices: [[(schema: JSON, pointer: String)]] = []
    if let other = schema["not"] { choices.append([(try negated(other, at: "\(pointer)/not"), "\(pointer)/not")]) }
    if let condition = schema["if"], schema["then"] != nil || schema["else"] != nil {
      let (then, otherwise) = (schema["then"] ?? .bool(true), schema["else"] ?? .bool(true))
      choices.append([
        (Self.all([condition, then]), "\(pointer)/then"),
        (Self.all([try negated(condition, at: "\(pointer)/if"), otherwise]), "\(pointer)/else"),
      ])
    }
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
      guard let value = schema[keyword] else { continue }
      guard case .object(let members) = value else {
        throw .badValue(keyword: keyword, at: pointer, expected: "an object")
      }
      for member in members {
        let place = "\(pointer)/\(keyword)/\(Self.escaped(member.name))"
        let names = member.value.items
        if keyword == "dependentRequired", names == nil {
          throw .badValue(keyword: keyword, at: pointer, expected: "lists of names")
        }
        let consequence = names.map { Self.requiring($0) } ?? member.value
        choices.append([
          (Self.without(member.name), place),
          (Self.all([Self.requiring([.string(member.name)]), consequence]), place),
        ])
      }
    }
    return choices
  }

  /// Returns a schema of the objects that have no member of a name.
  static func without(_ name: String) -> JSON {
    .object([(memberConditions, .object([(name, .bool(false))]))])
  }

  static func requiring(_ names: [JSON]) -> JSON {
    .object([("required", .array(names))])
  }

  // MARK: What is contained

  /// Returns a schema with the `contains` of another added to it.
  func withContents(_ plain: JSON, of schema: JSON, at pointer: String) throws(SchemaError) -> JSON {
    guard let item = schema["contains"] else { return plain }
    func count(_ keyword: String) throws(SchemaError) -> JSON? {
      guard let value = schema[keyword] else { return nil }
      guard let number = value.number, number >= 0, number == number.rounded(), number < 1e6 else {
        throw .badValue(keyword: keyword, at: pointer, expected: "a count")
      }
      return .int(Int(number))
    }
    let (least, most) = (try count("minContains") ?? .int(1), try count("maxContains"))
    if least == .int(0), most == nil { return plain }
    let entry = JSON.object([("item", item), ("least", least)] + (most.map { [("most", $0)] } ?? []))
    return plain.setting(Self.contents, .array([entry]))
  }

  // MARK: What nothing else speaks of

  /// Schemas in which members and items that nothing speaks of are what `unevaluated…` says: what is made has no
  /// others than such as some part speaks of that holds.
  func closed(_ plain: [Plain], by schema: JSON, at pointer: String) throws(SchemaError) -> [Plain] {
    let (members, items) = (schema["unevaluatedProperties"], schema["unevaluatedItems"])
    if members == nil, items == nil { return plain }
    var results: [Plain] = []
    for one in plain {
      for var part in try expanded(one) {
        if let members, !SchemaSide.all(of: part.schema).contains(where: { $0.additional != nil }) {
          part.schema = part.schema.setting("additionalProperties", members)
        }
        let isTuple = part.schema["prefixItems"] == nil && part.schema["items"]?.items != nil
        if let items, part.schema[isTuple ? "additionalItems" : "items"] == nil {
          // `contains` evaluates the items that match it.
          let contained = (part.schema[Self.contents]?.items ?? []).compactMap { $0["item"] }
          part.schema = part.schema.setting(
            isTuple ? "additionalItems" : "items", Self.any([items] + contained))
        }
        results.append(part)
      }
    }
    return results
  }
}
