import Foundation

/// Configuration file of a model folder: one JSON object whose values are checked on access.
struct ModelJSON {
  /// Path of the file, for errors.
  let file: String
  private let values: [String: any Sendable]

  private static let maximumByteCount = 32 << 20

  /// Reads a file; nil if it does not exist.
  /// - Throws: ``DiffusionError/unreadable(path:reason:)``.
  init?(path: String) throws(DiffusionError) {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int,
      size <= Self.maximumByteCount,
      let data = FileManager.default.contents(atPath: path)
    else { throw .unreadable(path: path, reason: "not a readable file of at most 32 MiB") }
    try self.init(data, file: path)
  }

  init(_ data: Data, file: String) throws(DiffusionError) {
    self.file = file
    // Foundation's error says nothing but prose.
    guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: any Sendable] else {
      throw .unreadable(path: file, reason: "not a JSON object")
    }
    values = object
  }

  init(_ values: [String: any Sendable], file: String) { (self.values, self.file) = (values, file) }

  private func value(_ key: String) -> (any Sendable)? {
    guard let value = values[key], !(value is NSNull) else { return nil }
    return value
  }

  func text(_ key: String) -> String? { value(key) as? String }

  func object(_ key: String) -> ModelJSON? {
    (value(key) as? [String: any Sendable]).map { ModelJSON($0, file: file) }
  }

  func flag(_ key: String) -> Bool? { value(key) as? Bool }

  func number(_ key: String, in range: ClosedRange<Double>) throws(DiffusionError) -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = (value as? NSNumber)?.doubleValue ?? value as? Double, range.contains(number) else {
      throw .badConfiguration(file: file, key: key, value: Self.shown(value))
    }
    return number
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(DiffusionError) -> Int? {
    guard let number = try number(key, in: Double(range.lowerBound)...Double(range.upperBound)) else { return nil }
    guard let integer = Int(exactly: number) else {
      throw .badConfiguration(file: file, key: key, value: "\(number)")
    }
    return integer
  }

  /// Returns one number or a list of numbers as a list.
  func integers(_ key: String, in range: ClosedRange<Int>) throws(DiffusionError) -> [Int]? {
    guard let value = value(key) else { return nil }
    guard let list = value as? [any Sendable] else { return try integer(key, in: range).map { [$0] } }
    var result: [Int] = []
    for element in list {
      guard let number = (element as? NSNumber)?.doubleValue, let integer = Int(exactly: number),
        range.contains(integer)
      else { throw .badConfiguration(file: file, key: key, value: Self.shown(value)) }
      result.append(integer)
    }
    guard !result.isEmpty else { throw .badConfiguration(file: file, key: key, value: "[]") }
    return result
  }

  func numbers(_ key: String) -> [Double]? {
    (value(key) as? [any Sendable])?.compactMap { ($0 as? NSNumber)?.doubleValue }
  }

  func choice<Choice: RawRepresentable>(_ key: String) throws(DiffusionError) -> Choice?
  where Choice.RawValue == String {
    guard let text = text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw .badConfiguration(file: file, key: key, value: Self.shown(text))
    }
    return choice
  }

  /// Integers by name, as in `vocab.json`; other values are left out.
  var integersByName: [String: Int] {
    var result: [String: Int] = [:]
    result.reserveCapacity(values.count)
    for (key, value) in values {
      if let number = (value as? NSNumber)?.intValue { result[key] = number }
    }
    return result
  }

  private static func shown(_ value: any Sendable) -> String { String("\(value)".prefix(80)) }
}
