/// A value of a running template.
enum Value {
  case undefined(Undefined)
  case none
  case bool(Bool)
  case int(Int)
  case float(Double)
  case string(Text)
  case list(List)
  case tuple(List)
  case dict(Dict)
  case view(DictView)
  case range(RangeValue)
  case generator(Generator)
  case namespace(Namespace)
  case loop(LoopContext)
  case macro(Macro)
  case function(Function)

  static func text(_ text: String) -> Value { .string(Text(text)) }
}

/// The elements of a list or tuple, which sandboxed templates cannot change.
struct List {
  let elements: [Value]
  /// Nesting depth of lists and mappings, this one included.
  let depth: Int

  /// Values nest this deeply at most, so that walking and freeing them is safe.
  static let deepest = 250

  init(_ elements: [Value]) throws(TemplateError) {
    var depth = 0
    for element in elements { depth = max(depth, element.depth) }
    guard depth < Self.deepest else { throw TemplateError(.recursion, "values are nested too deeply") }
    self.elements = elements
    self.depth = depth + 1
  }
}

/// Something that is not there; what it is asked for makes an error that says what.
struct Undefined {
  let message: String
  var kind: TemplateError.Kind = .undefined

  init(_ message: String, kind: TemplateError.Kind = .undefined) {
    self.message = message
    self.kind = kind
  }

  init(name: String) { message = "\(Representation.quoted(Text(name)).string) is undefined" }

  var error: TemplateError { TemplateError(kind, message) }
}

/// A mapping that keeps the order in which its keys came.
struct Dict {
  private(set) var keys: [Value] = []
  private(set) var values: [Value] = []
  private var places: [Key: Int] = [:]
  private(set) var depth = 1

  var count: Int { keys.count }

  init() {}

  init(_ pairs: [(Value, Value)]) throws(TemplateError) {
    for (key, value) in pairs { try set(key, value) }
  }

  func get(_ key: Value) throws(TemplateError) -> Value? { places[try Key(key)].map { values[$0] } }

  func get(_ key: String) -> Value? { places[Key(Text(key))].map { values[$0] } }

  mutating func set(_ key: Value, _ value: Value) throws(TemplateError) {
    let hashed = try Key(key)
    depth = max(depth, key.depth + 1, value.depth + 1)
    guard depth <= List.deepest else { throw TemplateError(.recursion, "values are nested too deeply") }
    if let place = places[hashed] {
      values[place] = value
    } else {
      places[hashed] = keys.count
      keys.append(key)
      values.append(value)
    }
  }

  /// Sets a key that bears the mark of where it came from.
  mutating func set(_ key: String, _ value: Value, isTrusted: Bool = true) throws(TemplateError) {
    try set(.string(Text(key, isTrusted: isTrusted)), value)
  }

  /// The entries as tuples.
  func pairs() throws(TemplateError) -> [Value] {
    var pairs: [Value] = []
    for (key, value) in zip(keys, values) { pairs.append(.tuple(try List([key, value]))) }
    return pairs
  }

  /// Identity of a key; numbers that are equal are the same key.
  enum Key: Hashable {
    case none
    case undefined
    case number(Double)
    case int(Int)
    case string(Text)
    case tuple([Key])
    case identity(ObjectIdentifier)

    init(_ text: Text) { self = .string(text) }

    init(_ value: Value) throws(TemplateError) {
      var budget = 4096
      try self.init(value, budget: &budget)
    }

    private init(_ value: Value, budget: inout Int) throws(TemplateError) {
      budget -= 1
      guard budget > 0 else { throw TemplateError(.limit, "a key has too many parts") }
      switch value {
      case .none: self = .none
      case .undefined: self = .undefined
      case .bool(let value): self = .int(value ? 1 : 0)
      case .int(let value): self = .int(value)
      case .float(let value):
        if let whole = Int(exactly: value) { self = .int(whole) } else { self = .number(value) }
      case .string(let text): self = .string(text)
      case .tuple(let values):
        var keys: [Key] = []
        for value in values.elements { keys.append(try Key(value, budget: &budget)) }
        self = .tuple(keys)
      case .macro(let macro): self = .identity(ObjectIdentifier(macro))
      case .namespace(let namespace): self = .identity(ObjectIdentifier(namespace))
      case .generator(let generator): self = .identity(ObjectIdentifier(generator))
      case .range, .loop, .function, .view, .list, .dict:
        throw TemplateError(.type, "unhashable type: '\(value.typeName)'")
      }
    }
  }
}

