import Foundation

/// A plain validator of JSON Schema over Foundation's JSON, written from the specification, to check what was
/// generated.
struct SchemaValidator {
  let root: Any

  init(_ text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  func isValid(_ text: String) -> Bool {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
      return false
    }
    return admits(value, root)
  }

  private func resolve(_ reference: String) -> Any? {
    var place: Any? = root
    if !reference.hasPrefix("#") { return named(reference, root) }
    if reference.hasPrefix("#"), !reference.hasPrefix("#/"), reference.count > 1 {
      return anchored(String(reference.dropFirst()), root)
    }
    for step in reference.dropFirst().split(separator: "/") {
      let plain = String(step).removingPercentEncoding ?? ""
      let name = plain.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
      if let object = place as? [String: Any] {
        place = object[name]
      } else if let list = place as? [Any] {
        place = Int(name).map { list[$0] }
      }
    }
    return place
  }

  private func anchored(_ name: String, _ schema: Any) -> Any? {
    if let object = schema as? [String: Any] {
      if object["$anchor"] as? String == name || object["$dynamicAnchor"] as? String == name { return object }
      return object.values.lazy.compactMap { anchored(name, $0) }.first
    }
    return (schema as? [Any])?.lazy.compactMap { anchored(name, $0) }.first
  }

  private func named(_ address: String, _ schema: Any) -> Any? {
    if let object = schema as? [String: Any] {
      if object["$id"] as? String == address { return object }
      return object.values.lazy.compactMap { named(address, $0) }.first
    }
    return (schema as? [Any])?.lazy.compactMap { named(address, $0) }.first
  }

  private func isBool(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  private func equal(_ one: Any, _ other: Any) -> Bool {
    if isBool(one) != isBool(other) { return false }
    return (one as? NSObject)?.isEqual(other) ?? false
  }

  private func isType(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": return value is NSNull
    case "boolean": return isBool(value)
    case "string": return value is String
    case "array": return value is [Any]
    case "object": return value is [String: Any]
    case "number": return value is NSNumber && !isBool(value)
    case "integer":
      guard let number = value as? NSNumber, !isBool(value) else { return false }
      return number.doubleValue == number.doubleValue.rounded()
    default: return false
    }
  }

  func admits(_ value: Any, _ schema: Any) -> Bool {
    if isBool(schema) { return (schema as? NSNumber)?.boolValue ?? false }
    guard let schema = schema as? [String: Any] else { return false }
    func number(_ key: String) -> Double? {
      isBool(schema[key] ?? 0) ? nil : (schema[key] as? NSNumber)?.doubleValue
    }
    if let reference = schema["$ref"] as? String {
      guard let target = resolve(reference), admits(value, target) else { return false }
    }
    if let type = schema["type"] as? String, !isType(value, type),
      !(value is NSNull && isBool(schema["nullable"] ?? 0))
    {
      return false
    }
    if let types = schema["type"] as? [String], !types.contains(where: { isType(value, $0) }) { return false }
    if let only = schema["const"], !equal(only, value) { return false }
    if let list = schema["enum"] as? [Any], !list.contains(where: { equal($0, value) }) { return false }
    if let list = schema["allOf"] as? [Any], !list.allSatisfy({ admits(value, $0) }) { return false }
    if let list = schema["anyOf"] as? [Any], !list.contains(where: { admits(value, $0) }) { return false }
    if let list = schema["oneOf"] as? [Any], list.count(where: { admits(value, $0) }) != 1 { return false }
    if let other = schema["not"], admits(value, other) { return false }
    if let reference = schema["$dynamicRef"] as? String {
      guard let target = resolve(reference), admits(value, target) else { return false }
    }
    if let condition = schema["if"], let part = schema[admits(value, condition) ? "then" : "else"],
      !admits(value, part)
    {
      return false
    }
    if schema["unevaluatedProperties"] != nil || schema["unevaluatedItems"] != nil,
      !Evaluation(self).isWhole(value, schema)
    {
      return false
    }
    if let text = value as? String { return admits(text: text, schema, number) }
    if let object = value as? [String: Any] { return admits(object: object, schema, number) }
    if let list = value as? [Any] { return admits(list: list, schema, number) }
    if let given = value as? NSNumber, !isBool(value) {
      let this = given.doubleValue
      if let bound = number("minimum"), this < bound { return false }
      if let bound = number("maximum"), this > bound { return false }
      if let bound = number("exclusiveMinimum"), this <= bound { return false }
      if let bound = number("exclusiveMaximum"), this >= bound { return false }
      if (schema["exclusiveMinimum"] as? Bool) == true, this == number("minimum") { return false }
      if (schema["exclusiveMaximum"] as? Bool) == true, this == number("maximum") { return false }
      if let step = number("multipleOf") {
        let share = this / step
        // Whole numbers are compared exactly, fractions as far as doubles hold them.
        if this == this.rounded(), step == step.rounded(), abs(this) < 0x1p53 {
          return this.truncatingRemainder(dividingBy: step) == 0
        }
        if abs(share - share.rounded()) > 1e-6 * max(1, abs(share)) { return false }
      }
    }
    return true
  }

