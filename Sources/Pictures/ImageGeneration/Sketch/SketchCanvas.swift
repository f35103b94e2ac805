import CCairo

/// A picture in memory that cairo draws on; it belongs to one thread.
final class SketchCanvas {
  let width: Int
  let height: Int
  let surface: OpaquePointer
  let context: OpaquePointer

  /// A canvas of so many pixels, black.
  /// - Throws: ``ImageError/drawingFailed(reason:)`` where there is no memory for it.
  init(width: Int, height: Int) throws(ImageError) {
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

  /// Draws without soft edges, for pictures of visible pixels.
  func useHardEdges() { cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE) }

  private func set(_ colour: Colour) {
    cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha)
  }

  private func trace(_ path: SketchPath) {
    cairo_new_path(context)
    for element in path.elements {
      switch element {
      case .move(let point): cairo_move_to(context, point.x, point.y)
      case .line(let point): cairo_line_to(context, point.x, point.y)
      case .curve(let first, let second, let end):
        cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
      case .close: cairo_close_path(context)
      }
    }
  }

  func fill(_ path: SketchPath, _ colour: Colour) {
    trace(path)
    set(colour)
    cairo_fill(context)
  }

  func stroke(_ path: SketchPath, _ colour: Colour, width: Double) {
    trace(path)
    set(colour)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  /// Fills with colours that change along a line.
  func fill(_ path: SketchPath, from start: Point, to end: Point, _ stops: [(Double, Colour)]) {
    guard let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y) else { return }
    paint(path, pattern, stops)
  }

  /// Fills with colours that change from a point outwards.
  func fill(_ path: SketchPath, around centre: Point, radius: Double, _ stops: [(Double, Colour)]) {
    guard let pattern = cairo_pattern_create_radial(centre.x, centre.y, 0, centre.x, centre.y, radius) else {
      return
    }
    paint(path, pattern, stops)
  }

  private func paint(_ path: SketchPath, _ pattern: OpaquePointer, _ stops: [(Double, Colour)]) {
    for (offset, colour) in stops {
      cairo_pattern_add_color_stop_rgba(
        pattern, offset, colour.red, colour.green, colour.blue, colour.alpha)
    }
    trace(path)
    cairo_set_source(context, pattern)
    cairo_fill(context)
    cairo_pattern_destroy(pattern)
  }

  /// Does something that shows only inside an outline.
  func within(_ path: SketchPath, _ body: () -> Void) {
    cairo_save(context)
    trace(path)
    cairo_clip(context)
    body()
    cairo_restore(context)
  }

  /// The outline of the whole picture.
  var frame: SketchPath { .rectangle(0, 0, Double(width), Double(height)) }

  /// The picture as red, green and blue bytes, row by row.
  func pixels() -> PixelImage {
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
