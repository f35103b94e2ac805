import Images
import Testing

/// Sizes as they are typed.
struct ImageSizeTests {
  @Test(arguments: [
    "100x100", "127x128", "0x0", "64x64", "4096x128", "x", "512x512x512", "-128x128", "1e3x128",
  ])
  func otherSizesAreRefused(size: String) {
    #expect(throws: ImageError.self) { try ImageSize(size) }
  }
}
