import Compute

/// Decodes small latents whole, larger ones in overlapping tiles.
struct TiledDecoder {
  let decoder: LatentDecoder

  /// Largest number of latent pixels decoded at once: a picture of 768 × 768.
  static let wholeArea = 96 * 96
  /// Side of a tile and its overlap with the previous tile, in latent pixels.
  static let side = 64
  static let overlap = 16

  /// Decodes one latent.
  /// - Parameter latent: `(channels, height, width)`, already unscaled.
  /// - Returns: `(height · factor, width · factor, 3)`
  func decode(
    _ latent: [Float], height: Int, width: Int, check: () throws(DiffusionError) -> Void
  ) throws(DiffusionError) -> [Float] {
    guard height * width > Self.wholeArea else {
      return Array(try decoder.decode(latent, height: height, width: width, check: check).values)
    }
    let factor = decoder.factor
    var result = [Float](repeating: 0, count: height * width * factor * factor * 3)
    for top in Self.starts(height) {
      for left in Self.starts(width) {
        let (rows, columns) = (min(Self.side, height), min(Self.side, width))
        let tile = Self.cut(latent, decoder.latentChannels, height, width, top, left, rows, columns)
        let picture = try decoder.decode(tile, height: rows, width: columns, check: check)
        Self.blend(
          picture, into: &result, width: width * factor, top: top * factor, left: left * factor,
          ramp: Self.overlap * factor)
      }
    }
    return result
  }

  /// Returns the starts of the tiles along a side; the last tile ends with the picture.
  static func starts(_ length: Int) -> [Int] {
    guard length > side else { return [0] }
    var starts = Array(stride(from: 0, to: length - side, by: side - overlap))
    starts.append(length - side)
    return starts
  }

  private static func cut(
    _ latent: [Float], _ channels: Int, _ height: Int, _ width: Int, _ top: Int, _ left: Int, _ rows: Int,
    _ columns: Int
  ) -> [Float] {
    var tile: [Float] = []
    tile.reserveCapacity(channels * rows * columns)
    for channel in 0..<channels {
      for row in top..<top + rows {
        let start = (channel * height + row) * width + left
        tile += latent[start..<start + columns]
      }
    }
    return tile
  }

  /// Blends a tile into the picture, with a linear ramp over its first rows and columns.
  private static func blend(
    _ tile: FeatureMap, into result: inout [Float], width: Int, top: Int, left: Int, ramp: Int
  ) {
    for row in 0..<tile.height {
      let vertical = top == 0 ? 1 : min(1, (Float(row) + 0.5) / Float(ramp))
      for column in 0..<tile.width {
        let horizontal = left == 0 ? 1 : min(1, (Float(column) + 0.5) / Float(ramp))
        let share = vertical * horizontal
        let (from, to) = ((row * tile.width + column) * 3, ((top + row) * width + left + column) * 3)
        for channel in 0..<3 {
          result[to + channel] += share * (tile.base[from + channel] - result[to + channel])
        }
      }
    }
  }
}
