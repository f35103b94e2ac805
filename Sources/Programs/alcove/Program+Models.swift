import Assistant
import ChatTemplates
import Foundation
import ModelFormats
import ModelStore
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
    let texts = try PromptTexts(folder: workspace.installation.prompts)
    var settings = LanguageModelBackend.Settings(try self.settings(), texts: texts)
    let power = PowerNotice(
      condition: PowerCondition(root: environment["ALCOVE_SYSTEM_ROOT"] ?? ""), context: settings.contextLength,
      threads: settings.threadCount, isAllowed: try self.settings().isOn("power.step-down"))
    (settings.contextLength, settings.threadCount) = (power.context, power.threads)
    settings.availableBytes = machineMemory().available
    let draft = try self.settings().text("model.draft")
    settings.draftPath = draft.isEmpty ? nil : try modelFile(draft)
    settings.states = try self.settings().isOn("model.keep-state") ? stateFiles : nil
    // A file that cannot be read says why when it is loaded.
    let window = (try? GGUFFile(path: path)).map { settings.window(for: $0) }
    let judgement = try judgeMemory(of: path, context: window?.length ?? power.context)
    try await makeRoom(
      for: .text, path: path, byteCount: judgement?.estimate.total ?? 0)
    // Never two language models at once, nor one twice.
    await unloadModel()
    let progress = ProgressLine(output: errors, environment: environment)
    progress.update(done: 0, total: 0, label: "loading \(name) …")
    defer { progress.clear() }
    let started = ContinuousClock.now
    let model = try await LanguageModelBackend.load(path: path, settings: settings)
    try await workspace.store.record(
      .modelLoaded(backend: .gguf, byteCount: model.description.byteCount, total: ContinuousClock.now - started))
    loadedModel = model
    residency.loaded(
      kind: .text, path: path, byteCount: judgement?.estimate.total ?? model.description.byteCount)
    try await useSettings(ofModel: model.name)
    await letDraw(openedSession)
    progress.clear()
    if try self.settings().text("model.compute") == "gpuPrioritized" {
      notice("This version has no engine for graphics processors; the processor computes (setting model.compute).")
    }
    if let sentence = power.sentence { notice(sentence) }
    let why = model.window.reason == .memory ? ", as memory allows" : ""
    notice(
      "\(model.name) (\(model.description.quantization), a window of \(model.window.length.formatted()) tokens\(why)) answers."
    )
    switch model.borrowedTemplate {
    case nil: break
    case .family(let family): notice("The file has no chat template; the one of the \(family) family is used.")
    case .chatML: notice("The file has no chat template; ChatML is used, which this model may not know.")
    }
    return loadedModel ?? model
  }

  /// Where what models have read is kept from one run to the next.
  var stateFiles: StateFiles { StateFiles(directory: directories.cache.appending(path: "states")) }

  /// Keeps what the model has read of the conversation, for when it goes on.
  func keepState() async {
    guard let model = loadedModel, let stateOrigins, !stateOrigins.isEmpty else { return }
    await model.keepState(origins: stateOrigins)
  }

  /// Keeps what the model has read for a single question: what all begin with, and of a conversation that goes on all of it.
  func keepStateOfQuestion() async {
    guard let model = loadedModel, stateOrigins != nil else { return }
    await model.keepInstructions()
    if continuesLast || requestedSession != nil { await keepState() }
  }

  /// Removes what was kept of sessions or documents, and keeps nothing of what the model holds of them now.
  func forgetStates(of origins: [String]) throws {
    stateOrigins = nil
    // A system text may have been given in a session.
    for origin in origins + [LanguageModelBackend.instructions] { try stateFiles.remove(taggedWith: origin) }
  }

  /// Frees the model that answers, if any.
  func unloadModel() async {
    guard let model = loadedModel else { return }
    loadedModel = nil
    residency.unloaded(path: model.description.path)
    await openedSession?.use(nil)
  }

  /// The file of a model named by its path, or by its name in the folder of models.
  func modelFile(_ name: String) throws -> String {
    let path = absolutePath(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    let known = modelFiles()
    let sought = name.lowercased()
    if let file = known.first(where: { [sought, sought + ".gguf"].contains($0.name.lowercased()) }) {
      return file.path
    }
    let beginning = known.filter { $0.name.lowercased().hasPrefix(sought) }
    // Several forms of one model: the one that suits the memory.
    if Set(beginning.map { Self.family($0.name) }).count == 1, let path = fittingForm(beginning) { return path }
    let near = NearestName.of(name, among: known.map(\.name))
    throw NotFound(
      sentence: "there is no model file '\(name)'"
        + (near.map { "; did you mean '\($0)'?" } ?? ", and none of that name in \(directories.models.path)"))
  }

  /// The model files in the folder of models, by name.
  func modelFiles() -> [(name: String, path: String, byteCount: Int)] {
    // Where the folder is not there, there are no models.
    guard let found = FileManager.default.enumerator(at: directories.models, includingPropertiesForKeys: [])
    else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension.lowercased() == "gguf" }.compactMap { url in
      var facts = stat()
      // A link counts as what it leads to; one that leads nowhere is no model.
      guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      return (url.lastPathComponent, url.path, Int(facts.st_size))
    }.sorted { $0.name < $1.name }
  }
}
