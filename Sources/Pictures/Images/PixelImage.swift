/// Picture as red, green and blue bytes, row by row from the top.
package struct PixelImage: Sendable, Equatable {
  /// Number of pixels from left to right.
  package let width: Int
  /// Number of pixels from top to bottom.
  package let height: Int
  /// Samples, `(height, width, 3)`.
  package var bytes: [UInt8]

  /// Makes a picture of given bytes; their number must be width × height × 3.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(bytes.count == width * height * 3, "bytes of a picture")
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Returns the picture at another size; each new pixel is the mean of those it covers.
  package func scaled(toWidth newWidth: Int, height newHeight: Int) -> PixelImage {
    precondition(newWidth > 0 && newHeight > 0, "a picture has pixels")
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
    for row in 0..<newHeight {
      let rows = Self.covered(row, of: newHeight, from: height)
      for column in 0..<newWidth {
        let columns = Self.covered(column, of: newWidth, from: width)
        var sum = (0, 0, 0)
        for y in rows {
          for x in columns {
            let place = (y * width + x) * 3
            sum.0 += Int(bytes[place])
            sum.1 += Int(bytes[place + 1])
            sum.2 += Int(bytes[place + 2])
          }
        }
        let (count, place) = (rows.count * columns.count, (row * newWidth + column) * 3)
        result[place] = UInt8(sum.0 / count)
        result[place + 1] = UInt8(sum.1 / count)
        result[place + 2] = UInt8(sum.2 / count)
      }
    }
    return PixelImage(width: newWidth, height: newHeight, bytes: result)
  }

  private static func covered(_ index: Int, of count: Int, from total: Int) -> Range<Int> {
    let start = min(index * total / count, total - 1)
    return start..<max(start + 1, min((index + 1) * total / count, total))
  }
}
