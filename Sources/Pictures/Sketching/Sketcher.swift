import Images
import Threading

/// Engine that draws pictures from prompts by rules.
///
/// Its pictures say that they are sketches, and it lists the words it did not understand.
package actor Sketcher: ImageEngine {
  private let thread = DedicatedThread(name: "sketcher")
  /// Executor on a thread of its own.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Name of the engine in the generation parameters.
  package nonisolated var name: String { "sketch" }
  private let vocabulary: SketchVocabulary

  /// Makes a sketcher with the drawings of a vocabulary.
  package init(vocabulary: SketchVocabulary) { self.vocabulary = vocabulary }

  /// Draws a picture; the stream ends with ``ImageEvent/finished(_:)``, or throws ``ImageError``.
  package nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          continuation.yield(.loading)
          let picture = try await draw(request)
          continuation.yield(.generating(step: 1, total: 1, preview: nil))
          try Task.checkCancellation()
          continuation.yield(.finished(picture))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error is CancellationError ? ImageError.cancelled : error)
        }
      }
      continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    }
  }

  private func draw(_ request: ImageRequest) throws(ImageError) -> GeneratedImage {
    try Self.sketch(request, vocabulary)
  }

  /// Draws a picture synchronously; the same request gives the same bytes.
  static func sketch(_ request: ImageRequest, _ vocabulary: SketchVocabulary) throws(ImageError) -> GeneratedImage
  {
    guard request.prompt.contains(where: { $0.isLetter || $0.isNumber }) else { throw .emptyPrompt }
    let description = SketchPromptReader.read(request.prompt, negative: request.negativePrompt, vocabulary)
    var subjects: [SketchSubject] = []
    for item in description.items { subjects.append(try vocabulary.subject(item.subject)) }
    let image = try SketchComposer(description, subjects, vocabulary, request).draw()
    return GeneratedImage(
      image: image,
      parameters: ImageParameters(
        prompt: request.prompt, negativePrompt: request.negativePrompt, steps: nil, sampler: nil, guidance: nil,
        seed: request.seed, size: request.size ?? .usual, model: "sketch"),
      notUnderstood: description.unknown, notes: description.notes)
  }
}
