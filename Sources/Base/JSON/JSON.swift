/// A JSON value (RFC 8259) as it was written: members keep their order and numbers their digits.
package indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(digits: String)
  case string(String)
  case array([JSON])
  case object(members: [Member])

  /// A name and its value in an object. A name may come twice.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSON

    /// Creates a member of an object.
    package init(name: String, value: JSON) { (self.name, self.value) = (name, value) }
  }

  /// Returns a whole number.
  package static func int(_ value: Int) -> JSON { .number(digits: "\(value)") }

  /// Returns a number, or null for infinities and NaN, which JSON cannot write.
  package static func number(_ value: Double) -> JSON { value.isFinite ? .number(digits: "\(value)") : .null }

  /// Returns an object with members in the order given.
  package static func object(_ members: [(String, JSON)]) -> JSON {
    .object(members: members.map { Member(name: $0.0, value: $0.1) })
  }

  /// Returns a string, or null where there is none.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  /// Returns an array of strings.
  package static func strings(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// The value of a member; the last one where the name comes twice.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }
}
