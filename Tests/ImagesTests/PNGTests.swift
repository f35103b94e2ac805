import Foundation
import Images
import TestSupport
import Testing

/// PNG files: pixels and parameters come back, damaged files throw.
struct PNGTests {
  private static func sample() -> PixelImage {
    PixelImage(width: 24, height: 16, bytes: (0..<24 * 16 * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) })
  }

  private static func parameters(_ prompt: String, negative: String = "") -> ImageParameters {
    ImageParameters(prompt: prompt, negativePrompt: negative, seed: 42, size: .usual, model: "sketch")
  }

  @Test func pixelsComeBack() throws {
    let image = Self.sample()
    #expect(try PNGFile.decode(PNGFile.encode(image, parameters: nil)) == image)
  }

  @Test(arguments: [
    ("a cat", ""), ("a cat, on two\nlines", "dogs, \"blurry\""), ("猫と月 – ☾", ""),
    ("Steps: 3, Seed: 9, Size: 64x64", ""),
    ("first\nNegative prompt: not this", "that"),
  ])
  func parametersComeBack(prompt: String, negative: String) throws {
    let bytes = try PNGFile.encode(Self.sample(), parameters: Self.parameters(prompt, negative: negative))
    let read = try PNGFile.parameters(in: bytes)
    #expect(read.prompt == prompt.replacing("\nNegative", with: " Negative"))
    #expect(read.negativePrompt == negative)
    #expect(read.seed == 42 && read.model == "sketch" && read.size == .usual)
  }

  @Test func otherToolsParametersAreRead() throws {
    let text = """
      a lighthouse, (dusk:1.2), <lora:oil:0.7>
      Negative prompt: blurry,
      lowres
      Steps: 20, Sampler: DPM++ 2M Karras, CFG scale: 7.5, Seed: 3141592653, Size: 512x768, Model hash: 6ce0161689, Model: v1-5, Lora hashes: "oil: abc, x: y"
      """
    let read = try ImageParameters(parsing: text)
    #expect(read.prompt == "a lighthouse, (dusk:1.2), <lora:oil:0.7>")
    #expect(read.negativePrompt == "blurry,\nlowres")
    #expect(read.steps == 20 && read.sampler == "DPM++ 2M Karras" && read.guidance == 7.5)
    #expect(read.seed == 3_141_592_653 && read.size?.description == "512x768" && read.modelHash == "6ce0161689")
    #expect(try ImageParameters(parsing: read.text) == read)
  }

  @Test func filesCutOffAtEveryByteThrow() throws {
    let bytes = try PNGFile.encode(Self.sample(), parameters: Self.parameters("a cat"))
    for count in 0..<bytes.count {
      #expect(throws: ImageError.self) { try PNGFile.parameters(in: Array(bytes[..<count])) }
      #expect(throws: ImageError.self) { try PNGFile.decode(Array(bytes[..<count])) }
    }
  }

  @Test func flippedBytesNeverTrap() throws {
    let bytes = try PNGFile.encode(Self.sample(), parameters: Self.parameters("a cat"))
    for place in bytes.indices {
      for bit in [0, 3, 7] {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        // Whether a flip is seen depends on where it is; what matters is that nothing traps.
        _ = try? PNGFile.parameters(in: damaged)
        _ = try? PNGFile.decode(damaged)
      }
    }
  }

  @Test func picturesWithoutParametersSaySo() throws {
    let bytes = try PNGFile.encode(Self.sample(), parameters: nil)
    #expect(throws: ImageError.noParameters) { try PNGFile.parameters(in: bytes) }
  }

  @Test func writingIsWholeOrNotAtAll() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.png").path
    try PNGFile.write([1, 2, 3], to: path)
    #expect(throws: ImageError.self) { try PNGFile.write([4], to: path, replacing: false) }
    #expect(try PNGFile.read(path) == [1, 2, 3])
    #expect(throws: ImageError.self) { try PNGFile.write([4], to: folder.url.appending(path: "none/b.png").path) }
    #expect(throws: ImageError.self) { try PNGFile.write([4], to: "/dev/full/x.png") }
    #expect(throws: ImageError.self) { try PNGFile.read(folder.url.path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.png"])
  }
}
