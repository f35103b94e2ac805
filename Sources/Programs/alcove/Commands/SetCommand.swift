import Assistant
import Foundation
import JSON
import Synchronization
import Terminal

extension Command {
  static let set = Command(
    name: "set", summary: "show or change settings",
    details: """
      Without a name it lists the settings and where each value comes from: default, model, file, environment, flag or \
      session. The last part of a name will do where it is the only one. At the prompt a change holds for the session, \
      also when it is resumed; with --save, and in the shell, it is written to config.json. With --for-model it is \
      written for the model that answers, and holds whenever that model does.
      """,
    arguments: [
      Argument(name: "NAME", kind: .setting, isOptional: true),
      Argument(name: "VALUE", kind: .settingValue, isOptional: true),
    ],
    options: [
      Option(name: "save", help: "write the change to config.json", surface: .prompt),
      Option(name: "for-model", help: "write the change to config.json, for the model that answers"),
    ],
    examples: ["alcove set", "alcove set search.top 5"]
  ) { invocation, program in
    let settings = try program.settings()
    guard let given = invocation.value("NAME") else {
      program.listSettings(settings.declarations.map(\.name), of: settings)
      return .ok
    }
    let name = settings.canonical(given) ?? given
    guard let value = invocation.value("VALUE") else {
      guard settings.value(name) != nil else {
        let near = NearestName.of(name, among: settings.declarations.map(\.name))
        throw SettingError.unknown(name: name, nearest: near)
      }
      program.listSettings([name], of: settings)
      return .ok
    }
    if invocation.has("for-model") {
      guard let model = try await program.models.model()?.name else { throw SessionError.noModel }
      try await program.set(name, to: value)
      try program.save(name, forModel: model)
      return .ok
    }
    try await program.set(name, to: value, isRemembered: true)
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
      // Where nobody has chosen, the model's own value holds.
      if origin == .initial, name.hasPrefix("model."), let own = ownValues[String(name.dropFirst(6))] {
        table.add([name, own, "model file", about])
      } else {
        table.add([name, value.description, origin.rawValue, about])
      }
    }
    output.write(table.text(width: output.columns, ink: output.ink))
  }

  /// Sampling settings that the loaded model's file or family recommends.
  private var ownValues: [String: String] {
    (models.loadedModel?.ownSampling ?? [:]).mapValues { value in
      let rounded = (value * 1e4).rounded() / 1e4
      return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
  }

  /// Names that completions draw on.
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
