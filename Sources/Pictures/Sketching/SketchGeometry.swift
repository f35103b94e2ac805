import Foundation

/// Point of a drawing (y up from the ground) or of a picture (y down from the top).
struct Point: Equatable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  static func + (left: Point, right: Point) -> Point { Point(left.x + right.x, left.y + right.y) }
  static func - (left: Point, right: Point) -> Point { Point(left.x - right.x, left.y - right.y) }
  static func * (point: Point, factor: Double) -> Point { Point(point.x * factor, point.y * factor) }
}

/// Axis-parallel rectangle, grown point by point.
struct Box: Equatable {
  var minX = Double.infinity
  var minY = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity

  init() {}

  init(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  var isEmpty: Bool { minX > maxX }
  var width: Double { isEmpty ? 0 : maxX - minX }
  var height: Double { isEmpty ? 0 : maxY - minY }
  var middle: Point { Point((minX + maxX) / 2, (minY + maxY) / 2) }

  mutating func add(_ point: Point, margin: Double = 0) {
    minX = min(minX, point.x - margin)
    minY = min(minY, point.y - margin)
    maxX = max(maxX, point.x + margin)
    maxY = max(maxY, point.y + margin)
  }
}

/// Affine map of the plane: `x' = a x + c y + dx`, `y' = b x + d y + dy`.
struct Transform {
  var a = 1.0
  var b = 0.0
  var c = 0.0
  var d = 1.0
  var dx = 0.0
  var dy = 0.0

  /// Mean scale of lengths: square root of the scale of areas.
  var scale: Double { abs(a * d - b * c).squareRoot() }

  func callAsFunction(_ point: Point) -> Point {
    Point(a * point.x + c * point.y + dx, b * point.x + d * point.y + dy)
  }

  /// Composes this map with another one that is applied first.
  func after(_ inner: Transform) -> Transform {
    Transform(
      a: a * inner.a + c * inner.b, b: b * inner.a + d * inner.b, c: a * inner.c + c * inner.d,
      d: b * inner.c + d * inner.d, dx: a * inner.dx + c * inner.dy + dx, dy: b * inner.dx + d * inner.dy + dy)
  }

  /// Makes a map to a place, with a scale in both directions and a rotation in degrees.
  static func placed(at point: Point, scaleX: Double, scaleY: Double, turn: Double = 0) -> Transform {
    let angle = turn * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    return Transform(
      a: cosine * scaleX, b: sine * scaleX, c: -sine * scaleY, d: cosine * scaleY, dx: point.x, dy: point.y)
  }

  static let mirror = Transform(a: -1)
}

/// Path of straight lines and cubic Bézier curves.
struct SketchPath {
  enum Element {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
    case close
  }

  var elements: [Element] = []

  func transformed(by map: Transform) -> SketchPath {
    SketchPath(
      elements: elements.map { element in
        switch element {
        case .move(let point): .move(map(point))
        case .line(let point): .line(map(point))
        case .curve(let first, let second, let end): .curve(map(first), map(second), map(end))
        case .close: .close
        }
      })
  }

  /// Flattens the path to points about `step` apart: one list per part, and whether that part is closed.
  func flattened(step: Double) -> [(points: [Point], isClosed: Bool)] {
    var parts: [(points: [Point], isClosed: Bool)] = []
    for element in elements {
      switch element {
      case .move(let point): parts.append(([point], false))
      case .line(let end): Self.walk(to: end, step: step, in: &parts)
      case .curve(let first, let second, let end): Self.walk(first, second, end, step: step, in: &parts)
      case .close:
        if let start = parts.last?.points.first { Self.walk(to: start, step: step, in: &parts) }
        if !parts.isEmpty { parts[parts.count - 1].isClosed = true }
      }
    }
    return parts
  }

  private static func walk(to end: Point, step: Double, in parts: inout [(points: [Point], isClosed: Bool)]) {
    guard let start = parts.last?.points.last else { return }
    let count = pieces(start, end, step)
    for number in 1...count {
      parts[parts.count - 1].points.append(start + (end - start) * (Double(number) / Double(count)))
    }
  }

