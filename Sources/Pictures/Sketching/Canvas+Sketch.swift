import CCairo
import Images

/// Drawing of paths and colours.
extension Canvas {
  /// Turns antialiasing off, for pixel art.
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

  /// Fills a path with a linear gradient.
  func fill(_ path: SketchPath, from start: Point, to end: Point, _ stops: [(Double, Colour)]) {
    guard let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y) else { return }
    paint(path, pattern, stops)
  }

  /// Fills a path with a radial gradient.
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

  /// Runs a body whose drawing is clipped to a path.
  func within(_ path: SketchPath, _ body: () -> Void) {
    cairo_save(context)
    trace(path)
    cairo_clip(context)
    body()
    cairo_restore(context)
  }

  /// Outline of the whole picture.
  var frame: SketchPath { .rectangle(0, 0, Double(width), Double(height)) }
}
