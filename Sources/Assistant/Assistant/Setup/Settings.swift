import Foundation

/// A value a setting can have.
package enum SettingValue: Sendable, Equatable, CustomStringConvertible {
  case integer(Int), number(Double), boolean(Bool), text(String)

  /// The value in the form in which one types it.
  package var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .boolean(let value): value ? "on" : "off"
    case .text(let value): value
    }
  }
}

/// One setting as `Config/alcove.json` declares it.
package struct SettingDeclaration: Sendable, Equatable {
  /// The dotted name, as in `search.top`.
  package let name: String
  /// Default value; it also fixes the setting's type.
  package let initial: SettingValue
  /// The numbers allowed, if it is a number with bounds.
  package let range: ClosedRange<Double>?
  /// The words allowed, if it is one of a few.
  package let choices: [String]
  /// Description of its effect.
  package let about: String
}

/// Origins of a setting's value; a later one wins over an earlier.
package enum SettingOrigin: String, Sendable, Comparable {
  case initial = "default", file, model, environment, flag, session

  private var rank: Int {
    [.initial: 0, .file: 1, .model: 2, .environment: 3, .flag: 4, .session: 5][self] ?? 0
  }
  /// By precedence.
  package static func < (left: SettingOrigin, right: SettingOrigin) -> Bool { left.rank < right.rank }
}

/// Settings in force: session over flag over environment over values saved for the model over config file over
/// `Config/alcove.json`.
package struct Settings: Sendable {
  /// Every setting there is, by name.
  package let declarations: [SettingDeclaration]
  private let byName: [String: SettingDeclaration]
  private var values: [String: [SettingOrigin: SettingValue]] = [:]
  /// Values that the user's file holds for single models, by the model's name.
  private var byModel: [String: [String: String]] = [:]

  /// Key in the user's file below which values are saved for single models.
  package static let modelsKey = "models"

  /// Reads the declarations, then the user's file, then the environment (`ALCOVE_SEARCH_TOP=5`).
  package init(
    declarations url: URL, userFile: URL?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(SettingError) {
    declarations = try Self.readDeclarations(url)
    byName = Dictionary(uniqueKeysWithValues: declarations.map { ($0.name, $0) })
    if let userFile, FileManager.default.fileExists(atPath: userFile.path) {
      for (name, value) in try Self.readObject(userFile).sorted(by: { $0.key < $1.key }) {
        if name == Self.modelsKey, let models = value as? [String: [String: Any]] {
          byModel = models.mapValues { $0.mapValues(Self.text) }
          continue
        }
        do { try set(name, to: Self.text(of: value), origin: .file) } catch {
          throw .inFile(path: userFile.path, error)
        }
      }
    }
    for declaration in declarations {
      let variable =
        "ALCOVE_" + declaration.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
      if let text = environment[variable] { try set(declaration.name, to: text, origin: .environment) }
    }
  }

  /// Changes a setting from the text a person typed.
  /// - Throws: ``SettingError`` naming the setting, what was given and what is allowed; nothing is changed then.
  package mutating func set(_ name: String, to text: String, origin: SettingOrigin) throws(SettingError) {
    guard let name = canonical(name), let declaration = byName[name] else {
      throw .unknown(name: name, nearest: nearest(to: name))
    }
    values[name, default: [:]][origin] = try Self.parse(text, for: declaration)
  }

  /// Whole name of a setting: as it is, or by its last part where that is the only one.
  package func canonical(_ name: String) -> String? {
    if byName[name] != nil { return name }
    let fitting = declarations.map(\.name).filter { $0.hasSuffix("." + name) }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// Applies the values saved for a model, and removes those of any other model.
  package mutating func use(model: String) {
    for name in values.keys { values[name]?[.model] = nil }
    for (name, text) in byModel[model] ?? [:] {
      // A saved value that is no longer valid must not keep the model from answering.
      try? set(name, to: text, origin: .model)
    }
  }

  /// The value in force and where it came from, or nil where there is no such setting.
  package func value(_ name: String) -> (value: SettingValue, origin: SettingOrigin)? {
    if let (origin, value) = values[name]?.max(by: { $0.key < $1.key }) { return (value, origin) }
    return byName[name].map { ($0.initial, .initial) }
  }

  /// The value of a number setting that `Config/alcove.json` is known to declare.
  package func integer(_ name: String) -> Int {
    guard case .integer(let value)? = value(name)?.value else {
      preconditionFailure("no whole-number setting \(name)")
    }
    return value
  }

  /// The value of a word setting that `Config/alcove.json` is known to declare.
  package func text(_ name: String) -> String {
    guard case .text(let value)? = value(name)?.value else { preconditionFailure("no word setting \(name)") }
    return value
  }

  /// The value of a switch that `Config/alcove.json` is known to declare.
  package func isOn(_ name: String) -> Bool {
    guard case .boolean(let value)? = value(name)?.value else { preconditionFailure("no switch \(name)") }
    return value
  }

  /// The value of a fractional setting that `Config/alcove.json` is known to declare.
  package func number(_ name: String) -> Double {
    switch value(name)?.value {
    case .number(let value)?: return value
    case .integer(let value)?: return Double(value)
    default: preconditionFailure("no number setting \(name)")
    }
  }
}
