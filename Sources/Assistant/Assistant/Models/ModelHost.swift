import ChatTemplates
import Entitlements
import Foundation
import ModelFormats
import ModelStore
import Telemetry
import TextGeneration
import Threading

/// Models in memory: finds their files, judges the memory they take, loads them, and unloads them.
///
/// A language model, an embedder and a picture model share the memory by the policy of ``Residency``; there are never
/// two of a kind. A file's header is opened once for each load.
@MainActor
package final class ModelHost {
  /// Events of a load, in the order they happen.
  package enum Event {
    /// A model of this name is being loaded.
    case loading(String)
    /// The load is over, well or not.
    case ended
    /// Something the user should know.
    case notice(ModelNotice)
  }

  /// Folders of models, settings and caches.
  package let directories: Directories
  /// Settings in force.
  package let settings: ActiveSettings
  let environment: [String: String]
  private let record: (TelemetryEvent) async throws -> Void

  /// Language model asked for by `--model`; nil leaves it to the setting `model.file`.
  package var requestedModel: String?
  /// Picture model asked for by `image --model`; nil leaves it to the setting `image.model`.
  package var requestedPictureModel: String?
  /// Indicates whether a model is loaded although it seems not to fit.
  package var isForced: Bool
  /// Receives the events of a load.
  package var onEvent: (Event) -> Void = { _ in }
  /// Receives the language model that answers from now on; nil where none does.
  package var onChange: (LanguageModelBackend?) async -> Void = { _ in }

  /// Language model that answers, once loaded.
  package internal(set) var loadedModel: LanguageModelBackend?
  /// Models that are loaded, and the order in which they are unloaded.
  package internal(set) var residency = Residency()
  /// Session and documents that the model's KV cache comes from; nil where it may not be saved.
  package var cacheOrigins: Set<String>?
  private var openedStore: ModelStore?
  var openedPictureModel: OpenedPictureModel?
  var pictureUnloading: Task<Void, any Error>?

  /// Creates a host with nothing loaded.
  /// - Parameters:
  ///   - record: takes the event of a load.
  ///   - model: the language model asked for, where one was.
  package init(
    directories: Directories, settings: ActiveSettings, environment: [String: String], model: String? = nil,
    isForced: Bool = false, record: @escaping (TelemetryEvent) async throws -> Void
  ) {
    self.directories = directories
    self.settings = settings
    self.environment = environment
    self.record = record
    self.isForced = isForced
    requestedModel = model
  }

  /// Returns the models on this machine, opened when first asked for.
  package func store() throws -> ModelStore {
    if let openedStore { return openedStore }
    try directories.prepare()
    let store = try ModelStore(at: directories.models)
    openedStore = store
    return store
  }

  /// Returns the models worth fetching, with the user's changes.
  package func catalogue() throws -> Catalogue {
    try Catalogue(
      Installation(environment: environment).root.appending(path: "Config/catalog.json"),
      user: directories.config.appending(path: "catalog.json"))
  }

  // MARK: The language model

  /// Returns the model that answers: the one asked for, else the setting's; nil for none.
  package func model() async throws -> LanguageModelBackend? {
    if let loadedModel { return loadedModel }
    let name = try requestedModel ?? settings.current().text("model.file")
    return name.isEmpty ? nil : try await load(name)
  }

  /// Loads a language model, by name or path, and lets it answer from now on.
  /// - Throws: ``ModelHostError``, `TextGenerationError`, or `TemplateError` where the file's template cannot be read.
  @discardableResult
  package func load(_ name: String) async throws -> LanguageModelBackend {
    let path = try file(ofModel: name)
    let current = try settings.current()
    let texts = try PromptTexts(folder: Installation(environment: environment).prompts)
    var loading = LanguageModelBackend.Settings(current, texts: texts)
    let power = PowerCondition(root: systemRoot)
    let stepsDown = current.isOn("power.step-down") && !power.strains.isEmpty
    if stepsDown {
      loading.contextLength = power.context(
        loading.contextLength == 0 ? ContextWindow.usual : loading.contextLength)
      loading.threadCount = power.threads(loading.threadCount == 0 ? ProcessorCount.usable : loading.threadCount)
    }
    loading.availableBytes = memory().available
    let draft = current.text("model.draft")
    loading.draftPath = draft.isEmpty ? nil : try file(ofModel: draft)
    loading.states = current.isOn("model.keep-state") ? savedCaches : nil
    let file = try TextGenerator.open(path)
    let window = loading.window(for: file)
    let estimate = try judge(file, path: path, context: window.length)?.estimate.total
    try await makeRoom(for: .text, path: path, byteCount: estimate ?? 0)
    await unload()
    onEvent(.loading(name))
    defer { onEvent(.ended) }
    let started = ContinuousClock.now
    let model = try await LanguageModelBackend.load(file, path: path, window: window, settings: loading)
    try await record(
      .modelLoaded(backend: .gguf, byteCount: model.description.byteCount, total: ContinuousClock.now - started))
    loadedModel = model
    residency.loaded(kind: .text, path: path, byteCount: estimate ?? model.description.byteCount)
    try settings.use(model: model.name)
    try await refresh()
    onEvent(.ended)
    if current.text("model.compute") == "gpuPrioritized" { onEvent(.notice(.noGraphicsEngine)) }
    if stepsDown {
      onEvent(
        .notice(
          .steppedDown(strains: power.strains, context: loading.contextLength, threads: loading.threadCount)))
    }
    onEvent(
      .notice(
        .answers(
          name: model.name, quantization: model.description.quantization, window: model.window.length,
          isLimitedByMemory: model.window.reason == .memory)))
    switch model.borrowedTemplate {
    case nil: break
    case .family(let family): onEvent(.notice(.borrowedTemplate(family: family)))
    case .chatML: onEvent(.notice(.assumedChatML))
    }
    return loadedModel ?? model
  }

  /// Lets the loaded model answer by the settings in force.
  package func refresh() async throws {
    guard let model = loadedModel else { return }
    let texts = try PromptTexts(folder: Installation(environment: environment).prompts)
    let changed = model.with(LanguageModelBackend.Settings(try settings.current(), texts: texts))
    loadedModel = changed
    await onChange(changed)
  }

  /// Frees the language model, if any.
  package func unload() async {
    guard let model = loadedModel else { return }
    loadedModel = nil
    residency.unloaded(path: model.description.path)
    await onChange(nil)
  }

  /// Notes that the language model begins or ends to work, so that nothing unloads it meanwhile.
  package func markModel(isInUse: Bool) {
    if let path = loadedModel?.description.path { residency.uses(path: path, isInUse) }
  }

  /// Indicates whether a model answers or draws right now.
  package func isAtWork(_ path: String) -> Bool {
    residency.residents.contains { $0.path == path && $0.isInUse }
  }

  // MARK: The saved KV cache

  /// Folder in which KV caches are kept from one run to the next.
  var savedCaches: StateFiles { StateFiles(directory: directories.cache.appending(path: "states")) }

  /// Saves the KV cache of the conversation, for when it goes on.
  package func keepCache() async {
    guard let model = loadedModel, let cacheOrigins, !cacheOrigins.isEmpty else { return }
    await model.keepState(origins: cacheOrigins)
  }

  /// Saves the KV cache of a single question: of the prefix that all prompts share, and all of it where the
  /// conversation goes on.
  package func keepCacheOfQuestion(goesOn: Bool) async {
    guard let model = loadedModel, cacheOrigins != nil else { return }
    await model.keepInstructions()
    if goesOn { await keepCache() }
  }

  /// Removes the saved KV caches of sessions or documents, and saves nothing of them that the model holds now.
  package func forgetCaches(of origins: [String]) throws {
    cacheOrigins = nil
    // A system prompt may have been given in a session.
    for origin in origins + [LanguageModelBackend.instructions] { try savedCaches.remove(taggedWith: origin) }
  }
}
