import Entitlements
import Foundation
import Images
import Telemetry

/// A model that can be opened for one picture; it is opened only once the picture is paid for.
package struct LentModel: Sendable {
  let open: @Sendable () async throws -> any ImageEngine
  let giveBack: @Sendable () async -> Void

  /// Creates a lent model from the function that opens it and the one called when the picture is made, or is not.
  package init(
    open: @escaping @Sendable () async throws -> any ImageEngine,
    giveBack: @escaping @Sendable () async -> Void = {}
  ) {
    (self.open, self.giveBack) = (open, giveBack)
  }
}

/// Makes pictures, one at a time, and stores them in the gallery: with a diffusion model where there is one and it may
/// run, with the sketcher otherwise.
package actor Illustrator {
  /// Gallery that the pictures are stored in.
  package nonisolated let gallery: Gallery
  private let store: StateStore
  private let engine: any ImageEngine
  private let model: @Sendable (ImageRequest) async throws -> LentModel?
  private let clock = ContinuousClock()
  /// The picture made last, which "draw it again" refers to; nil before the first.
  package private(set) var lastPicture: PictureReport?
  /// Prompt of the picture that is being made.
  private var current: String?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Indicates whether a picture is being made.
  package var isGenerating: Bool { current != nil }

  /// - Parameters:
  ///   - engine: draws where no model does.
  ///   - model: finds the model that makes a picture; nil where none is to.
  package init(
    gallery: Gallery, store: StateStore, engine: any ImageEngine,
    model: @escaping @Sendable (ImageRequest) async throws -> LentModel? = { _ in nil }
  ) {
    (self.gallery, self.store, self.engine, self.model) = (gallery, store, engine, model)
  }

  /// Makes a picture, after those asked for before it.
  ///
  /// The stream ends with ``PictureEvent/finished(_:)``, or throws; dropping it stops the work, and nothing is stored
  /// then.
  /// - Parameters:
  ///   - original: the words of the user, where the request's prompt is an enriched one.
  ///   - session: the session the picture belongs to.
  ///   - turn: a turn of that session that is open, and ends with the picture.
  ///   - isSketch: whether the sketcher draws even where a model could.
  package func make(
    _ request: ImageRequest, original: String? = nil, session: Int? = nil, turn: Int? = nil,
    isSketch: Bool = false
  ) -> AsyncThrowingStream<PictureEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream<PictureEvent, any Error>.makeStream()
    let task = Task {
      if let current { continuation.yield(.waiting(for: current)) }
      while current != nil { await withCheckedContinuation { waiting.append($0) } }
      current = request.prompt
      defer { leave() }
      do {
        try await run(request, original: original, session: session, turn: turn, isSketch: isSketch) {
          continuation.yield($0)
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    return stream
  }

  /// Forgets the picture made last where it is among those that were removed.
  package func forget(_ ids: [Int]) {
    if let lastPicture, ids.contains(lastPicture.picture.id) { self.lastPicture = nil }
  }

  /// Wakes those who wait for their turn.
  private func leave() {
    current = nil
    for one in waiting { one.resume() }
    waiting = []
  }

  private func run(
    _ request: ImageRequest, original: String?, session: Int?, turn: Int?, isSketch: Bool,
    emit: @escaping @Sendable (PictureEvent) -> Void
  ) async throws {
    var ending = Ending(turn: turn, author: engine.name)
    let lent: LentModel?
    do {
      try Task.checkCancellation()
      lent = isSketch ? nil : try await model(request)
    } catch {
      ending.fail(error)
      // The first error is the one to report.
      _ = try? await close(ending, nil)
      throw Self.reason(error)
    }
    let ticket = lent == nil ? nil : try await reserve(&ending, emit: emit)
    let backend: TelemetryEvent.Backend = ticket == nil ? .sketch : .diffusion
    let result: Result<PictureReport, any Error>
    do {
      let drawing = ticket == nil ? engine : try await lent?.open() ?? engine
      ending.author = drawing.name
      result = await attempt(request, original: original, with: drawing, session: session, emit: emit)
    } catch {
      result = .failure(error)
    }
    await lent?.giveBack()
    switch result {
    case .success(var report):
      ending.finish(report, backend)
      do {
        report.previewsLeft = try await close(ending, ticket)
      } catch {
        // A picture that is not in the records was not made.
        try? await gallery.remove([report.picture.id])
        throw error
      }
      lastPicture = report
      emit(.finished(report))
    case .failure(let error):
      ending.fail(error)
      _ = try? await close(ending, ticket)
      throw Self.reason(error)
    }
  }

  /// Reserves a preview for the run of a model, or reports that there is none left.
  private func reserve(
    _ ending: inout Ending, emit: @Sendable (PictureEvent) -> Void
  ) async throws -> PreviewTicket? {
    do {
      return try await store.reserve(backend: .diffusion)
    } catch TicketError.access(.previewsExhausted(let consumed, _, let allowance)) {
      ending.events.append(.fallbackUsed(reason: .noTicket))
      emit(.sketching(consumed: consumed, allowance: allowance))
      return nil
    }
  }

  /// Draws and stores a picture.
  private func attempt(
    _ request: ImageRequest, original: String?, with engine: any ImageEngine, session: Int?,
    emit: @escaping @Sendable (PictureEvent) -> Void
  ) async -> Result<PictureReport, any Error> {
    let started = clock.now
    do {
      var made = try await generate(request, with: engine, emit: emit)
      made.parameters.originalPrompt = original
      try Task.checkCancellation()
      emit(.saving)
      let picture = try await gallery.add(made, session: session)
      return .success(
        PictureReport(
          picture: picture, path: gallery.path(of: picture), image: made.image, parameters: made.parameters,
          notUnderstood: made.notUnderstood, notes: made.notes, duration: clock.now - started))
    } catch {
      return .failure(error)
    }
  }

  private func generate(
    _ request: ImageRequest, with engine: any ImageEngine, emit: @escaping @Sendable (PictureEvent) -> Void
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

  private static func isStop(_ error: any Error) -> Bool {
    error is CancellationError || error as? ImageError == .cancelled || Task.isCancelled
  }

  private static func reason(_ error: any Error) -> any Error { isStop(error) ? ImageError.cancelled : error }

  private struct Ending {
    var turn: Int?
    var author: String
    var answer = ""
    var status = TurnStatus.failed
    var events: [TelemetryEvent] = []

    mutating func finish(_ report: PictureReport, _ backend: TelemetryEvent.Backend) {
      (answer, status) = (report.sentence, .complete)
      events.append(
        .imageGenerated(
          backend: backend, steps: report.parameters.steps ?? 1, width: report.image.width,
          height: report.image.height, total: report.duration))
    }

    mutating func fail(_ error: any Error) {
      let isStop = Illustrator.isStop(error)
      status = isStop ? .stopped : .failed
      events.append(isStop ? .cancelled(route: .image, afterOutput: false) : .failed(code: .image))
    }
  }

  /// Stores the outcome with its ticket and its events, all or nothing.
  /// - Returns: the number of previews left, where one was used.
  private func close(_ ending: Ending, _ ticket: consuming PreviewTicket?) async throws -> Int? {
    guard let turn = ending.turn else {
      return try await store.end(ticket, isCharged: ending.status == .complete, events: ending.events)
    }
    return try await store.end(
      TurnEnding(
        turn: turn, answer: ending.answer, status: ending.status, author: ending.author, sources: [],
        events: ending.events), ticket: ticket)
  }
}

extension PictureReport {
  /// Description of the picture, as a session remembers it.
  package var sentence: String {
    let size = "\(picture.width)x\(picture.height)"
    var text = "[Picture \(picture.id): \(picture.prompt) (\(picture.model), \(size), seed \(picture.seed))]"
    if !notUnderstood.isEmpty { text += "\nNot understood: " + notUnderstood.joined(separator: ", ") + "." }
    if !notes.isEmpty { text += "\nDrawn otherwise: " + notes.joined(separator: "; ") + "." }
    return text
  }
}