/// View of a mapping that `items()`, `keys()` and `values()` return.
struct DictView {
  enum Part: String { case items = "dict_items", keys = "dict_keys", values = "dict_values" }
  let dict: Dict
  let part: Part

  func elements() throws(TemplateError) -> [Value] {
    switch part {
    case .items: try dict.pairs()
    case .keys: dict.keys
    case .values: dict.values
    }
  }
}

/// Numbers from one to another.
struct RangeValue: Equatable {
  let start: Int
  let stop: Int
  let step: Int

  var count: Int {
    if step > 0 { return start < stop ? (stop - start - 1) / step + 1 : 0 }
    return start > stop ? (start - stop - 1) / -step + 1 : 0
  }

  subscript(index: Int) -> Int { start + index * step }
}

/// A sequence that is made while it is read, and can be read once.
final class Generator {
  let depth: Int
  private var produce: (() throws(TemplateError) -> [Value])?
  private var elements: [Value] = []
  private var position = 0

  /// - Parameter source: what it reads.
  init(reading source: Value, _ produce: @escaping () throws(TemplateError) -> [Value]) throws(TemplateError) {
    depth = source.depth + 1
    guard depth <= List.deepest else { throw TemplateError(.recursion, "generators are nested too deeply") }
    self.produce = produce
  }

  func next() throws(TemplateError) -> Value? {
    if let produce {
      self.produce = nil
      elements = try produce()
    }
    guard position < elements.count else { return nil }
    position += 1
    return elements[position - 1]
  }

  func rest() throws(TemplateError) -> [Value] {
    var rest: [Value] = []
    while let value = try next() { rest.append(value) }
    return rest
  }
}

/// Object that `namespace()` makes: the only one whose attributes can be set.
final class Namespace {
  var attributes: Dict

  init(_ attributes: Dict) { self.attributes = attributes }
}

/// A function or a method of a value.
final class Function {
  let name: String
  let call: (Renderer, Arguments) throws(TemplateError) -> Value

  init(_ name: String, _ call: @escaping (Renderer, Arguments) throws(TemplateError) -> Value) {
    self.name = name
    self.call = call
  }
}

/// Arguments of a call.
struct Arguments {
  var positional: [Value] = []
  var keywords: [(name: String, value: Value)] = []

  /// The argument of a parameter, by place or by name.
  func get(_ index: Int, _ name: String) -> Value? {
    index < positional.count ? positional[index] : keywords.first { $0.name == name }?.value
  }

  /// Refuses more arguments than there are parameters, and names that are none of theirs.
  func check(_ function: String, _ parameters: [String], required: Int = 0) throws(TemplateError) {
    if positional.count > parameters.count {
      throw TemplateError(
        .type,
        "\(function)() takes \(parameters.count) positional arguments but \(positional.count) were given")
    }
    for (name, _) in keywords where !parameters.contains(name) {
      throw TemplateError(.type, "\(function)() got an unexpected keyword argument '\(name)'")
    }
    for (index, parameter) in parameters.prefix(required).enumerated() where get(index, parameter) == nil {
      throw TemplateError(.type, "\(function)() missing 1 required positional argument: '\(parameter)'")
    }
  }
}

extension Value {
  /// Nesting depth of lists and mappings.
  var depth: Int {
    switch self {
    case .list(let list), .tuple(let list): list.depth
    case .dict(let dict): dict.depth
    case .view(let view): view.dict.depth + 1
    case .generator(let generator): generator.depth
    default: 0
    }
  }

  private static let roles: Set<String> = [
    "system", "developer", "user", "assistant", "model", "tool", "function", "ipython", "environment",
  ]

  init(_ value: TemplateValue, isTrusted: Bool) throws(TemplateError) {
    switch value {
    case .null: self = .none
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .float(value)
    case .string(let text): self = .string(Text(text, isTrusted: isTrusted))
    case .array(let elements):
      var values: [Value] = []
      for element in elements { values.append(try Value(element, isTrusted: isTrusted)) }
      self = .list(try List(values))
    case .object(let members):
      var dict = Dict()
      for member in members {
        // Templates put markup together from the roles of messages; these words are harmless, and only these.
        var isKnown = false
        if member.key == "role", case .string(let role) = member.value { isKnown = Self.roles.contains(role) }
        try dict.set(member.key, try Value(member.value, isTrusted: isTrusted || isKnown), isTrusted: isTrusted)
      }
      self = .dict(dict)
    }
  }
}
