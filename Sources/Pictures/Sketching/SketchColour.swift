/// Colour with components from 0 to 1.
struct Colour: Equatable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha = 1.0

  init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Makes a colour from a number such as 0xFF8800.
  init(_ number: UInt32) {
    self.init(
      Double(number >> 16 & 255) / 255, Double(number >> 8 & 255) / 255, Double(number & 255) / 255)
  }

  static let white = Colour(1, 1, 1)
  static let black = Colour(0, 0, 0)

  /// Luminance from 0 to 1 (Rec. 709).
  var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

  func mixed(with other: Colour, _ share: Double) -> Colour {
    Colour(
      red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share,
      alpha: alpha)
  }

  func darker(_ share: Double) -> Colour { mixed(with: Colour(0.06, 0.05, 0.12), share) }
  func lighter(_ share: Double) -> Colour { mixed(with: .white, share) }
  func faded(_ alpha: Double) -> Colour { Colour(red, green, blue, alpha: self.alpha * alpha) }

  /// Multiplies each component by that of another colour.
  func multiplied(by other: Colour) -> Colour {
    Colour(red * other.red, green * other.green, blue * other.blue, alpha: alpha)
  }

  /// Moves the colour towards grey (factor below 1) or away from it (above 1).
  func saturated(_ factor: Double) -> Colour {
    func moved(_ part: Double) -> Double { min(1, max(0, luminance + (part - luminance) * factor)) }
    return Colour(moved(red), moved(green), moved(blue), alpha: alpha)
  }
}
