import Assistant
import Entitlements
import Foundation
import Images
import Sketching
import Telemetry
import TestSupport
import Testing

/// Pictures made, kept, found again and removed.
struct GalleryTests {
  private static let sketches = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/Sketches").standardizedFileURL

  private struct Studio {
    let folder: TemporaryFolder
    let store: StateStore
    let illustrator: Illustrator
    var gallery: Gallery { illustrator.gallery }

    init(folder: TemporaryFolder, engine: (any ImageEngine)? = nil) throws {
      self.folder = folder
      store = try StateStore(
        at: folder.url.appending(path: "state.db"), allowances: PlanAllowances([.free: 3, .starter: 3]))
      illustrator = Illustrator(
        gallery: Gallery(folder: folder.url.appending(path: "images"), store: store), store: store,
        engine: try engine ?? Sketcher(vocabulary: SketchVocabulary(folder: sketches)))
    }

    func make(_ prompt: String, session: Int? = nil, turn: Int? = nil) async throws -> PictureReport {
      let request = ImageRequest(prompt: prompt, size: try ImageSize(width: 128, height: 128), seed: 5)
      var report: PictureReport?
      for try await event in await illustrator.make(request, session: session, turn: turn) {
        if case .finished(let made) = event { report = made }
      }
      return try #require(report)
    }
  }

  @Test func aPictureIsATurnAFileAnEntryAndAnEvent() async throws {
    let studio = try Studio(folder: TemporaryFolder())
    let begun = try await studio.store.beginTurn(session: nil, question: "draw a cat")
    let report = try await studio.make("draw a cat", session: begun.session, turn: begun.turn)
    #expect(try PNGFile.parameters(in: PNGFile.read(report.path)) == report.parameters)
    #expect(try await studio.gallery.pictures() == [report.picture])
    let turn = try #require(try await studio.store.turns(session: begun.session).first)
    #expect(turn.status == .complete && turn.author == "sketch" && turn.answer.contains("seed 5"))
    let events = try await studio.store.telemetry(TelemetryQuery())
    #expect(events.contains { $0.name == "image_generated" })
    #expect(try await studio.store.previewCounts().consumed == 0)
  }

  @Test func theGalleryIsRebuiltFromItsFiles() async throws {
    let folder = try TemporaryFolder()
    let first = try Studio(folder: folder)
    _ = try await first.make("a cat")
    _ = try await first.make("a dog")
    let other = try Studio(folder: TemporaryFolder())
    let gallery = Gallery(folder: folder.url.appending(path: "images"), store: other.store)
    try Data("no picture".utf8).write(to: folder.url.appending(path: "images/broken.png"))
    #expect(try await Set(gallery.pictures().map(\.prompt)) == ["a cat", "a dog"])
    #expect(try await gallery.pictures().map(\.seed) == [5, 5])
  }

  @Test func whatIsRemovedIsGone() async throws {
    let studio = try Studio(folder: TemporaryFolder())
    let begun = try await studio.store.beginTurn(session: nil, question: "draw a zebra")
    let report = try await studio.make("draw a zebra", session: begun.session, turn: begun.turn)
    _ = try await studio.make("a dog")
    #expect(try await studio.gallery.remove(ofSessions: [begun.session]) == 1)
    try await studio.store.removeSessions([begun.session])
    #expect(!FileManager.default.fileExists(atPath: report.path))
    #expect(try await studio.gallery.pictures().map(\.prompt) == ["a dog"])
    for name in try FileManager.default.subpathsOfDirectory(atPath: studio.folder.url.path) {
      let data = FileManager.default.contents(atPath: studio.folder.url.appending(path: name).path) ?? Data()
      #expect(data.range(of: Data("zebra".utf8)) == nil, "\(name)")
    }
    await #expect(throws: GalleryError.noPicture(99)) { try await studio.gallery.remove([99]) }
  }

  @Test func keptPicturesOutliveTheirSession() async throws {
    let studio = try Studio(folder: TemporaryFolder())
    let begun = try await studio.store.beginTurn(session: nil, question: "draw a cat")
    _ = try await studio.make("draw a cat", session: begun.session, turn: begun.turn)
    try await studio.store.removeSessions([begun.session])
    #expect(try await studio.gallery.pictures().map(\.session) == [nil])
  }

  @Test func aFullFolderLeavesNothingBehind() async throws {
    let studio = try Studio(folder: TemporaryFolder())
    try Data().write(to: studio.folder.url.appending(path: "images"))
    await #expect(throws: ImageError.self) { try await studio.make("a cat") }
    let events = try await studio.store.telemetry(TelemetryQuery())
    #expect(events.contains { $0.name == "failed" })
    #expect(try await studio.gallery.pictures().isEmpty)
  }

  @Test func oneAtATimeAndStoppable() async throws {
    let studio = try Studio(folder: TemporaryFolder(), engine: Endless())
    let request = ImageRequest(prompt: "a cat")
    let stream = await studio.illustrator.make(request)
    let watching = Task { for try await _ in stream {} }
    while await !studio.illustrator.isGenerating { await Task.yield() }
    // The next one says what it waits for, and its turn comes when the first is stopped.
    let second = await studio.illustrator.make(ImageRequest(prompt: "a dog"), isSketch: true)
    var events = second.makeAsyncIterator()
    #expect(try await events.next() == .waiting(for: "a cat"))
    watching.cancel()
    _ = await watching.result
    guard case .generating = try await events.next() else { throw ImageError.noOutput }
    let stopping = Task { for try await _ in second {} }
    stopping.cancel()
    _ = await stopping.result
    while await studio.illustrator.isGenerating { await Task.yield() }
    #expect(try await studio.gallery.pictures().isEmpty)
  }

  /// An engine that works until it is stopped.
  private struct Endless: ImageEngine {
    nonisolated var name: String { "endless" }

    nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error> {
      AsyncThrowingStream { continuation in
        let task = Task {
          var step = 0
          while !Task.isCancelled {
            step += 1
            continuation.yield(.generating(step: step, total: 1_000_000, preview: nil))
            await Task.yield()
          }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }
}
