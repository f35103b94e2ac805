/// Size of a picture in pixels.
package struct ImageSize: Sendable, Equatable, CustomStringConvertible {
  /// Number of pixels from left to right.
  package let width: Int
  /// Number of pixels from top to bottom.
  package let height: Int

  /// Allowed length of a side: multiples of 64 from 128 to 2048.
  package static let sides = 128...2048
  /// Default size, 512 × 512.
  package static let usual = ImageSize(unchecked: 512, 512)

  private init(unchecked width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// Makes a size from sides that are multiples of 64.
  /// - Throws: ``ImageError/badSize(given:)``.
  package init(width: Int, height: Int) throws(ImageError) {
    guard [width, height].allSatisfy({ Self.sides.contains($0) && $0.isMultiple(of: 64) }) else {
      throw .badSize(given: "\(width)x\(height)")
    }
    self.init(unchecked: width, height)
  }

  /// Parses a size such as `512x768`, or one number for a square.
  /// - Throws: ``ImageError/badSize(given:)``.
  package init(_ text: String) throws(ImageError) {
    let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" || $0 == "*" }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, let first = numbers.first, numbers.count <= 2 else {
      throw .badSize(given: String(text.prefix(40)))
    }
    try self.init(width: first, height: numbers.count == 2 ? numbers[1] : first)
  }

  /// Size as a user types it, such as `512x768`.
  package var description: String { "\(width)x\(height)" }
}
