extension GGUFHeader {
  /// A value, or nil where the key is absent.
  package subscript(key: String) -> GGUFValue? { metadata[key] }

  /// An integer of any width, or nil where the key is absent.
  package func integer(_ key: String) throws(GGUFError) -> Int? {
    guard let value = metadata[key] else { return nil }
    guard let integer = value.integer else {
      throw .wrongType(key: key, expected: "integer", found: value.type)
    }
    return integer
  }

  /// A number of any type, or nil where the key is absent.
  package func number(_ key: String) throws(GGUFError) -> Double? {
    guard let value = metadata[key] else { return nil }
    guard let number = value.number else {
      throw .wrongType(key: key, expected: "number", found: value.type)
    }
    return number
  }

  /// A truth value, or nil where the key is absent.
  package func bool(_ key: String) throws(GGUFError) -> Bool? {
    guard let value = metadata[key] else { return nil }
    guard case .bool(let bool) = value else {
      throw .wrongType(key: key, expected: "bool", found: value.type)
    }
    return bool
  }

  /// A text, or nil where the key is absent.
  package func string(_ key: String) throws(GGUFError) -> String? {
    guard let value = metadata[key] else { return nil }
    guard case .string(let string) = value else {
      throw .wrongType(key: key, expected: "string", found: value.type)
    }
    return string
  }

  /// A list of texts, or nil where the key is absent.
  package func strings(_ key: String) throws(GGUFError) -> [String]? {
    try list(key, expected: "array of strings") { $0.strings }
  }

  /// A list of integers or truth values, or nil where the key is absent.
  package func integers(_ key: String) throws(GGUFError) -> [Int]? {
    try list(key, expected: "array of integers") { $0.integers }
  }

  /// A list of floating-point numbers, or nil where the key is absent.
  package func floats(_ key: String) throws(GGUFError) -> [Float]? {
    try list(key, expected: "array of numbers") { $0.floats }
  }

  /// A value for each of `count` layers: the file has a list of at least that many, or one integer for all.
  package func integers(_ key: String, perLayer count: Int) throws(GGUFError) -> [Int]? {
    guard let value = metadata[key] else { return nil }
    guard case .array(let array) = value else {
      guard let integer = try integer(key) else { return nil }
      return Array(repeating: integer, count: count)
    }
    guard let integers = array.integers else {
      throw .wrongType(key: key, expected: "array of integers", found: array.elementType)
    }
    guard integers.count >= count else {
      throw .badValue(key: key, value: "\(integers.count) elements for \(count) layers")
    }
    return Array(integers.prefix(count))
  }

  private func list<Element>(
    _ key: String, expected: String, _ elements: (GGUFArray) -> [Element]?
  ) throws(GGUFError) -> [Element]? {
    guard let value = metadata[key] else { return nil }
    guard case .array(let array) = value else {
      throw .wrongType(key: key, expected: expected, found: value.type)
    }
    guard let list = elements(array) else {
      throw .wrongType(key: key, expected: expected, found: array.elementType)
    }
    return list
  }
}
