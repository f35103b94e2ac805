import Foundation

/// Reasons for which a setting cannot have the value asked for.
package enum SettingError: Error, Sendable, Equatable {
  /// No setting of that name; `nearest` is the name that was probably meant.
  case unknown(name: String, nearest: String?)
  /// The text is no value of the setting's type, which `expected` names.
  case malformed(name: String, given: String, expected: String)
  /// The number is out of the setting's range.
  case outOfRange(name: String, given: String, range: ClosedRange<Double>)
  /// The word is none of the setting's choices.
  case notAChoice(name: String, given: String, choices: [String])
  /// The file cannot be read; `reason` is the system's or the JSON reader's.
  case unreadable(path: String, reason: String)
  /// A setting in the file is wrong.
  indirect case inFile(path: String, SettingError)
}

extension Settings {
  static func readDeclarations(_ url: URL) throws(SettingError) -> [SettingDeclaration] {
    var declarations: [SettingDeclaration] = []
    for (name, entry) in try readObject(url) {
      guard let entry = entry as? [String: Any], let initial = value(of: entry["value"]) else {
        throw .unreadable(path: url.path, reason: "\(name) has no value")
      }
      let bounds = (entry["range"] as? [Any])?.compactMap { ($0 as? NSNumber)?.doubleValue } ?? []
      declarations.append(
        SettingDeclaration(
          name: name, initial: initial,
          range: bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : nil,
          choices: entry["choices"] as? [String] ?? [], about: entry["about"] as? String ?? ""))
    }
    return declarations.sorted { $0.name < $1.name }
  }

  static func readObject(_ url: URL) throws(SettingError) -> [String: Any] {
    do {
      let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
      guard let object = parsed as? [String: Any] else {
        throw SettingError.unreadable(path: url.path, reason: "it is not a JSON object")
      }
      return object
    } catch let error as SettingError {
      throw error
    } catch {
      throw .unreadable(path: url.path, reason: (error as NSError).localizedDescription)
    }
  }

  private static func value(of json: Any?) -> SettingValue? {
    switch json {
    case let text as String: return .text(text)
    case let number as NSNumber:
      if CFBooleanType.matches(number) { return .boolean(number.boolValue) }
      return Int(exactly: number.doubleValue).map { .integer($0) } ?? .number(number.doubleValue)
    default: return nil
    }
  }

  static func text(of json: Any) -> String {
    value(of: json)?.description ?? "\(json)"
  }

  /// Parses a setting's value as a person types it.
  /// - Throws: ``SettingError`` naming the setting, what was given and what is allowed.
  package static func parse(_ text: String, for declaration: SettingDeclaration) throws(SettingError)
    -> SettingValue
  {
    let name = declaration.name
    switch declaration.initial {
    case .integer:
      guard let number = Int(text) else { throw .malformed(name: name, given: text, expected: "a whole number") }
      try check(Double(number), text, declaration)
      return .integer(number)
    case .number:
      guard let number = Double(text), number.isFinite else {
        throw .malformed(name: name, given: text, expected: "a number")
      }
      try check(number, text, declaration)
      return .number(number)
    case .boolean:
      switch text.lowercased() {
      case "on", "true", "yes", "1": return .boolean(true)
      case "off", "false", "no", "0": return .boolean(false)
      default: throw .malformed(name: name, given: text, expected: "on or off")
      }
    case .text:
      guard declaration.choices.isEmpty || declaration.choices.contains(text) else {
        throw .notAChoice(name: name, given: text, choices: declaration.choices)
      }
      return .text(text)
    }
  }

  private static func check(_ number: Double, _ text: String, _ declaration: SettingDeclaration)
    throws(SettingError)
  {
    if let range = declaration.range, !range.contains(number) {
      throw .outOfRange(name: declaration.name, given: text, range: range)
    }
  }

  func nearest(to name: String) -> String? {
    let folded = name.lowercased()
    return declarations.map(\.name).first {
      $0.hasSuffix("." + folded) || $0.contains(folded) || folded.contains($0)
    }
  }
}

/// Foundation reads JSON booleans as numbers; their Objective-C type tells them apart.
private enum CFBooleanType {
  static func matches(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
