import Assistant
import Foundation
import Synchronization
import Terminal

extension Command {
  static let set = Command(
    name: "set", summary: "show or change settings",
    details: """
      Without a name it lists the settings and where each value comes from: default, file, environment, flag or \
      session. At the prompt a change lasts until you leave; with --save, and in the shell, it is written to \
      config.json.
      """,
    arguments: [
      Argument(name: "NAME", kind: .setting, isOptional: true),
      Argument(name: "VALUE", kind: .settingValue, isOptional: true),
    ],
    options: [Option(name: "save", help: "keep the change", surface: .prompt)],
    examples: ["alcove set", "alcove set search.top 5"]
  ) { invocation, program in
    let settings = try program.settings()
    guard let name = invocation.value("NAME") else {
      program.listSettings(settings.declarations.map(\.name), of: settings)
      return .ok
    }
    guard let value = invocation.value("VALUE") else {
      guard settings.value(name) != nil else {
        let near = NearestName.of(name, among: settings.declarations.map(\.name))
        throw SettingError.unknown(name: name, nearest: near)
      }
      program.listSettings([name], of: settings)
      return .ok
    }
    try await program.set(name, to: value)
    if invocation.surface == .shell || invocation.has("save") { try program.save(name) }
    return .ok
  }
}

extension Program {
  func listSettings(_ names: [String], of settings: Settings) {
    var table = Table(columns: [.init("setting"), .init("value"), .init("from"), .init("about", isFlexible: true)])
    for name in names {
      guard let (value, origin) = settings.value(name) else { continue }
      let about = settings.declarations.first { $0.name == name }?.about ?? ""
      table.add([name, value.description, origin.rawValue, about])
    }
    output.write(table.text(width: output.columns, ink: output.ink))
  }

  /// Writes a setting's value to the user's settings file, beside what stands there.
  func save(_ name: String) throws {
    guard let value = try settings().value(name)?.value else { return }
    try directories.prepare()
    let file = directories.settingsFile
    var object: [String: Any] = [:]
    if FileManager.default.fileExists(atPath: file.path) {
      // Settings were read from this file just now, so it is a JSON object.
      object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }
    switch value {
    case .integer(let number): object[name] = number
    case .number(let number): object[name] = number
    case .boolean(let isOn): object[name] = isOn
    case .text(let text): object[name] = text
    }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    try (data + Data("\n".utf8)).write(to: file, options: .atomic)
    chmod(file.path, 0o600)
  }

  /// The names that completions draw on.
  func completionNames() -> CompletionEngine.Names {
    var names = CompletionEngine.Names()
    // Completion offers nothing where the settings cannot be read; the command itself says why.
    let settings = try? settings()
    let cache = nameCache
    names.documents = { cache.documents.withLock { $0 } }
    names.sessions = { cache.sessions.withLock { $0 } }
    names.settings = { settings?.declarations.map { ($0.name, $0.about) } ?? [] }
    names.settingValues = { name in
      guard let declaration = settings?.declarations.first(where: { $0.name == name }) else { return [] }
      if case .boolean = declaration.initial { return ["on", "off"] }
      return declaration.choices
    }
    return names
  }
}
