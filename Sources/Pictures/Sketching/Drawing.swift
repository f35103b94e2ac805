/// Colour in a drawing: a slot of the subject or a fixed colour, made lighter or darker.
struct ColourName: Equatable {
  var base: String
  /// Number of steps towards white (above 0) or dark (below 0).
  var steps = 0
  var alpha = 1.0
}

/// Step of a drawing.
enum DrawingStep {
  case fill(ColourName?)
  case pen(ColourName, width: Double)
  /// Edge of the following filled shapes.
  case edge(SketchPainter.Edge)
  case shape(SketchPath, isFilled: Bool)
  case eye(Point, radius: Double)
  case mouth(Point, width: Double)
  case window(SketchPath)
  case text(Point, size: Double, String)
  case foliage(Point, radius: Double)
  case part(String, Transform)
  /// Start of the steps drawn in front of the subject's contents.
  case front
}

/// Drawing of one thing; its ground is at 0, and y points up.
struct Drawing {
  var steps: [DrawingStep] = []

  /// Indicates whether the drawing contains text, which must not be mirrored.
  var hasText: Bool { steps.contains { if case .text = $0 { true } else { false } } }

  /// Returns the smallest box around the whole drawing.
  func bounds(_ part: (String) -> Drawing?, depth: Int = 0) -> Box {
    var box = Box()
    var pen = 1.0
    for step in steps {
      switch step {
      case .pen(_, let width): pen = width
      case .shape(let path, let isFilled):
        for piece in path.flattened(step: 3) {
          for point in piece.points { box.add(point, margin: isFilled ? 0 : pen / 2) }
        }
      case .window(let path): for piece in path.flattened(step: 3) { for point in piece.points { box.add(point) } }
      case .foliage(let centre, let radius): box.add(centre, margin: radius)
      case .eye(let centre, let radius): box.add(centre, margin: radius)
      case .part(let name, let map):
        // Limits a drawing that contains itself.
        guard depth < 4, let inner = part(name)?.bounds(part, depth: depth + 1), !inner.isEmpty else { continue }
        for x in [inner.minX, inner.maxX] { for y in [inner.minY, inner.maxY] { box.add(map(Point(x, y))) } }
      case .text(let point, let size, let text):
        let half = StrokeFont.width(of: text, size: size) / 2
        box.add(Point(point.x - half, point.y))
        box.add(Point(point.x + half, point.y + size))
      case .fill, .edge, .mouth, .front: break
      }
    }
    return box
  }
}