  private func admits(text: String, _ schema: [String: Any], _ number: (String) -> Double?) -> Bool {
    let length = Double(text.unicodeScalars.count)
    if let bound = number("minLength"), length < bound { return false }
    if let bound = number("maxLength"), length > bound { return false }
    if let pattern = schema["pattern"] as? String, !found(pattern, in: text) { return false }
    guard let format = schema["format"] as? String else { return true }
    switch format {
    case "date", "date-time":
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.isLenient = false
      formatter.dateFormat = "yyyy-MM-dd"
      guard formatter.date(from: String(text.prefix(10))) != nil else { return false }
      return format == "date"
        ? text.count == 10 : isTime(String(text.dropFirst(11))) && text.dropFirst(10).hasPrefix("T")
    case "time": return isTime(text)
    case "uuid": return UUID(uuidString: text) != nil
    case "email": return found("^[^@ ]+@[a-z0-9-]+(\\.[a-z0-9-]+)+$", in: text)
    case "ipv4":
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && ($0 == "0" || !$0.hasPrefix("0")) }
    case "ipv6":
      var address = in6_addr()
      return inet_pton(AF_INET6, text, &address) == 1
    case "uri": return URL(string: text)?.scheme != nil
    case "hostname": return found("^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$", in: text)
    case "duration":
      return found("^P(?!$)(\\d+W|(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?)$", in: text)
    default: return true
    }
  }

  private func isTime(_ text: String) -> Bool {
    found("^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$", in: text)
  }

  func found(_ pattern: String, in text: String) -> Bool {
    // `$` is the end alone in JSON Schema, not also a place before a last line's end.
    let strict = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$") ? pattern.dropLast() + "\\z" : pattern[...]
    guard let expression = try? NSRegularExpression(pattern: String(strict)) else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  private func admits(object: [String: Any], _ schema: [String: Any], _ number: (String) -> Double?) -> Bool {
    if let names = schema["required"] as? [String], !names.allSatisfy({ object[$0] != nil }) { return false }
    if let bound = number("minProperties"), Double(object.count) < bound { return false }
    if let bound = number("maxProperties"), Double(object.count) > bound { return false }
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
      for (name, needed) in schema[keyword] as? [String: Any] ?? [:] where object[name] != nil {
        if let names = needed as? [String] {
          if !names.allSatisfy({ object[$0] != nil }) { return false }
        } else if !admits(object, needed) {
          return false
        }
      }
    }
    if let names = schema["propertyNames"], !object.keys.allSatisfy({ admits($0, names) }) { return false }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    let patterns = schema["patternProperties"] as? [String: Any] ?? [:]
    for (name, value) in object {
      var isNamed = false
      if let own = properties[name] {
        isNamed = true
        if !admits(value, own) { return false }
      }
      for (pattern, own) in patterns where found(pattern, in: name) {
        isNamed = true
        if !admits(value, own) { return false }
      }
      if !isNamed, let rest = schema["additionalProperties"], !admits(value, rest) { return false }
    }
    return true
  }

  private func admits(list: [Any], _ schema: [String: Any], _ number: (String) -> Double?) -> Bool {
    if let bound = number("minItems"), Double(list.count) < bound { return false }
    if let bound = number("maxItems"), Double(list.count) > bound { return false }
    if (schema["uniqueItems"] as? Bool) == true {
      for (index, item) in list.enumerated() where list.dropFirst(index + 1).contains(where: { equal($0, item) }) {
        return false
      }
    }
    if let item = schema["contains"] {
      let count = Double(list.count { admits($0, item) })
      if count < number("minContains") ?? 1 || count > number("maxContains") ?? .infinity { return false }
    }
    let prefix = schema["prefixItems"] as? [Any] ?? schema["items"] as? [Any] ?? []
    let rest =
      schema["prefixItems"] != nil || !(schema["items"] is [Any]) ? schema["items"] : schema["additionalItems"]
    for (index, item) in list.enumerated() {
      if index < prefix.count {
        if !admits(item, prefix[index]) { return false }
      } else if let rest, !admits(item, rest) {
        return false
      }
    }
    return true
  }
}

