extension Renderer {
  // MARK: Sequences

  /// The elements of what can be iterated.
  func elements(of value: Value) throws(TemplateError) -> [Value] {
    switch value {
    case .list(let list), .tuple(let list): return list.elements
    case .dict(let dict): return dict.keys
    case .string(let text):
      try step(text.count)
      return text.units.map { .string(Text(units: [$0])) }
    case .range(let range):
      try step(range.count)
      return (0..<range.count).map { .int(range[$0]) }
    case .view(let view):
      try step(view.dict.count)
      return try view.elements()
    case .generator(let generator): return try generator.rest()
    case .undefined: return []
    case .loop(let loop):
      var rest: [Value] = []
      while let value = try loop.advance() { rest.append(.tuple(try List([value, .loop(loop)]))) }
      return rest
    case .none, .bool, .int, .float, .namespace, .macro, .function:
      throw TemplateError(.type, "'\(value.typeName)' object is not iterable")
    }
  }

  /// Reads a sequence one by one; a generator goes on where it is.
  func iterator(over value: Value) throws(TemplateError) -> () throws(TemplateError) -> Value? {
    if case .generator(let generator) = value { return generator.next }
    let elements = try elements(of: value)
    var position = 0
    return { () throws(TemplateError) -> Value? in
      guard position < elements.count else { return nil }
      position += 1
      return elements[position - 1]
    }
  }

  /// `len(value)`.
  func count(of value: Value) throws(TemplateError) -> Int {
    switch value {
    case .list(let list), .tuple(let list): return list.elements.count
    case .dict(let dict): return dict.count
    case .string(let text): return text.count
    case .range(let range): return range.count
    case .view(let view): return view.dict.count
    case .undefined: return 0
    case .loop(let loop): return try loop.length()
    default: throw TemplateError(.type, "object of type '\(value.typeName)' has no len()")
    }
  }

  // MARK: Attributes and items

  /// `value.name`: an attribute, else an item.
  func attribute(_ name: String, of value: Value) throws(TemplateError) -> Value {
    if case .undefined(let undefined) = value { throw undefined.error }
    if let attribute = try Attributes.find(name, of: value, self) { return attribute }
    if case .dict(let dict) = value, let item = dict.get(name) { return item }
    return missing(Text(name), of: value)
  }

  /// `value[argument]`: an item, else an attribute.
  func item(_ argument: Value, of value: Value) throws(TemplateError) -> Value {
    switch (value, argument) {
    case (.undefined(let undefined), _): throw undefined.error
    case (.dict(let dict), _):
      // A key that cannot be one is only a key that is not there.
      if let item = try? dict.get(argument) { return item }
    case (.list(let list), .int(let index)), (.tuple(let list), .int(let index)):
      if let place = place(index, list.elements.count) { return list.elements[place] }
    case (.list(let list), .bool(let flag)), (.tuple(let list), .bool(let flag)):
      if let place = place(flag ? 1 : 0, list.elements.count) { return list.elements[place] }
    case (.string(let text), .int(let index)):
      if let place = place(index, text.count) { return .string(text[place..<place + 1]) }
    case (.range(let range), .int(let index)):
      if let place = place(index, range.count) { return .int(range[place]) }
    default: break
    }
    if case .string(let name) = argument, let attribute = try Attributes.find(name.string, of: value, self) {
      return attribute
    }
    if case .string(let name) = argument { return missing(name, of: value) }
    let shown = try Representation.full(argument, self).string
    return .undefined(Undefined("\(value.objectName) has no element \(shown)"))
  }

  private func place(_ index: Int, _ count: Int) -> Int? {
    let place = index < 0 ? index + count : index
    return place >= 0 && place < count ? place : nil
  }

  private func missing(_ name: Text, of value: Value) -> Value {
    .undefined(Undefined("'\(value.objectName)' has no attribute \(Representation.quoted(name).string)"))
  }

  // MARK: Slices

  func slice(_ value: Value, _ bounds: [Value]) throws(TemplateError) -> Value {
    if case .undefined(let undefined) = value { throw undefined.error }
    var numbers: [Int?] = []
    for bound in bounds {
      switch bound {
      case .none: numbers.append(nil)
      case .int(let number): numbers.append(number)
      case .bool(let flag): numbers.append(flag ? 1 : 0)
      default:
        throw TemplateError(.type, "slice indices must be integers or None or have an __index__ method")
      }
    }
    let count: Int
    switch value {
    case .string(let text): count = text.count
    case .list(let list), .tuple(let list): count = list.elements.count
    case .range(let range): count = range.count
    default: return .undefined(Undefined("\(value.objectName) has no element slice(None, None, None)"))
    }
    let indices = try Self.indices(numbers, count)
    try step(indices.count / 8)
    switch value {
    case .string(let text):
      try make(indices.count)
      return .string(Text(units: indices.map { text.units[$0] }, isMarkup: text.isMarkup))
    case .tuple(let list): return .tuple(try List(indices.map { list.elements[$0] }))
    case .range(let range): return .list(try List(indices.map { .int(range[$0]) }))
    case .list(let list): return .list(try List(indices.map { list.elements[$0] }))
    default: return .none
    }
  }

  private static func indices(_ bounds: [Int?], _ count: Int) throws(TemplateError) -> [Int] {
    let step = bounds[2] ?? 1
    guard step != 0 else { throw TemplateError(.value, "slice step cannot be zero") }
    func bound(_ number: Int?, _ fallback: Int) -> Int {
      guard var number else { return fallback }
      if number < 0 { number = number < -count ? (step < 0 ? -1 : 0) : number + count }
      return min(number, step < 0 ? count - 1 : count)
    }
    let start = bound(bounds[0], step < 0 ? count - 1 : 0)
    let stop = bound(bounds[1], step < 0 ? -1 : count)
    if abs(step.magnitude > UInt(Int.max) ? Int.max : step) > count {
      return (step > 0 ? start < stop : start > stop) ? [start] : []
    }
    return Array(stride(from: start, to: stop, by: step))
  }
}
