import Assistant
import ChatTemplates
import Foundation
import Telemetry
import Terminal
import TextGeneration

extension Program {
  /// The model that answers: the one asked for by `--model`, else by the setting `model.file`; nil for none.
  func backend() async throws -> LanguageModelBackend? {
    if let loadedModel { return loadedModel }
    let name = try requestedModel ?? settings().text("model.file")
    return name.isEmpty ? nil : try await load(model: name)
  }

  /// Loads a model and lets it answer from now on.
  @discardableResult
  func load(model name: String) async throws -> LanguageModelBackend {
    let path = try modelFile(name)
    let workspace = try await workspace()
    let system = try String(
      contentsOf: workspace.installation.prompts.appending(path: "system.txt"), encoding: .utf8)
    let settings = LanguageModelBackend.Settings(try settings(), system: system.trimmingSpaces())
    let progress = ProgressLine(output: errors, environment: environment)
    progress.update(done: 0, total: 0, label: "loading \(name) …")
    defer { progress.clear() }
    let started = ContinuousClock.now
    let model = try await LanguageModelBackend.load(path: path, settings: settings)
    try await workspace.store.record(
      .modelLoaded(backend: .gguf, byteCount: model.description.byteCount, total: ContinuousClock.now - started))
    loadedModel = model
    progress.clear()
    notice("\(model.name) (\(model.description.quantization), \(model.description.contextLength) tokens) answers.")
    switch model.borrowedTemplate {
    case nil: break
    case .family(let family): notice("The file has no chat template; the one of the \(family) family is used.")
    case .chatML: notice("The file has no chat template; ChatML is used, which this model may not know.")
    }
    return model
  }

  /// The file of a model named by its path, or by its name in the folder of models.
  func modelFile(_ name: String) throws -> String {
    let path = absolutePath(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    let known = modelFiles()
    let sought = name.lowercased()
    let fitting = known.filter { $0.name.lowercased() == sought || $0.name.lowercased() == sought + ".gguf" }
    if let file = fitting.first
      ?? (known.count { $0.name.lowercased().hasPrefix(sought) } == 1
        ? known.first { $0.name.lowercased().hasPrefix(sought) } : nil)
    {
      return file.path
    }
    let near = NearestName.of(name, among: known.map(\.name))
    throw NotFound(
      sentence: "there is no model file '\(name)'"
        + (near.map { "; did you mean '\($0)'?" } ?? ", and none of that name in \(directories.models.path)"))
  }

  /// The model files in the folder of models, by name.
  func modelFiles() -> [(name: String, path: String, byteCount: Int)] {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .isRegularFileKey]
    // Where the folder is not there, there are no models.
    guard
      let found = FileManager.default.enumerator(at: directories.models, includingPropertiesForKeys: Array(keys))
    else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension.lowercased() == "gguf" }.map { url in
      (url.lastPathComponent, url.path, (try? url.resourceValues(forKeys: keys).fileSize) ?? 0)
    }.sorted { $0.name < $1.name }
  }
}
