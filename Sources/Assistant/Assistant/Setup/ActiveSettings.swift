import Foundation

/// The settings in force during a run of the program, read when first asked for and changed as it goes.
@MainActor
package final class ActiveSettings {
  private let environment: [String: String]
  private let userFile: URL
  private let changes: [(name: String, value: String)]
  private var loaded: Settings?

  /// Creates the settings of a run.
  /// - Parameter changes: values given with the command (`--set NAME=VALUE`), which win over all but later changes.
  package init(environment: [String: String], userFile: URL, changes: [(name: String, value: String)] = []) {
    self.environment = environment
    self.userFile = userFile
    self.changes = changes
  }

  /// Returns the settings in force.
  /// - Throws: ``SettingError`` or ``InstallationError`` where they cannot be read.
  package func current() throws -> Settings {
    if let loaded { return loaded }
    var settings = try Settings(
      declarations: Installation(environment: environment).defaults, userFile: userFile, environment: environment)
    for (name, value) in changes { try settings.set(name, to: value, origin: .flag) }
    loaded = settings
    return settings
  }

  /// Changes a setting until the program ends.
  /// - Returns: the setting's whole name.
  @discardableResult
  package func set(_ name: String, to value: String) throws -> String {
    var settings = try current()
    try settings.set(name, to: value, origin: .session)
    loaded = settings
    return settings.canonical(name) ?? name
  }

  /// Lets the settings that were kept for a model hold.
  package func use(model: String) throws {
    var settings = try current()
    settings.use(model: model)
    loaded = settings
  }

  /// Writes a setting's value to the user's settings file, next to what stands there.
  /// - Parameter model: the model that it is for; nil for all.
  package func save(_ name: String, forModel model: String? = nil) throws {
    guard let value = try current().value(name)?.value else { return }
    var object: [String: Any] = [:]
    if FileManager.default.fileExists(atPath: userFile.path) {
      // Settings were read from this file just now, so it is a JSON object.
      object = try JSONSerialization.jsonObject(with: Data(contentsOf: userFile)) as? [String: Any] ?? [:]
    }
    let written: Any =
      switch value {
      case .integer(let number): number
      case .number(let number): number
      case .boolean(let isOn): isOn
      case .text(let text): text
      }
    if let model {
      var models = object[Settings.modelsKey] as? [String: [String: Any]] ?? [:]
      models[model, default: [:]][name] = written
      object[Settings.modelsKey] = models
    } else {
      object[name] = written
    }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    try (data + Data("\n".utf8)).write(to: userFile, options: .atomic)
    chmod(userFile.path, 0o600)
  }
}
