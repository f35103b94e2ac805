import Foundation
import JSON

/// Resolves references and turns combinations of schemas into plain ones.
struct SchemaMerging {
  let root: JSON
  var depth = 0
  /// Work that all combinations of one schema take together, limited so that no schema multiplies without end.
  let work: Work

  final class Work {
    var left = Work.limit
    static let limit = 50_000
  }

  /// A schema without combinations, and where it comes from.
  struct Plain {
    var schema: JSON
    var pointer: String
  }

  /// Largest number of alternatives at one place.
  private static let branchLimit = 256
  static let depthLimit = 40
  private static let combinations: Set<String> = [
    "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains",
    "minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    "unevaluatedItems",
  ]

  init(root: JSON, work: Work) {
    self.root = root
    self.work = work
  }

  func spend(at pointer: String) throws(SchemaError) {
    work.left -= 1
    guard work.left > 0 else { throw .tooComplex(limit: Work.limit, at: pointer) }
  }

  /// Finds the target of a reference within this schema.
  func resolve(_ reference: JSON, at pointer: String) throws(SchemaError) -> (
    schema: JSON, pointer: String
  ) {
    guard let text = reference.text else {
      throw .badValue(keyword: "$ref", at: pointer, expected: "a reference")
    }
    guard text.hasPrefix("#") else {
      guard let found = named(text, root, "", 0) else { throw .unresolved(reference: text, at: pointer) }
      return found
    }
    let fragment = String(text.dropFirst())
    if fragment.isEmpty { return (root, "") }
    guard fragment.hasPrefix("/") else {
      guard let found = anchored(fragment, root, "", 0) else { throw .unresolved(reference: text, at: pointer) }
      return found
    }
    var place = root
    for step in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = Self.unescaped(String(step))
      if let next = place[name] {
        place = next
      } else if let items = place.items, let index = Int(name), items.indices.contains(index) {
        place = items[index]
      } else {
        throw .unresolved(reference: text, at: pointer)
      }
    }
    return (place, fragment)
  }

  /// Returns a schema with dynamic and recursive references, which depend on the schemas around them, made plain.
  func withPlainReferences(_ schema: JSON, at pointer: String) throws(SchemaError) -> JSON {
    var result = schema
    for keyword in ["$dynamicRef", "$recursiveRef"] {
      guard let reference = schema[keyword] else { continue }
      let target = try resolveDynamic(reference, at: pointer)
      let plain = JSON.object([("$ref", .string("#" + target.pointer))])
      result = result.removing([keyword])
      result =
        result["$ref"] == nil && result["allOf"] == nil
        ? result.setting("$ref", .string("#" + target.pointer))
        : result.setting("allOf", .array((result["allOf"]?.items ?? []) + [plain]))
    }
    return result
  }

  /// Resolves a reference whose target depends on the schemas around it: within one document, the outermost anchor of
  /// that name.
  func resolveDynamic(_ reference: JSON, at pointer: String) throws(SchemaError) -> (
    schema: JSON, pointer: String
  ) {
    // A recursive reference leads to the whole.
    if reference.text == "#" { return (root, "") }
    return try resolve(reference, at: pointer)
  }

  /// Finds the schema within this one that has an address (`$id`) of its own.
  private func named(
    _ address: String, _ schema: JSON, _ pointer: String, _ depth: Int
  ) -> (schema: JSON, pointer: String)? {
    guard depth < JSON.depthLimit else { return nil }
    if let id = schema["$id"]?.text ?? schema["id"]?.text, !id.isEmpty,
      id == address || id.hasSuffix("/" + address) || depth == 0 && id == address + "#"
    {
      return (schema, pointer)
    }
    for member in schema.members {
      let place = pointer + "/" + Self.escaped(member.name)
      if let found = named(address, member.value, place, depth + 1) { return found }
    }
    for (index, item) in (schema.items ?? []).enumerated() {
      if let found = named(address, item, "\(pointer)/\(index)", depth + 1) { return found }
    }
    return nil
  }

  private func anchored(
    _ name: String, _ schema: JSON, _ pointer: String, _ depth: Int
  ) -> (schema: JSON, pointer: String)? {
    guard depth < JSON.depthLimit else { return nil }
    let anchors = [schema["$anchor"]?.text, schema["$dynamicAnchor"]?.text]
    if anchors.contains(name) || schema["$id"]?.text == "#" + name { return (schema, pointer) }
    for member in schema.members {
      let place = pointer + "/" + Self.escaped(member.name)
      if let found = anchored(name, member.value, place, depth + 1) { return found }
    }
    for (index, item) in (schema.items ?? []).enumerated() {
      if let found = anchored(name, item, "\(pointer)/\(index)", depth + 1) { return found }
    }
    return nil
  }

  static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func unescaped(_ step: String) -> String {
    (step.removingPercentEncoding ?? step).replacing("~1", with: "/").replacing("~0", with: "~")
  }

  /// Returns the plain schemas of which one must hold; none where nothing can.
  func flattened(_ schema: JSON, at pointer: String) throws(SchemaError) -> [Plain] {
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit, at: pointer) }
    try spend(at: pointer)
    var deeper = self
    deeper.depth += 1
    let schema = try withPlainReferences(schema, at: pointer)
    switch schema {
    case .bool(true): return [Plain(schema: .object([]), pointer: pointer)]
    case .bool(false): return []
    case .object: break
    default: throw .badValue(keyword: "schema", at: pointer, expected: "an object or a boolean")
    }
    if schema["$ref"] != nil, !schema.removing(["$ref"]).hasConstraints {
      return [Plain(schema: .object([("$ref", schema["$ref"] ?? .null)]), pointer: pointer)]
    }
    let plain = try withContents(schema.removing(Self.combinations), of: schema, at: pointer)
    var results = [Plain(schema: plain, pointer: pointer)]
    if let reference = schema["$ref"] {
      let target = try resolve(reference, at: pointer)
      results = try deeper.product(results, deeper.flattened(target.schema, at: target.pointer))
    }
    for (index, part) in try list("allOf", of: schema, at: pointer).enumerated() {
      results = try deeper.product(results, deeper.flattened(part, at: "\(pointer)/allOf/\(index)"))
    }
    for keyword in ["anyOf", "oneOf"] where schema[keyword] != nil {
      var branches: [Plain] = []
      for (part, place) in try deeper.usable(keyword, of: schema, at: pointer) {
        branches += try deeper.flattened(part, at: place)
      }
      results = try deeper.product(results, branches)
    }
    for alternatives in try deeper.choices(schema, at: pointer) {
      var branches: [Plain] = []
      for (part, place) in alternatives { branches += try deeper.flattened(part, at: place) }
      results = try deeper.product(results, branches)
    }
    return try deeper.closed(results, by: schema, at: pointer)
  }

  func list(_ keyword: String, of schema: JSON, at pointer: String) throws(SchemaError) -> [JSON] {
    guard let value = schema[keyword] else { return [] }
    guard let list = value.items, !list.isEmpty else {
      throw .badValue(keyword: keyword, at: pointer, expected: "an array of schemas")
    }
    return list
  }

  /// The branches that may be taken. Of `oneOf` exactly one must hold: a branch whose texts could fit another one is
  /// taken with the condition that they do not, where that can be said.
  private func usable(
    _ keyword: String, of schema: JSON, at pointer: String
  ) throws(SchemaError) -> [(schema: JSON, pointer: String)] {
    let parts = try list(keyword, of: schema, at: pointer)
    func place(_ index: Int) -> String { "\(pointer)/\(keyword)/\(index)" }
    guard keyword == "oneOf", parts.count > 1 else { return parts.indices.map { (parts[$0], place($0)) } }
    guard parts.count <= Self.branchLimit else { throw .unsupported(keyword: keyword, at: pointer) }
    let disjointness = SchemaDisjointness(merging: self)
    let needed = (schema["required"]?.items ?? []).compactMap(\.text)
    var usable: [(schema: JSON, pointer: String)] = []
    for one in parts.indices {
      let near = parts.indices.filter { $0 != one && !disjointness.excludes(parts[one], parts[$0], at: pointer) }
      var conditions = [parts[one]]
      do throws(SchemaError) {
        for other in near {
          // A member that only the other branch needs must merely be absent.
          let missing = disjointness.missing(in: parts[one], neededBy: parts[other], at: pointer)
          let name = missing.first { !needed.contains($0) }
          if let name {
            conditions.append(Self.without(name))
          } else {
            conditions.append(try negated(parts[other], at: place(other)))
          }
        }
      } catch {
        // A branch that cannot be told from another one is not taken.
        switch error {
        case .unsupported, .tooDeep: continue
        default: throw error
        }
      }
      usable.append((conditions.count == 1 ? parts[one] : Self.all(conditions), place(one)))
    }
    // Alike branches leave no way to tell which one holds.
    guard !usable.isEmpty else { throw .unsupported(keyword: "oneOf", at: pointer) }
    return usable
  }

  private func product(_ first: [Plain], _ second: [Plain]) throws(SchemaError) -> [Plain] {
    var results: [Plain] = []
    for one in first {
      for other in second {
        guard results.count < Self.branchLimit else { throw .unsupported(keyword: "anyOf", at: one.pointer) }
        if !other.schema.hasConstraints {
          results.append(one)
        } else if !one.schema.hasConstraints {
          results.append(other)
        } else {
          for left in try expanded(one) {
            for right in try expanded(other) {
              guard let merged = try merge(left.schema, right.schema, at: right.pointer) else { continue }
              results.append(Plain(schema: merged, pointer: one.pointer))
            }
          }
        }
      }
    }
    return results
  }

  /// Schemas that a bare reference stands for.
  func expanded(_ plain: Plain) throws(SchemaError) -> [Plain] {
    guard let reference = plain.schema["$ref"] else { return [plain] }
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit, at: plain.pointer) }
    try spend(at: plain.pointer)
    var deeper = self
    deeper.depth += 1
    let target = try resolve(reference, at: plain.pointer)
    var results: [Plain] = []
    for part in try deeper.flattened(target.schema, at: target.pointer) { results += try deeper.expanded(part) }
    return results
  }
}
