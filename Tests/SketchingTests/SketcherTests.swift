import Foundation
import Images
import Sketching
import TestSupport
import Testing

/// Sketcher from outside: prompts in, pictures and words not understood out.
struct SketcherTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/Sketches").standardizedFileURL

  private static let sketcher = Result { Sketcher(vocabulary: try SketchVocabulary(folder: folder)) }

  static func draw(
    _ prompt: String, negative: String = "", size: ImageSize = .usual, seed: UInt64 = 1
  ) async throws -> GeneratedImage {
    let sketcher = try sketcher.get()
    var result: GeneratedImage?
    for try await event in sketcher.generate(
      ImageRequest(prompt: prompt, negativePrompt: negative, size: size, seed: seed))
    {
      if case .finished(let image) = event { result = image }
    }
    return try #require(result)
  }

  @Test func knowsAtLeast150Subjects() throws {
    #expect(try SketchVocabulary(folder: Self.folder).subjects.count >= 150)
  }

  @Test func everySubjectIsDrawn() async throws {
    let vocabulary = try SketchVocabulary(folder: Self.folder)
    let size = try ImageSize(width: 128, height: 128)
    for subject in vocabulary.subjects {
      let picture = try await Self.draw(subject, size: size)
      #expect(picture.notUnderstood.isEmpty, "\(subject)")
      #expect(Set(picture.image.bytes).count > 8, "\(subject) leaves the paper blank")
    }
  }

  @Test func sameSeedSameBytes() async throws {
    let prompt = "three sheep left of a house at dusk, watercolour"
    let first = try await Self.draw(prompt, seed: 7)
    #expect(try await Self.draw(prompt, seed: 7).image == first.image)
    #expect(try await Self.draw(prompt, seed: 8).image != first.image)
  }

  @Test(arguments: ["128x128", "512x256", "192x640", "1024x1024"])
  func sizesAreKept(size: String) async throws {
    let picture = try await Self.draw("a boat and two trees, pixel art", size: try ImageSize(size))
    #expect("\(picture.image.width)x\(picture.image.height)" == size)
  }

  @Test func unknownWordsAreListed() async throws {
    let picture = try await Self.draw("a cat beside a frobnicator under the quuxes")
    #expect(picture.notUnderstood == ["frobnicator", "quuxes"])
  }

  @Test func everyKnownWordOfTheIssueIsUnderstood() async throws {
    for prompt in [
      "a red boat left of two trees under a full moon", "draw me a lighthouse at dusk",
      "imagine a cat on the moon",
      "a dozen birds between a house and a tall tree, line drawing",
      "a big dog in front of a small barn in the rain",
    ] { #expect(try await Self.draw(prompt).notUnderstood.isEmpty, "\(prompt)") }
  }

  @Test(arguments: ["", "   ", "!!!"])
  func nothingAskedIsRefused(prompt: String) async {
    await #expect(throws: ImageError.emptyPrompt) { try await Self.draw(prompt) }
  }

  @Test func oddPromptsAreDrawn() async throws {
    let size = try ImageSize(width: 128, height: 128)
    for prompt in [
      String(repeating: "cat ", count: 5000), "999999999999999999999 cats", "left of left of under",
      "cat on cat on cat on cat on cat on cat",
      "between a and and", "\u{1B}[31m a cat \u{0}", "of of of in the", "(boat:1.3), <lora:x:0.8> \"unclosed",
      "🐱 a cat 🐱", "a hat", "two hats on two hats",
      "a cat in a box in a car in a ship in a bowl", "without", "no no cat", "100 stars over 100 houses",
    ] { #expect(try await Self.draw(prompt, size: size).image.width == 128, "\(prompt.prefix(40))") }
  }

  @Test func whatTheNegativePromptNamesIsLeftOut() async throws {
    #expect(
      try await Self.draw("a cat and a dog", negative: "dog").image
        == Self.draw("a cat and a dog", negative: "dogs").image)
    #expect(try await Self.draw("a cat and a dog").image != Self.draw("a cat and a dog", negative: "dog").image)
  }

  @Test func randomWordsNeverStopIt() async throws {
    let vocabulary = try SketchVocabulary(folder: Self.folder)
    let words =
      vocabulary.names + [
        "left", "of", "on", "under", "in", "and", ",", "three", "red", "with", "between", "behind", "wearing",
        "striped", "no", "at night",
      ]
    var generator = SystemRandomNumberGenerator()
    let sketcher = Sketcher(vocabulary: vocabulary)
    let count = Int(ProcessInfo.processInfo.environment["ALCOVE_TEST_SKETCHES"] ?? "") ?? 150
    let size = try ImageSize(width: 128, height: 128)
    for _ in 0..<count {
      let prompt = (0..<Int.random(in: 1...14, using: &generator)).compactMap { _ in
        words.randomElement(using: &generator)
      }.joined(separator: " ")
      var isDone = false
      do {
        for try await event in sketcher.generate(
          ImageRequest(prompt: prompt, size: size, seed: .random(in: 0...UInt64.max)))
        {
          if case .finished = event { isDone = true }
        }
      } catch ImageError.emptyPrompt { isDone = true }
      #expect(isDone, "\(prompt)")
    }
  }
}
