import ChatTemplates
import Entitlements
import Foundation
import TextGeneration
import Tokenization

/// A language model in a GGUF file, as the session talks to it.
public struct LanguageModelBackend: LocalBackend {
  /// The engine.
  public let kind = LocalModelBackend.gguf
  /// The model's name, or its file's.
  public let name: String
  /// What is known of the model.
  public let description: ModelDescription
  /// Where the chat template comes from where the file has none of its own; nil where it has.
  public let borrowedTemplate: ChatTemplate.Standard?
  private let generator: TextGenerator
  private let prompts: ChatPromptBuilder
  private var sampling: SamplingSettings
  private var tokenLimit: Int

  /// What a model is loaded and asked with.
  public struct Settings: Sendable {
    /// The positions the cache holds; 0 leaves it to the model and its family's usual window.
    public var contextLength = 0
    /// The threads that compute; 0 for one for each physical core.
    public var threadCount = 0
    /// How keys and values are kept.
    public var cacheType = LanguageModel.CacheType.f16
    /// 0 always takes the likeliest token.
    public var temperature = 0.7
    /// The same seed gives the same answer.
    public var seed = 0
    /// The most tokens of one answer.
    public var tokenLimit = 1024
    /// What the model is told of its part before the conversation.
    public var system = ""

    var sampling: SamplingSettings {
      temperature == 0 ? .greedy : .temperature(Float(temperature), seed: UInt64(bitPattern: Int64(seed)))
    }

    /// Makes the settings a session says.
    public init(_ settings: Assistant.Settings, system: String) {
      contextLength = settings.integer("model.context")
      threadCount = settings.integer("model.threads")
      cacheType = LanguageModel.CacheType(rawValue: settings.text("model.cache")) ?? .f16
      temperature = settings.number("model.temperature")
      seed = settings.integer("model.seed")
      tokenLimit = settings.integer("model.max-tokens")
      self.system = system
    }
  }

  /// Loads a model file.
  /// - Throws: `TextGenerationError`, or `TemplateError` where the file's template cannot be read.
  public static func load(
    path: String, settings: Settings, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> LanguageModelBackend {
    let generator = TextGenerator()
    var loading = LanguageModel.Settings()
    loading.contextLength = settings.contextLength == 0 ? Self.usualContext : settings.contextLength
    loading.cacheType = settings.cacheType
    loading.threadCount = settings.threadCount == 0 ? nil : settings.threadCount
    let description = try await generator.load(path: path, settings: loading, progress: progress)
    return try LanguageModelBackend(description, generator, settings)
  }

  /// The window that a conversation gets where nothing else is said; a model that was trained on less has less.
  private static let usualContext = 8192

  private init(_ description: ModelDescription, _ generator: TextGenerator, _ settings: Settings) throws {
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
    prompts = ChatPromptBuilder(template: template, tokenizer: description.tokenizer, system: settings.system)
    sampling = settings.sampling
    tokenLimit = settings.tokenLimit
  }

  /// The same model, asked with other settings of sampling and length.
  public func with(_ settings: Settings) -> LanguageModelBackend {
    var changed = self
    (changed.sampling, changed.tokenLimit) = (settings.sampling, settings.tokenLimit)
    return changed
  }

  /// Answers by the model; see ``LocalBackend/answer(_:)``.
  public func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
    let (stream, continuation) = AsyncThrowingStream<LocalOutput, any Error>.makeStream()
    let task = Task {
      do {
        let room = description.contextLength - min(tokenLimit, description.contextLength / 4)
        let prompt = try prompts.build(request, room: room)
        if prompt.droppedExchanges > 0 { continuation.yield(.historyDropped(turns: prompt.droppedExchanges)) }
        let generation = GenerationRequest(tokens: prompt.tokens, sampling: sampling, tokenLimit: tokenLimit)
        for try await event in generator.stream(generation) {
          switch event {
          case .prefill(let done, let total): continuation.yield(.prefill(done: done, total: total))
          case .text(let piece): continuation.yield(.text(piece))
          case .finished(let metrics): continuation.yield(.finished(AnswerMetrics(metrics)))
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
}

extension AnswerMetrics {
  init(_ metrics: GenerationMetrics) {
    self.init(
      promptTokens: metrics.promptTokenCount, reusedTokens: metrics.reusedTokenCount,
      generatedTokens: metrics.generatedTokenCount, timeToFirstToken: metrics.timeToFirstToken / .seconds(1),
      prefillTokensPerSecond: metrics.prefillTokensPerSecond, decodeTokensPerSecond: metrics.decodeTokensPerSecond)
  }
}