/// Members and items of a value of which some part of a schema speaks that holds.
private struct Evaluation {
  let validator: SchemaValidator

  init(_ validator: SchemaValidator) { self.validator = validator }

  /// Indicates whether what nothing speaks of is as `unevaluated…` says.
  func isWhole(_ value: Any, _ schema: [String: Any]) -> Bool {
    var known = (names: Set<String>(), places: Set<Int>())
    note(value, schema.filter { !$0.key.hasPrefix("unevaluated") }, &known)
    if let object = value as? [String: Any], let rest = schema["unevaluatedProperties"] {
      return object.allSatisfy { known.names.contains($0.key) || validator.admits($0.value, rest) }
    }
    if let list = value as? [Any], let rest = schema["unevaluatedItems"] {
      return list.indices.allSatisfy { known.places.contains($0) || validator.admits(list[$0], rest) }
    }
    return true
  }

  private func note(_ value: Any, _ schema: Any, _ known: inout (names: Set<String>, places: Set<Int>)) {
    guard let schema = schema as? [String: Any] else { return }
    if let object = value as? [String: Any] {
      let properties = schema["properties"] as? [String: Any] ?? [:]
      for name in object.keys {
        let isMatched = (schema["patternProperties"] as? [String: Any] ?? [:]).keys.contains {
          validator.found($0, in: name)
        }
        if properties[name] != nil || isMatched || schema["additionalProperties"] != nil
          || schema["unevaluatedProperties"] != nil
        {
          known.names.insert(name)
        }
      }
    }
    if let list = value as? [Any] {
      let places = schema["prefixItems"] as? [Any] ?? []
      for (place, item) in list.enumerated() {
        let isContained = schema["contains"].map { validator.admits(item, $0) } ?? false
        if place < places.count || schema["items"] != nil || schema["unevaluatedItems"] != nil || isContained {
          known.places.insert(place)
        }
      }
    }
    var parts = (schema["allOf"] as? [Any] ?? [])
    parts += ["anyOf", "oneOf"].flatMap { schema[$0] as? [Any] ?? [] }
    if let condition = schema["if"] {
      parts.append(condition)
      parts += [schema[validator.admits(value, condition) ? "then" : "else"]].compactMap { $0 }
    }
    for (name, part) in schema["dependentSchemas"] as? [String: Any] ?? [:]
    where (value as? [String: Any])?[name] != nil {
      parts.append(part)
    }
    for part in parts where validator.admits(value, part) { note(value, part, &known) }
  }
}
