import CGLib
import CPoppler

/// Detects invisible lines by rendering the page. The text layer of a scan is invisible too, but lies on the picture
/// of its words.
struct PageVisibility: ~Copyable {
  private let surface: OpaquePointer
  private let scale: Double

  /// Renders the page, one pixel a point or fewer; nil where memory is short.
  init?(page: OpaquePointer, width: Double, height: Double) {
    guard width >= 1, height >= 1, width.isFinite, height.isFinite else { return nil }
    let scale = min(1, 1_600 / max(width, height))
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, CInt((width * scale).rounded(.up)), CInt((height * scale).rounded(.up)))
    guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
    let canvas = cairo_create(surface)
    cairo_set_source_rgb(canvas, 1, 1, 1)
    cairo_paint(canvas)
    cairo_scale(canvas, scale, scale)
    poppler_page_render(page, canvas)
    cairo_destroy(canvas)
    cairo_surface_flush(surface)
    (self.surface, self.scale) = (surface, scale)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Indicates whether the rectangle, in points from the page's upper left, has a single colour.
  func isBlank(_ box: PrintedLine.Box) -> Bool {
    guard let data = cairo_image_surface_get_data(surface) else { return false }
    let (columns, rows) = (
      Int(cairo_image_surface_get_width(surface)), Int(cairo_image_surface_get_height(surface))
    )
    let stride = Int(cairo_image_surface_get_stride(surface))
    func pixel(_ value: Double, _ most: Int) -> Int { Int(min(max(value * scale, 0), Double(most))) }
    let (left, right) = (pixel(box.left, columns), pixel(box.right.rounded(.up), columns))
    let (top, bottom) = (pixel(box.top, rows), pixel(box.bottom.rounded(.up), rows))
    guard left < right, top < bottom else { return true }
    var (least, most) = ([UInt8](repeating: 255, count: 3), [UInt8](repeating: 0, count: 3))
    for row in top..<bottom {
      for column in left..<right {
        for channel in 0..<3 {
          let value = data[row * stride + column * 4 + channel]
          least[channel] = min(least[channel], value)
          most[channel] = max(most[channel], value)
        }
      }
    }
    return (0..<3).allSatisfy { most[$0] - least[$0] < 16 }
  }
}

extension PrintedPage {
  /// Marks lines that cannot be seen, of all lines or only the white ones.
  /// - Parameter mayBeInvisible: whether the file sets invisible text; then every line is checked.
  mutating func markHidden(on page: OpaquePointer, mayBeInvisible: Bool) {
    let suspects = lines.indices.filter { lines[$0].box != nil && (mayBeInvisible || lines[$0].isWhite) }
    if suspects.isEmpty || isTurned { return }
    guard let drawing = PageVisibility(page: page, width: extent.width, height: extent.height) else { return }
    let blank = suspects.filter { index in lines[index].box.map { drawing.isBlank($0) } ?? false }
    // On a page without any visible line the text layer is all there is.
    if blank.count == lines.count, !lines.allSatisfy(\.isWhite) { return }
    for index in blank { lines[index].isHidden = true }
  }
}
