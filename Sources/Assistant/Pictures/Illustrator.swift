import Foundation
import ImageGeneration
import Telemetry

/// What comes of a request for a picture, in the order it happens.
public enum PictureEvent: Sendable, Equatable {
  /// The engine gets ready.
  case loading
  /// So many of the steps are done.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// The picture is being stored.
  case saving
  /// The picture is in the gallery.
  case finished(PictureReport)
}

/// A picture that was made.
public struct PictureReport: Sendable, Equatable {
  /// Its entry in the gallery.
  public var picture: StoredPicture
  /// Its file.
  public var path: String
  /// Its pixels.
  public var image: PixelImage
  /// What it was made from.
  public var parameters: ImageParameters
  /// Words of the prompt that were not understood.
  public var notUnderstood: [String]
  /// What was understood and drawn otherwise.
  public var notes: [String]
  /// How long it took.
  public var duration: Duration
}

/// Makes pictures, one at a time, and keeps them in the gallery.
public actor Illustrator {
  /// Where the pictures go.
  public nonisolated let gallery: Gallery
  private let store: StateStore
  private let engine: any ImageEngine
  private let clock = ContinuousClock()
  /// Whether a picture is being made.
  public private(set) var isGenerating = false

  /// An illustrator that draws with an engine.
  public init(gallery: Gallery, store: StateStore, engine: any ImageEngine) {
    self.gallery = gallery
    self.store = store
    self.engine = engine
  }

  /// Makes a picture.
  ///
  /// The stream ends with ``PictureEvent/finished(_:)``, or throws; dropping it stops the work, and nothing is kept then.
  /// - Parameters:
  ///   - original: what was asked for, where the request's prompt is an enriched one.
  ///   - session: the session the picture belongs to.
  ///   - turn: a turn of that session that is open, and ends with the picture.
  /// - Throws: ``ImageError/busy`` while another picture is being made.
  public func make(
    _ request: ImageRequest, original: String? = nil, session: Int? = nil, turn: Int? = nil
  ) throws(ImageError) -> AsyncThrowingStream<PictureEvent, any Error> {
    guard !isGenerating else { throw .busy }
    isGenerating = true
    let (stream, continuation) = AsyncThrowingStream<PictureEvent, any Error>.makeStream()
    let task = Task {
      do {
        try await run(request, original: original, session: session, turn: turn) { continuation.yield($0) }
        isGenerating = false
        continuation.finish()
      } catch {
        isGenerating = false
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    return stream
  }

  private func run(
    _ request: ImageRequest, original: String?, session: Int?, turn: Int?,
    emit: @escaping @Sendable (PictureEvent) -> Void
  ) async throws {
    let started = clock.now
    do {
      var made = try await generate(request, emit: emit)
      made.parameters.originalPrompt = original
      try Task.checkCancellation()
      emit(.saving)
      let picture = try await gallery.add(made, session: session)
      let report = PictureReport(
        picture: picture, path: gallery.path(of: picture), image: made.image, parameters: made.parameters,
        notUnderstood: made.notUnderstood, notes: made.notes, duration: clock.now - started)
      let drawn = TelemetryEvent.imageGenerated(
        backend: .sketch, steps: made.parameters.steps ?? 1, width: made.image.width, height: made.image.height,
        total: report.duration)
      try await close(turn, answer: report.sentence, status: .complete, events: [drawn])
      emit(.finished(report))
    } catch {
      let isStop = error is CancellationError || error as? ImageError == .cancelled || Task.isCancelled
      let event = isStop ? TelemetryEvent.cancelled(route: .image, afterOutput: false) : .failed(code: .image)
      // The first error is the one to tell of.
      try? await close(turn, answer: "", status: isStop ? .stopped : .failed, events: [event])
      throw isStop ? ImageError.cancelled : error
    }
  }

  private func generate(
    _ request: ImageRequest, emit: @escaping @Sendable (PictureEvent) -> Void
  ) async throws -> GeneratedImage {
    for try await event in engine.generate(request) {
      switch event {
      case .loading: emit(.loading)
      case .generating(let step, let total, let preview):
        emit(.generating(step: step, total: total, preview: preview))
      case .finished(let made): return made
      }
      try Task.checkCancellation()
    }
    throw Task.isCancelled ? ImageError.cancelled : ImageError.noOutput
  }

  private func close(_ turn: Int?, answer: String, status: TurnStatus, events: [TelemetryEvent]) async throws {
    guard let turn else {
      for event in events { try await store.record(event) }
      return
    }
    try await store.end(
      TurnEnding(
        turn: turn, answer: answer, status: status, author: engine.name, sources: [], events: events))
  }
}

extension PictureReport {
  /// The picture in words, as a session remembers it.
  public var sentence: String {
    let size = "\(picture.width)x\(picture.height)"
    var text = "[Picture \(picture.id): \(picture.prompt) (\(picture.model), \(size), seed \(picture.seed))]"
    if !notUnderstood.isEmpty { text += "\nNot understood: " + notUnderstood.joined(separator: ", ") + "." }
    if !notes.isEmpty { text += "\nDrawn otherwise: " + notes.joined(separator: "; ") + "." }
    return text
  }
}
