import Assistant
import Diffusion
import Entitlements
import Foundation
import Images
import Sketching
import Synchronization
import TestSupport
import Testing

/// Pictures by a diffusion model, and what they cost.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct ModelPictureTests {
  private static let sketches = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/Sketches").standardizedFileURL

  private let folder: TemporaryFolder
  private let store: StateStore
  private let illustrator: Illustrator
  private let request: ImageRequest
  private let openings = Counter()

  init() throws {
    folder = try TemporaryFolder()
    store = try StateStore(
      at: folder.url.appending(path: "state.db"), allowances: PlanAllowances([.free: 3, .starter: 3]))
    let engine = try DiffusionEngine(path: SharedData.file("diffusion/tiny-sd15").path)
    illustrator = Illustrator(
      gallery: Gallery(folder: folder.url.appending(path: "images"), store: store), store: store,
      engine: try Sketcher(vocabulary: SketchVocabulary(folder: Self.sketches)),
      model: { [openings] _ in
        LentModel(open: {
          openings.count.add(1, ordering: .relaxed)
          return engine
        })
      })
    request = ImageRequest(
      prompt: "a lighthouse", size: try ImageSize(width: 128, height: 128), seed: 7, steps: 2)
  }

  private func make(_ request: ImageRequest, turn: Int? = nil) async throws -> (PictureReport, [PictureEvent]) {
    var (report, events): (PictureReport?, [PictureEvent]) = (nil, [])
    for try await event in await illustrator.make(request, turn: turn) {
      if case .finished(let made) = event { report = made } else { events.append(event) }
    }
    return (try #require(report), events)
  }

  @Test func threePreviewsAndThenASketch() async throws {
    for left in [2, 1, 0] {
      let (report, events) = try await make(request)
      #expect(report.previewsLeft == left && report.parameters.model == "tiny-sd15")
      #expect(events.contains(.generating(step: 2, total: 2, preview: nil)))
    }
    let (report, events) = try await make(request)
    #expect(report.parameters.model == "sketch" && report.previewsLeft == nil)
    #expect(events.contains(.sketching(consumed: 3, allowance: 3)))
    #expect(try await store.previewCounts().consumed == 3)
    // Who has no preview left keeps what memory a model would have taken.
    #expect(openings.count.load(ordering: .relaxed) == 3)
  }

  @Test func aTurnAndItsTicketEndTogether() async throws {
    let begun = try await store.beginTurn(session: nil, question: "draw a lighthouse")
    _ = try await make(request, turn: begun.turn)
    let turn = try #require(try await store.turns(session: begun.session).first)
    #expect(turn.status == .complete && turn.author == "tiny-sd15")
    #expect(try await store.previewCounts().consumed == 1)
  }

  @Test func nobodyPaysForNothing() async throws {
    var absurd = request
    absurd.steps = 100_000
    await #expect(throws: DiffusionError.self) { try await make(absurd) }
    var long = request
    long.steps = 900
    let stream = await illustrator.make(long)
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    let watching = Task { for try await event in stream { if case .generating = event { isStarted.yield() } } }
    for await _ in started { break }
    watching.cancel()
    _ = await watching.result
    while await illustrator.isGenerating { try await Task.sleep(for: .milliseconds(5)) }
    let counts = try await store.previewCounts()
    #expect(counts.consumed == 0 && counts.reserved == 0)
    #expect(try await illustrator.gallery.pictures().isEmpty)
  }

  @Test func aFullOrLockedFolderCostsNothing() async throws {
    try Data().write(to: folder.url.appending(path: "images"))
    await #expect(throws: ImageError.self) { try await make(request) }
    let counts = try await store.previewCounts()
    #expect(counts.consumed == 0 && counts.reserved == 0)
  }
}

private final class Counter: Sendable {
  let count = Atomic<Int>(0)
}
