import ChatTemplates
import Entitlements
import Foundation
import Grammars
import ModelFormats
import TextGeneration
import Tokenization

/// A language model in a GGUF file, as the session uses it.
package struct LanguageModelBackend: LocalBackend {
  /// The engine.
  package let kind = LocalModelBackend.gguf
  /// The model's name, or its file's.
  package let name: String
  /// Its context window, and the reason for the window's length.
  package let window: ContextWindow
  /// Facts about the model.
  package let description: ModelDescription
  /// Standard chat template used where the file has none of its own; nil where it has one.
  package let borrowedTemplate: ChatTemplate.Standard?
  private let generator: TextGenerator
  private var prompts: ChatPromptBuilder
  private var sampling = SamplingSettings.greedy
  private var tokenLimit = 0
  private var seed = 0
  private var summaryShare = 0
  /// Indicates whether the model may call tools.
  package private(set) var toolUse = ToolUse.off
  /// Indicates whether the model puts questions into other words for the search.
  package private(set) var rewordsQuestions = false

  /// Settings with which a model is loaded and run.
  package struct Settings: Sendable {
    /// Number of positions of the KV cache; 0 leaves it to the model and the usual window.
    package var contextLength = 0
    /// Number of threads that compute; 0 for one for each physical core.
    package var threadCount = 0
    /// Element type of the KV cache.
    package var cacheType = LanguageModel.CacheType.f16
    /// Memory that weights and KV cache may take, in bytes; nil for no limit.
    package var availableBytes: Int?
    /// Path of a draft model of the same family for speculative decoding; nil for none.
    package var draftPath: String?
    /// Folder of saved KV caches, kept from one run of the program to the next; nil to save none.
    package var states: StateFiles?
    /// Sampling settings that differ from those of the model's file or family.
    package var sampling = SamplingChanges()
    /// Seed of sampling; the same seed gives the same answer.
    package var seed = 0
    /// Largest number of tokens of one answer.
    package var tokenLimit = 1024
    /// Prompt texts.
    package var texts: PromptTexts
    /// Number of tokens of passages that a prompt aims at.
    package var passageTokens = 3000
    /// Treatment of the model's thoughts: `show`, `hide`, or `off` to have none.
    package var thinking = "hide"
    /// Indicates whether tools may be called: `auto` where the model's template knows them, `on`, `off`, or `required`.
    package var tools = "auto"
    /// Share of the context window, in percent, from which on the conversation is summed up; 0 for never.
    package var summaryShare = 60
    /// Indicates whether the model puts questions into other words for the search.
    package var rewordsQuestions = false

    /// Context window for a model file.
    package func window(for file: GGUFFile) -> ContextWindow {
      ContextWindow.choose(for: file, setting: contextLength, availableBytes: availableBytes)
    }

    /// Makes the settings for a model from the settings in force.
    package init(_ settings: Assistant.Settings, texts: PromptTexts) {
      self.texts = texts
      if !settings.text("model.system").isEmpty { self.texts.system = settings.text("model.system") }
      passageTokens = settings.integer("answer.context-tokens")
      thinking = settings.text("model.thinking")
      tools = settings.text("model.tools")
      summaryShare = settings.integer("model.compact-at")
      rewordsQuestions = settings.isOn("search.reword")
      contextLength = settings.integer("model.context")
      threadCount = settings.integer("model.threads")
      cacheType = LanguageModel.CacheType(rawValue: settings.text("model.cache")) ?? .f16
      sampling = SamplingChanges(settings)
      seed = settings.integer("model.seed")
      tokenLimit = settings.integer("model.max-tokens")
    }
  }

  /// Loads a model file.
  /// - Throws: `TextGenerationError`, or `TemplateError` where the file's template cannot be read.
  package static func load(
    path: String, settings: Settings, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> LanguageModelBackend {
    let file = try TextGenerator.open(path)
    return try await load(
      file, path: path, window: settings.window(for: file), settings: settings, progress: progress)
  }

  /// Loads a model from a file that is open.
  /// - Throws: `TextGenerationError`, or `TemplateError` where the file's template cannot be read.
  static func load(
    _ file: GGUFFile, path: String, window: ContextWindow, settings: Settings,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> LanguageModelBackend {
    let generator = TextGenerator()
    var loading = LanguageModel.Settings()
    loading.contextLength = window.length
    loading.cacheType = settings.cacheType
    loading.threadCount = settings.threadCount == 0 ? nil : settings.threadCount
    let description = try await generator.load(file, path: path, settings: loading, progress: progress)
    await generator.useStates(in: settings.states)
    if let draft = settings.draftPath {
      var drafting = LanguageModel.Settings()
      drafting.threadCount = loading.threadCount
      try await generator.loadDraft(path: draft, settings: drafting)
    }
    return try LanguageModelBackend(description, generator, settings, window)
  }

  private init(
    _ description: ModelDescription, _ generator: TextGenerator, _ settings: Settings, _ window: ContextWindow
  )
    throws
  {
    self.window = window
    self.description = description
    self.generator = generator
    name = description.name ?? URL(filePath: description.path).deletingPathExtension().lastPathComponent
    let template: ChatTemplate
    if let source = description.chatTemplate {
      (template, borrowedTemplate) = (try ChatTemplate(source), nil)
    } else {
      let standard = try ChatTemplate.standard(
        architecture: description.architecture, modelName: name,
        hasToken: { description.tokenizer.token(written: $0) != nil })
      (template, borrowedTemplate) = (standard.template, standard.standard)
    }
    prompts = ChatPromptBuilder(template: template, tokenizer: description.tokenizer, texts: settings.texts)
    take(settings)
  }

  private mutating func take(_ settings: Settings) {
    sampling = settings.sampling.applied(to: description.sampling.settings)
    (tokenLimit, seed) = (settings.tokenLimit, settings.seed)
    prompts.texts = settings.texts
    prompts.passageTokens = settings.passageTokens
    prompts.skipsThinking = settings.thinking == "off"
    summaryShare = settings.summaryShare
    rewordsQuestions = settings.rewordsQuestions
    toolUse = ToolUse(rawValue: settings.tools) ?? (prompts.knowsTools ? .on : .off)
  }

  /// The same model, with other settings of sampling and length.
  package func with(_ settings: Settings) -> LanguageModelBackend {
    var changed = self
    changed.take(settings)
    return changed
  }

  /// Saves the KV cache, so that the same conversation goes on at once after a restart.
  /// - Parameter origins: the session and the documents that its tokens come from; removing one of them removes the
  ///   saved cache.
  package func keepState(origins: Set<String>) async {
    // Without it, only the next start takes longer.
    _ = try? await generator.saveState(tags: origins)
  }

  /// Origin of the prefix that all conversations share: the system prompt and the tools.
  package static let instructions = "instructions"

  /// Saves the KV cache of the prefix that all conversations share, so that the next run need not evaluate it again.
  package func keepInstructions() async {
    // Without it, only the next start takes longer.
    _ = try? await generator.saveSharedState(tags: [Self.instructions])
  }

  /// Approximate number of tokens in the context window of the turns that the model is given again.
  package func tokenCount(of turns: [Turn]) -> Int {
    prompts.tokenCount(of: turns.exchanges, upTo: .max)
  }

  /// Indicates whether the history takes more than its share of the context window.
  package func needsSummary(_ history: [Exchange]) -> Bool {
    guard summaryShare > 0 else { return false }
    let limit = description.contextLength * summaryShare / 100
    return prompts.tokenCount(of: history, upTo: limit) > limit
  }

  /// Cuts the passages of a document into parts that fit into the context window.
  package func parts(of passages: [PromptPassage]) -> [Range<Int>] { prompts.parts(of: passages, room: room) }

  /// Largest number of tokens of a prompt: an answer has to fit behind it.
  private var room: Int { description.contextLength - min(tokenLimit, description.contextLength / 4) }

  /// Answers by the model; see ``LocalBackend/answer(_:)``.
  package func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
    let (stream, continuation) = AsyncThrowingStream<LocalOutput, any Error>.makeStream()
    let task = Task {
      do {
        let prompt = try prompts.build(request, room: room)
        continuation.yield(.prompted(prompt.report))
        // Calls and thoughts are marked by control tokens, so these have to be seen.
        var sampling = request.task == .reword ? .greedy : sampling
        // A repeated question draws other words, the same ones each time.
        let seed = seed &+ request.attempt
        sampling.seed = UInt64(bitPattern: Int64(seed))
        var grammar = request.grammar
        if request.mustCall { grammar = try CallGrammar.of(request.tools) }
        var generation = GenerationRequest(
          tokens: prompt.tokens, sampling: sampling, tokenLimit: min(tokenLimit, request.tokenLimit ?? tokenLimit),
          showsSpecial: grammar == nil, grammar: grammar)
        generation.sharedPrefixLength = prompts.sharedLength(with: prompt.tokens, tools: request.tools)
        for try await event in generator.stream(generation) {
          switch event {
          case .prefill(let done, let total): continuation.yield(.prefill(done: done, total: total))
          case .text(let piece): continuation.yield(.text(piece))
          case .finished(let metrics): continuation.yield(.finished(self.metrics(metrics, seed: seed)))
          }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func metrics(_ metrics: GenerationMetrics, seed: Int) -> AnswerMetrics {
    AnswerMetrics(
      promptTokens: metrics.promptTokenCount, reusedTokens: metrics.reusedTokenCount,
      generatedTokens: metrics.generatedTokenCount, timeToFirstToken: metrics.timeToFirstToken / .seconds(1),
      prefillSeconds: metrics.prefillTime / .seconds(1), decodeSeconds: metrics.decodeTime / .seconds(1),
      quantization: description.quantization, seed: seed, ending: metrics.ending.rawValue,
      said: metrics.tokens)
  }
}
