/// Reads the keys of one model's architecture, `ARCHITECTURE.key`, and checks that values are in range.
///
/// Files often carry keys of other architectures with a value that means "off"; only what is asked for is checked.
/// - Throws: each function throws `GGUFError` where a value is of another type, out of range, or absent but needed.
package struct MetadataReader: Sendable {
  /// Header that is read.
  package let header: GGUFHeader
  /// Name of the architecture, as `general.architecture` gives it.
  package let architecture: String

  /// Makes a reader for the architecture that a header names.
  package init(_ header: GGUFHeader) throws(GGUFError) {
    guard let name = try header.string("general.architecture") else { throw .missingKey("general.architecture") }
    self.header = header
    architecture = name
  }

  /// Full name of a key in the file.
  package func full(_ key: String) -> String { "\(architecture).\(key)" }

  /// Error for a key that is absent but needed.
  package func missing(_ key: String) -> GGUFError { .missingKey(full(key)) }

  /// Error for a value that makes no sense.
  package func bad(_ key: String, _ value: String) -> GGUFError { .badValue(key: full(key), value: value) }

  /// Indicates whether the file has a list under a key, not one value for all layers.
  package func hasList(_ key: String) -> Bool {
    guard case .array? = header[full(key)] else { return false }
    return true
  }

  /// A text, or nil where the key is absent.
  package func string(_ key: String) throws(GGUFError) -> String? { try header.string(full(key)) }

  /// A truth value, or nil where the key is absent.
  package func bool(_ key: String) throws(GGUFError) -> Bool? { try header.bool(full(key)) }

  /// A finite number, or nil where the key is absent.
  package func number(_ key: String) throws(GGUFError) -> Float? {
    guard let number = try header.number(full(key)) else { return nil }
    guard number.isFinite else { throw bad(key, "\(number)") }
    return Float(number)
  }

  /// A number, or nil where it is absent or zero.
  package func numberIfSet(_ key: String) throws(GGUFError) -> Float? {
    guard let number = try number(key), number != 0 else { return nil }
    return number
  }

  /// A number that must be there and not negative.
  package func requiredNumber(_ key: String) throws(GGUFError) -> Float {
    guard let number = try number(key) else { throw missing(key) }
    guard number >= 0 else { throw bad(key, "\(number)") }
    return number
  }

  /// An integer, or nil where the key is absent.
  package func integer(_ key: String, in range: ClosedRange<Int>) throws(GGUFError) -> Int? {
    guard let value = try header.integer(full(key)) else { return nil }
    guard range.contains(value) else { throw bad(key, "\(value)") }
    return value
  }

  /// An integer that must be there.
  package func required(_ key: String, in range: ClosedRange<Int>) throws(GGUFError) -> Int {
    guard let value = try integer(key, in: range) else { throw missing(key) }
    return value
  }

  /// A size within `range`; reading leniently, 0 too, and 0 where the key is absent.
  package func size(
    _ key: String, in range: ClosedRange<Int>, _ strictness: Hyperparameters.Strictness
  ) throws(GGUFError) -> Int {
    switch strictness {
    case .strict: try required(key, in: range)
    case .lenient: try integer(key, in: 0...range.upperBound) ?? 0
    }
  }

  /// An integer, or `fallback` where it is absent or zero.
  package func integer(
    _ key: String, in range: ClosedRange<Int>, orIfZero fallback: Int
  ) throws(GGUFError) -> Int {
    guard let value = try header.integer(full(key)), value != 0 else { return fallback }
    guard range.contains(value) else { throw bad(key, "\(value)") }
    return value
  }

  /// An integer that some writers store without its sign, or nil where the key is absent.
  package func signed(_ key: String) throws(GGUFError) -> Int? {
    try header.integer(full(key)).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  /// A list of integers, or nil where the key is absent or holds no list.
  package func integers(_ key: String) throws(GGUFError) -> [Int]? {
    hasList(key) ? try header.integers(full(key)) : nil
  }

  /// A value for each of `layerCount` layers, from a list of at least that many or one integer for all; nil where
  /// the key is absent.
  package func perLayer(
    _ key: String, _ layerCount: Int, in range: ClosedRange<Int>
  ) throws(GGUFError) -> [Int]? {
    let values = try header.integers(full(key), perLayer: layerCount)
    if let wrong = values?.first(where: { !range.contains($0) }) { throw bad(key, "\(wrong)") }
    return values
  }
}
