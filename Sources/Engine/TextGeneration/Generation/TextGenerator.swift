import Compute
import ModelFormats
import Synchronization
import Threading
import Tokenization

/// Holds one language model and generates text with it, on a thread of its own.
///
/// One answer at a time: a second request waits for the first. The tokens evaluated last stay in the cache, so a
/// prompt that begins as they do is evaluated only where it differs.
package actor TextGenerator {
  private let thread = DedicatedThread(name: "text-generator")
  private let stopping = StopFlag()
  private var loaded: Loaded?
  private var states: StateFiles?

  /// All work runs on the generator's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// A generator without a model.
  package init() {}

  private struct Loaded {
    let model: LanguageModel
    let session: GenerationSession
    let description: ModelDescription
  }

  /// Opens a model file: reads its header and maps its tensors.
  package static func open(_ path: String) throws(TextGenerationError) -> GGUFFile {
    try checked { () throws(GGUFError) in try GGUFFile(path: path) }
  }

  /// Opens and loads a model file in place of the model loaded before.
  /// - Parameter progress: called with the share of the work done, 0 to 1.
  @discardableResult
  package func load(
    path: String, settings: LanguageModel.Settings = LanguageModel.Settings(),
    progress: @Sendable (Double) -> Void = { _ in }
  ) throws(TextGenerationError) -> ModelDescription {
    loaded = nil
    return try load(Self.open(path), path: path, settings: settings, progress: progress)
  }

  /// Loads a model from a file that is open, in place of the model loaded before.
  /// - Parameter progress: called with the share of the work done, 0 to 1.
  @discardableResult
  package func load(
    _ file: GGUFFile, path: String, settings: LanguageModel.Settings,
    progress: @Sendable (Double) -> Void = { _ in }
  ) throws(TextGenerationError) -> ModelDescription {
    loaded = nil
    let model = try LanguageModel(
      file: file, configuration: ModelConfiguration(file), settings: settings, progress: progress)
    guard !model.configuration.isEncoder else {
      throw .wrongKind(architecture: model.configuration.architectureName)
    }
    let tokenizer = try Tokenizer(model.file.header)
    let description = ModelDescription(model, path: path, tokenizer: tokenizer)
    let session = try GenerationSession(model, tokenizer)
    session.states = states
    loaded = Loaded(model: model, session: session, description: description)
    return description
  }

  /// Loads a smaller model of the same family as draft model, in place of the one loaded before.
  /// - Throws: ``TextGenerationError/foreignDraft`` where the vocabularies differ.
  @discardableResult
  package func loadDraft(
    path: String, settings: LanguageModel.Settings = LanguageModel.Settings()
  ) throws(TextGenerationError) -> ModelDescription {
    guard let loaded else { throw .noModel }
    loaded.session.draftModel = nil
    var settings = settings
    settings.contextLength = settings.contextLength ?? loaded.model.contextLength
    let model = try LanguageModel(path: path, settings: settings)
    let tokenizer = try Tokenizer(model.file.header)
    loaded.session.draftModel = try DraftModel(model, tokenizer, for: loaded.description.tokenizer)
    return ModelDescription(model, path: path, tokenizer: tokenizer)
  }

  /// Frees the draft model.
  package func unloadDraft() { loaded?.session.draftModel = nil }

  /// Sets the folder of saved KV caches, for the model loaded and those loaded later; nil for none.
  package func useStates(in files: StateFiles?) {
    states = files
    loaded?.session.states = files
  }

  /// Saves the KV cache of the last prompt and answer, for prompts that begin in the same way.
  /// - Parameters:
  ///   - length: number of its first tokens to save, the system prompt say; nil for all.
  ///   - tags: the session and the documents that it comes from; see ``StateFiles/remove(taggedWith:)``.
  /// - Returns: the bytes written; 0 where nothing new was to be saved, or ``useStates(in:)`` says nowhere.
  @discardableResult
  package func saveState(length: Int? = nil, tags: Set<String> = []) throws(StateFileError) -> Int {
    try loaded?.session.saveState(length: length, tags: tags) ?? 0
  }

  /// Saves the KV cache of the prefix that ``GenerationRequest/sharedPrefixLength`` names, where that is worth a file.
  /// - Returns: the bytes written; 0 where nothing new was to be saved.
  @discardableResult
  package func saveSharedState(tags: Set<String>) throws(StateFileError) -> Int {
    guard let loaded, loaded.session.sharedLength >= Self.worthSaving else { return 0 }
    return try loaded.session.saveState(length: loaded.session.sharedLength, tags: tags)
  }

  /// Number of tokens below which evaluating is as fast as reading.
  private static let worthSaving = 64

  /// Frees the model.
  package func unload() { loaded = nil }

  /// Description of the loaded model, or nil.
  package var description: ModelDescription? { loaded?.description }

  /// Forgets the tokens evaluated so far.
  package func reset() { loaded?.session.reset() }

  /// Stops the answer being generated before its next token; it still tells its metrics.
  package nonisolated func stop() { stopping.raise() }

  /// Generates an answer.
  ///
  /// Ending the iteration, or cancelling the task that iterates, stops the work before the next token, and within
  /// the prompt before the next layer.
  /// - Returns: events; throws ``TextGenerationError``, first of all where the prompt does not fit.
  package nonisolated func stream(
    _ request: GenerationRequest
  ) -> AsyncThrowingStream<GenerationEvent, any Error> {
    stopping.lower()
    return AsyncThrowingStream { continuation in
      let abandoned = StopFlag()
      continuation.onTermination = { _ in abandoned.raise() }
      Task {
        do {
          try await generate(request, abandoned) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }

  private func generate(
    _ request: GenerationRequest, _ abandoned: StopFlag, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    guard let loaded else { throw .noModel }
    try loaded.session.generate(request, isStopped: { abandoned.isRaised || stopping.isRaised }, send)
  }
}

/// Flag to stop, set by one thread and read by another.
final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }
  func lower() { flag.store(false, ordering: .relaxed) }
}
