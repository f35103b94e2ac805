extension Renderer {
  func compare(_ operation: ComparisonOperator, _ left: Value, _ right: Value) throws(TemplateError) -> Bool {
    switch operation {
    case .equal: try equal(left, right)
    case .notEqual: try !equal(left, right)
    case .isIn: try contains(right, left)
    case .isNotIn: try !contains(right, left)
    case .less: try isOrdered(left, right, operation)
    case .greater: try isOrdered(left, right, operation)
    case .lessOrEqual: try isOrdered(left, right, operation)
    case .greaterOrEqual: try isOrdered(left, right, operation)
    }
  }

  /// `left == right`.
  func equal(_ left: Value, _ right: Value) throws(TemplateError) -> Bool {
    try step()
    if let left = Arithmetic.number(left), let right = Arithmetic.number(right) {
      if case .int(let left) = left, case .int(let right) = right { return left == right }
      return left.float == right.float
    }
    switch (left, right) {
    case (.undefined, .undefined), (.none, .none): return true
    case (.string(let left), .string(let right)):
      try step(min(left.count, right.count) / 16)
      return left == right
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      guard left.elements.count == right.elements.count else { return false }
      for (left, right) in zip(left.elements, right.elements) {
        guard try nested({ () throws(TemplateError) in try equal(left, right) }) else { return false }
      }
      return true
    case (.dict(let left), .dict(let right)):
      guard left.count == right.count else { return false }
      for (key, value) in zip(left.keys, left.values) {
        guard let other = try right.get(key), try nested({ () throws(TemplateError) in try equal(value, other) })
        else { return false }
      }
      return true
    case (.range(let left), .range(let right)):
      return left.count == right.count && (left.count == 0 || left.start == right.start)
        && (left.count < 2 || left.step == right.step)
    case (.view(let left), .view(let right)):
      guard left.dict.count == right.dict.count, left.part == right.part, left.part != .values else {
        return false
      }
      for element in try left.elements() {
        guard try contains(.view(right), element) else { return false }
      }
      return true
    default: return isSame(left, right)
    }
  }

  /// `left is right`, as far as values have an identity.
  func isSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.none, .none), (.undefined, .undefined): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.namespace(let left), .namespace(let right)): left === right
    case (.generator(let left), .generator(let right)): left === right
    case (.macro(let left), .macro(let right)): left === right
    case (.loop(let left), .loop(let right)): left === right
    case (.function(let left), .function(let right)): left === right
    default: false
    }
  }

  /// `element in container`.
  func contains(_ container: Value, _ element: Value) throws(TemplateError) -> Bool {
    switch container {
    case .string(let text):
      switch element {
      case .string(let part):
        try step(text.count / 16)
        return text.firstIndex(of: part) != nil
      default:
        throw TemplateError(.type, "'in <string>' requires string as left operand, not \(element.typeName)")
      }
    case .dict(let dict): return try dict.get(element) != nil
    case .view(let view) where view.part == .keys: return try view.dict.get(element) != nil
    case .none, .bool, .int, .float, .namespace, .macro, .function:
      throw TemplateError(.type, "argument of type '\(container.typeName)' is not iterable")
    default:
      for candidate in try elements(of: container) where try equal(candidate, element) { return true }
      return false
    }
  }

  private func isOrdered(_ left: Value, _ right: Value, _ operation: ComparisonOperator) throws(TemplateError)
    -> Bool
  {
    try step()
    if case .undefined(let undefined) = left { throw undefined.error }
    if case .undefined(let undefined) = right { throw undefined.error }
    if let left = Arithmetic.number(left), let right = Arithmetic.number(right) {
      if case .int(let left) = left, case .int(let right) = right { return order(left, right, operation) }
      return order(left.float, right.float, operation)
    }
    switch (left, right) {
    case (.string(let left), .string(let right)):
      return switch operation {
      case .less: left < right
      case .greater: right < left
      case .lessOrEqual: !(right < left)
      default: !(left < right)
      }
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      for (left, right) in zip(left.elements, right.elements) where try !equal(left, right) {
        return try nested { () throws(TemplateError) in try isOrdered(left, right, operation) }
      }
      return order(left.elements.count, right.elements.count, operation)
    default:
      throw TemplateError(
        .type,
        "'\(operation.rawValue)' not supported between instances of '\(left.typeName)' and '\(right.typeName)'")
    }
  }

  private func order<Element: Comparable>(_ left: Element, _ right: Element, _ operation: ComparisonOperator)
    -> Bool
  {
    switch operation {
    case .less: left < right
    case .greater: left > right
    case .lessOrEqual: left <= right
    default: left >= right
    }
  }

  /// Sorts as Python's `sorted` does: stable, by `<` alone.
  func sorted(_ values: [(key: Value, value: Value)], reverse: Bool) throws(TemplateError) -> [Value] {
    guard values.count > 1 else { return values.map(\.value) }
    // Reversed input and output keep the order of equals when sorting downwards.
    let source = reverse ? values.reversed() : values
    let result = try merged(source[...]).map(\.value)
    return reverse ? result.reversed() : result
  }

  private func merged(
    _ values: ArraySlice<(key: Value, value: Value)>
  ) throws(TemplateError) -> [(key: Value, value: Value)] {
    guard values.count > 1 else { return Array(values) }
    let middle = values.startIndex + values.count / 2
    let left = try merged(values[..<middle])
    let right = try merged(values[middle...])
    var result: [(key: Value, value: Value)] = []
    result.reserveCapacity(values.count)
    var (first, second) = (0, 0)
    while first < left.count, second < right.count {
      if try isOrdered(right[second].key, left[first].key, .less) {
        result.append(right[second])
        second += 1
      } else {
        result.append(left[first])
        first += 1
      }
    }
    return result + left[first...] + right[second...]
  }
}