  private static func walk(
    _ first: Point, _ second: Point, _ end: Point, step: Double,
    in parts: inout [(points: [Point], isClosed: Bool)]
  ) {
    guard let start = parts.last?.points.last else { return }
    let count = min(pieces(start, first, step) + pieces(first, second, step) + pieces(second, end, step), 64)
    for number in 1...count {
      let t = Double(number) / Double(count)
      let u = 1 - t
      let point = start * (u * u * u) + first * (3 * u * u * t) + second * (3 * u * t * t) + end * (t * t * t)
      parts[parts.count - 1].points.append(point)
    }
  }

  private static func pieces(_ start: Point, _ end: Point, _ step: Double) -> Int {
    let length = hypot(end.x - start.x, end.y - start.y)
    return length.isFinite ? max(1, min(400, Int(length / step))) : 1
  }

  /// Smallest box around the path.
  var bounds: Box {
    var box = Box()
    for part in flattened(step: 4) { for point in part.points { box.add(point) } }
    return box
  }
}

extension SketchPath {
  static func polygon(_ points: [Point], isClosed: Bool = true) -> SketchPath {
    guard let first = points.first else { return SketchPath() }
    return SketchPath(
      elements: [.move(first)] + points.dropFirst().map { .line($0) } + (isClosed ? [.close] : []))
  }

  /// Makes a curve through all points (Catmull-Rom).
  static func smooth(_ points: [Point], isClosed: Bool) -> SketchPath {
    guard points.count > 2, let first = points.first else { return polygon(points, isClosed: isClosed) }
    func at(_ index: Int) -> Point {
      isClosed
        ? points[(index + points.count) % points.count] : points[min(max(index, 0), points.count - 1)]
    }
    var path = SketchPath(elements: [.move(first)])
    for index in 0..<(isClosed ? points.count : points.count - 1) {
      let (before, start, end, after) = (at(index - 1), at(index), at(index + 1), at(index + 2))
      path.elements.append(.curve(start + (end - before) * (1 / 6), end - (after - start) * (1 / 6), end))
    }
    if isClosed { path.elements.append(.close) }
    return path
  }

  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, corner: Double = 0)
    -> SketchPath
  {
    let (right, top) = (x + width, y + height)
    let r = min(corner, abs(width) / 2, abs(height) / 2)
    guard r > 0 else { return polygon([Point(x, y), Point(right, y), Point(right, top), Point(x, top)]) }
    let k = r * 0.4477
    return SketchPath(elements: [
      .move(Point(x + r, y)), .line(Point(right - r, y)),
      .curve(Point(right - k, y), Point(right, y + k), Point(right, y + r)), .line(Point(right, top - r)),
      .curve(Point(right, top - k), Point(right - k, top), Point(right - r, top)), .line(Point(x + r, top)),
      .curve(Point(x + k, top), Point(x, top - k), Point(x, top - r)), .line(Point(x, y + r)),
      .curve(Point(x, y + k), Point(x + k, y), Point(x + r, y)), .close,
    ])
  }

  /// Makes an arc of an ellipse between two angles in degrees, counted from the x axis towards the y axis.
  static func arc(
    _ centre: Point, _ radiusX: Double, _ radiusY: Double, from start: Double, to end: Double,
    isClosed: Bool = false
  ) -> SketchPath {
    let count = max(1, min(64, Int((abs(end - start) / 45).rounded(.up))))
    let step = (end - start) / Double(count) * .pi / 180
    let handle = 4.0 / 3 * tan(step / 4)
    func point(_ angle: Double) -> Point {
      Point(centre.x + radiusX * cos(angle), centre.y + radiusY * sin(angle))
    }
    func slope(_ angle: Double) -> Point { Point(-radiusX * sin(angle), radiusY * cos(angle)) }
    var angle = start * .pi / 180
    var path = SketchPath(elements: [.move(point(angle))])
    for _ in 0..<count {
      let next = angle + step
      path.elements.append(
        .curve(point(angle) + slope(angle) * handle, point(next) - slope(next) * handle, point(next)))
      angle = next
    }
    if isClosed { path.elements.append(.close) }
    return path
  }

  static func ellipse(_ centre: Point, _ radiusX: Double, _ radiusY: Double, turn: Double = 0) -> SketchPath {
    let path = arc(Point(0, 0), radiusX, radiusY, from: 0, to: 360, isClosed: true)
    return path.transformed(by: .placed(at: centre, scaleX: 1, scaleY: 1, turn: turn))
  }
}
