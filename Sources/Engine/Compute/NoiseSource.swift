/// Where normally distributed noise comes from; the same seed gives the same noise as in other programs.
package protocol NoiseSource {
  /// Draws `count` values of mean 0 and deviation 1, as one tensor.
  mutating func draw(_ count: Int) -> [Float]
}
