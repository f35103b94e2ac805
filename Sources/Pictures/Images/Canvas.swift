import CCairo

/// Picture in memory that cairo draws on. Not thread-safe.
package final class Canvas {
  /// Number of pixels from left to right.
  package let width: Int
  /// Number of pixels from top to bottom.
  package let height: Int
  /// Pixels, a `cairo_surface_t` of format RGB24.
  package let surface: OpaquePointer
  /// Drawing context, a `cairo_t` on ``surface``.
  package let context: OpaquePointer

  /// Makes a black canvas of a size in pixels.
  /// - Throws: ``ImageError/drawingFailed(reason:)`` for lack of memory.
  package init(width: Int, height: Int) throws(ImageError) {
    (self.width, self.height) = (width, height)
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface)
    else { throw .drawingFailed(reason: "no memory for \(width) × \(height) pixels") }
    (self.surface, self.context) = (surface, context)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Fills the whole picture with white.
  func fillWhite() {
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
  }

  /// Draws another surface over the picture, from its top left corner.
  func draw(_ other: OpaquePointer) {
    cairo_set_source_surface(context, other, 0, 0)
    cairo_paint(context)
  }

  /// Replaces all pixels by those of a picture of the same size.
  func set(_ image: PixelImage) {
    precondition(image.width == width && image.height == height, "a canvas takes a picture of its size")
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard let data = cairo_image_surface_get_data(surface) else { return }
    for row in 0..<height {
      for column in 0..<width {
        let place = (row * width + column) * 3
        let word =
          UInt32(image.bytes[place]) << 16 | UInt32(image.bytes[place + 1]) << 8 | UInt32(image.bytes[place + 2])
        UnsafeMutableRawPointer(data + row * stride + column * 4).storeBytes(of: word, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface)
  }

  /// Reads the picture back as red, green and blue bytes, row by row.
  package func pixels() -> PixelImage {
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    guard let data = cairo_image_surface_get_data(surface) else {
      return PixelImage(width: width, height: height, bytes: bytes)
    }
    var target = 0
    for row in 0..<height {
      for column in 0..<width {
        // RGB24 is a native-endian word 0x00RRGGBB.
        let word = UnsafeRawPointer(data + row * stride + column * 4).load(as: UInt32.self)
        bytes[target] = UInt8(truncatingIfNeeded: word >> 16)
        bytes[target + 1] = UInt8(truncatingIfNeeded: word >> 8)
        bytes[target + 2] = UInt8(truncatingIfNeeded: word)
        target += 3
      }
    }
    return PixelImage(width: width, height: height, bytes: bytes)
  }
}
