/// A value that is given to a template: what JSON can say, with the order of keys.
package enum TemplateValue: Sendable, Equatable {
  /// `none`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// A number with a fraction.
  case double(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([TemplateValue])
  /// A mapping, in order.
  case object([Member])

  /// One entry of a mapping.
  package struct Member: Sendable, Equatable {
    /// Its key.
    package var key: String
    /// Its value.
    package var value: TemplateValue

    /// Creates an entry.
    package init(_ key: String, _ value: TemplateValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key of a mapping.
  package subscript(key: String) -> TemplateValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

extension TemplateValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a text.
  package init(stringLiteral value: String) { self = .string(value) }
  /// Creates `true` or `false`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a whole number.
  package init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a list.
  package init(arrayLiteral elements: TemplateValue...) { self = .array(elements) }
  /// Creates a mapping with the keys in this order.
  package init(dictionaryLiteral elements: (String, TemplateValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}
