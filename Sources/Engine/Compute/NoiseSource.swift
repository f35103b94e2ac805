/// Source of normally distributed noise; a seed gives the same noise as in other programs.
package protocol NoiseSource {
  /// Draws `count` values of mean 0 and standard deviation 1, as one tensor.
  mutating func draw(_ count: Int) -> [Float]
}
