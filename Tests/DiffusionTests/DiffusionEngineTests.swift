import Compute
import Diffusion
import Foundation
import Images
import TestSupport
import Testing

/// Engine as the rest of the program uses it.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct DiffusionEngineTests {
  private func engine(_ name: String = "tiny-sd15", memory: Int? = nil) throws -> DiffusionEngine {
    try DiffusionEngine(
      path: DiffusionReference.path(name), settings: DiffusionSettings(modelHash: "abc123") { memory })
  }

  private func request(steps: Int = 4) throws -> ImageRequest {
    ImageRequest(
      prompt: "a (red:1.4) boat", size: try ImageSize(width: 192, height: 128), seed: 7, steps: steps,
      previewInterval: 2)
  }

  private struct Outcome {
    var steps: [Int] = []
    var previews = 0
    var made: GeneratedImage?
  }

  private func outcome(_ engine: DiffusionEngine, _ request: ImageRequest) async throws -> Outcome {
    var outcome = Outcome()
    for try await event in engine.generate(request) {
      switch event {
      case .loading: #expect(outcome.steps.isEmpty)
      case .generating(let step, let total, let preview):
        // PNDM visits its second time twice.
        #expect(total == (request.steps ?? 0) + (request.scheduler == .pndm ? 1 : 0))
        outcome.steps.append(step)
        if let preview {
          outcome.previews += 1
          #expect((preview.width, preview.height) == (24, 16))
        }
      case .finished(let made): outcome.made = made
      }
    }
    return outcome
  }

  @Test(arguments: DiffusionReference.names) func tellsOfItsStepsAndParameters(name: String) async throws {
    let engine = try engine(name)
    let request = try request()
    let first = try await outcome(engine, request)
    #expect(first.steps == [1, 2, 3, 4])
    #expect(first.previews == 1)
    let made = try #require(first.made)
    #expect((made.image.width, made.image.height) == (192, 128))
    #expect(made.parameters.text.contains("Steps: 4, Sampler: DPM++ 2M, CFG scale: 7.5, Seed: 7, Size: 192x128"))
    #expect(made.parameters.model == name)
    #expect(made.parameters.modelHash == "abc123")
    await engine.unload()
    #expect(try await outcome(engine, request).made == made)
    var other = request
    other.seed = 8
    #expect(try await outcome(engine, other).made?.image != made.image)
    other = request
    other.noise = .cuda
    #expect(try await outcome(engine, other).made?.image != made.image)
    other = request
    other.prompt = "a red boat"
    #expect(try await outcome(engine, other).made?.image != made.image)
  }

  @Test func everySchedulerMakesAPicture() async throws {
    let engine = try engine()
    var pictures: [PixelImage] = []
    for kind in SchedulerKind.allCases {
      var request = try request(steps: 3)
      request.scheduler = kind
      let picture = try #require(try await outcome(engine, request).made?.image)
      #expect(!pictures.contains(picture), "\(kind)")
      pictures.append(picture)
      #expect(SchedulerKind(name: kind.samplerName) == kind)
      #expect(SchedulerKind(name: kind.rawValue) == kind)
    }
  }

  @Test func stopsWithinAStep() async throws {
    let engine = try engine()
    let request = try request(steps: 900)
    let task = Task {
      var last = 0
      for try await event in engine.generate(request) {
        if case .generating(let step, _, _) = event { last = step }
        if last == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return last
    }
    let last = try await task.value
    #expect(last < 900)
    // The engine is free for the next one at once.
    let next = try self.request(steps: 1)
    #expect(try await outcome(engine, next).made != nil)
  }

  @Test func refusesWhatDoesNotFit() async throws {
    let engine = try engine(memory: 40 << 20)
    var needed = 0
    do {
      _ = try await outcome(engine, try request())
    } catch DiffusionError.doesNotFit(let size, let available) {
      needed = size
      #expect(available == 40 << 20)
    }
    #expect(needed > 40 << 20)
    #expect(try await outcome(self.engine(memory: 8 << 30), try request(steps: 1)).made != nil)
  }

  @Test func refusesWhatCannotBe() async throws {
    let engine = try engine()
    func refusal(_ change: (inout DiffusionRequest) -> Void) async -> DiffusionError? {
      var request = DiffusionRequest(prompt: "a boat", width: 128, height: 128, steps: 1)
      change(&request)
      do {
        for try await _ in engine.generate(request) {}
        return nil
      } catch {
        return error as? DiffusionError
      }
    }
    for size in [0, 64, 100, 4096, -128, .max] {
      #expect(await refusal { $0.width = size } == .badRequest(value: "size", given: "\(size)x128"))
    }
    #expect(await refusal { $0.steps = 0 } == .badStepCount(given: 0, limit: 999))
    #expect(await refusal { $0.steps = 1000 } == .badStepCount(given: 1000, limit: 999))
    #expect(await refusal { ($0.scheduler, $0.steps) = (.lcm, 51) } == .badStepCount(given: 51, limit: 50))
    #expect(await refusal { $0.guidance = .nan } != nil)
    #expect(await refusal { $0.guidance = -1 } != nil)
    #expect(await refusal { $0.prompt = String(repeating: "cat ", count: 5000) } != nil)
    #expect(await refusal { $0.mask = PixelImage(width: 1, height: 1, bytes: [0, 0, 0]) } != nil)
    #expect(await refusal { _ in } == nil)
  }

  @Test func longPromptsAreReadInWindows() async throws {
    let engine = try engine()
    let words = (0..<120).map { "cat\($0 % 7)" }.joined(separator: " ")
    let long = try await engine.readTexts(words, negative: nil)
    let short = try await engine.readTexts("cat0", negative: nil)
    #expect(long.prompt.count > 2 * short.prompt.count)
    #expect(long.prompt.count == long.negative.count)
    #expect(try await outcome(engine, ImageRequest(prompt: words, size: ImageSize("128"), steps: 1)).made != nil)
  }

  // MARK: From a picture

  private func flat(_ value: UInt8) -> PixelImage {
    PixelImage(width: 64, height: 64, bytes: [UInt8](repeating: value, count: 64 * 64 * 3))
  }

  @Test func beginsFromAPicture() async throws {
    let engine = try engine()
    var request = try request(steps: 5)
    (request.initial, request.strength) = (flat(200), 0.4)
    var pictures: [PixelImage] = []
    for value in [200, 20] as [UInt8] {
      request.initial = flat(value)
      var steps: [Int] = []
      for try await event in engine.generate(request) {
        if case .generating(_, let total, _) = event { steps.append(total) }
        if case .finished(let made) = event { pictures.append(made.image) }
      }
      #expect(steps == [2, 2])
    }
    #expect(pictures.count == 2 && pictures[0] != pictures[1])
  }

  /// Outside the mask the result is the picture after the autoencoder, for any prompt.
  @Test func keepsWhatTheMaskLeavesOut() async throws {
    let engine = try engine()
    var mask = [UInt8](repeating: 0, count: 128 * 128 * 3)
    for row in 0..<128 {
      for column in 64..<128 { for colour in 0..<3 { mask[(row * 128 + column) * 3 + colour] = 255 } }
    }
    var pictures: [PixelImage] = []
    for prompt in ["a boat", "a lighthouse at dusk"] {
      var request = ImageRequest(prompt: prompt, size: try ImageSize("128"), steps: 4)
      (request.initial, request.strength) = (flat(128), 1)
      request.mask = PixelImage(width: 128, height: 128, bytes: mask)
      for try await event in engine.generate(request) {
        if case .finished(let made) = event { pictures.append(made.image) }
      }
    }
    #expect(pictures.count == 2)
    func difference(_ columns: Range<Int>) -> Int {
      (0..<128).reduce(0) { sum, row in
        columns.reduce(sum) { sum, column in
          let place = (row * 128 + column) * 3
          return sum + abs(Int(pictures[0].bytes[place]) - Int(pictures[1].bytes[place]))
        }
      }
    }
    // The decoder looks a little over the edge, and its attention and norms over all of it.
    #expect(difference(64..<128) > 3 * difference(0..<48))
  }

  /// Large pictures are decoded in tiles that fade into one another.
  @Test func decodesLargePicturesInTiles() async throws {
    let engine = try engine()
    let side = 1024
    var noise = TorchNoise(seed: 3)
    let latents = noise.draw(4 * side / 8 * side / 8).map { $0 * 0.2 }
    let pixels = try await engine.decoded(latents, width: side, height: side)
    #expect(pixels.count == side * side * 3)
    #expect(!pixels.contains { !$0.isFinite })
    // No row or column differs from its neighbour far more than others do.
    var steps: [Float] = []
    for column in 1..<side {
      var sum: Float = 0
      for row in stride(from: 0, to: side, by: 8) {
        sum += abs(pixels[(row * side + column) * 3] - pixels[(row * side + column - 1) * 3])
      }
      steps.append(sum)
    }
    let mean = steps.reduce(0, +) / Float(steps.count)
    #expect((steps.max() ?? 0) < 4 * mean)
  }
}
