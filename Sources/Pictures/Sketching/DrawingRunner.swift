import Foundation
import Images

/// Appearance of one thing that its drawing leaves open: colours, mood, pattern and text.
struct Look {
  /// Colours of the subject's slots, including `main`.
  var slots: [String: Colour] = [:]
  var mood = Mood.neutral
  var pattern = Pattern.none
  /// Text on the thing, for signs.
  var text: String?

  enum Mood: String, Sendable { case neutral, happy, sad, angry, surprised, sleepy }
  enum Pattern: String, Sendable { case none, stripes, dots, checks }
}

/// Runs the steps of a drawing on the canvas.
struct DrawingRunner {
  let painter: SketchPainter
  var look: Look
  let vocabulary: SketchVocabulary
  var random: SketchRandom

  /// Steps to draw: those behind the contents of a thing, those in front of them, or all.
  enum Layer { case back, front, whole }

  /// Draws the steps of a drawing.
  /// - Parameters:
  ///   - map: transform from the drawing's units to pixels.
  ///   - weight: size of the whole thing in pixels.
  mutating func run(_ drawing: Drawing, map: Transform, weight: Double, layer: Layer = .whole, depth: Int = 0) {
    var fill: ColourName? = ColourName(base: "main")
    var pen = (colour: ColourName(base: "ink"), width: 1.5)
    var edge = SketchPainter.Edge.outlined
    var isFront = false
    for step in drawing.steps {
      if case .front = step { isFront = true }
      let isDrawn = layer == .whole || (layer == .front) == isFront
      switch step {
      case .fill(let name):
        fill = name
        if edge == .glowing { edge = .outlined }
      case .pen(let colour, let width): pen = (colour, width)
      case .edge(let new): edge = new
      case .front: break
      case _ where !isDrawn: break
      case .shape(let path, let isFilled):
        if !isFilled {
          painter.stroke(
            path.transformed(by: map), colour(pen.colour), width: pen.width * map.scale, weight: weight)
        } else if let fill {
          let shape = path.transformed(by: map)
          painter.fill(shape, colour(fill), edge: edge, weight: weight)
          if look.pattern != .none, fill.base == "main" { pattern(over: shape, weight: weight) }
        }
      case .eye(let centre, let radius): eye(map(centre), radius * map.scale, weight)
      case .mouth(let centre, let width): mouth(centre, width, map, weight)
      case .window(let path): window(path.transformed(by: map), weight)
      case .text(let point, let size, let text):
        let path = StrokeFont.path(look.text ?? text, at: point, size: size, isCentred: true)
        painter.stroke(path.transformed(by: map), colour(pen.colour), width: pen.width * map.scale, weight: weight)
      case .foliage(let centre, let radius):
        foliage(centre, radius, map, colour(fill ?? ColourName(base: "leaf")), weight)
      case .part(let name, let inner):
        guard depth < 4, let (drawing, slots) = vocabulary.part(name) else { continue }
        let own = look
        // A part has its own colours, except those of the season.
        look.slots = slots.merging(look.slots.filter { ["leaf", "snow"].contains($0.key) }) { $1 }
        run(drawing, map: map.after(inner), weight: weight, depth: depth + 1)
        look = own
      }
    }
  }

  private func colour(_ name: ColourName) -> Colour {
    var result = look.slots[name.base] ?? SketchVocabulary.fixedColour(name.base) ?? Colour(0x888888)
    if name.steps > 0 { result = result.lighter(min(0.9, 0.28 * Double(name.steps))) }
    if name.steps < 0 { result = result.darker(min(0.9, -0.22 * Double(name.steps))) }
    return result.faded(name.alpha)
  }

  private func eye(_ centre: Point, _ radius: Double, _ weight: Double) {
    if look.mood == .sleepy {
      let lid = SketchPath.arc(centre, radius * 1.3, radius * 1.1, from: 0, to: 180)
      painter.stroke(lid, SketchPainter.inkColour, width: radius * 0.6, weight: weight)
      return
    }
    let iris = look.slots["eye"]
    if let iris {
      painter.fill(.ellipse(centre, radius * 1.5, radius * 1.5), iris, edge: .outlined, weight: weight)
    }
    painter.fill(.ellipse(centre, radius, radius), Colour(0x22202A), edge: .bare, weight: weight)
    let gleam = Point(centre.x - radius * 0.3, centre.y - radius * 0.35)
    if painter.style != .line {
      painter.fill(.ellipse(gleam, radius * 0.34, radius * 0.34), .white, edge: .glowing, weight: weight)
    }
  }

  private func mouth(_ centre: Point, _ width: Double, _ map: Transform, _ weight: Double) {
    let half = width / 2
    let bend =
      switch look.mood {
      case .neutral, .sleepy: -0.22
      case .happy: -0.5
      case .sad, .angry: 0.42
      case .surprised: 0.0
      }
    if look.mood == .surprised {
      painter.fill(
        SketchPath.ellipse(centre, half * 0.5, half * 0.7).transformed(by: map), Colour(0x5A2A30), weight: weight)
      return
    }
    let ends = (Point(centre.x - half, centre.y - bend * half), Point(centre.x + half, centre.y - bend * half))
    let path = SketchPath.smooth([ends.0, Point(centre.x, centre.y + bend * half), ends.1], isClosed: false)
    painter.stroke(
      path.transformed(by: map), Colour(0x4A2A2E), width: max(width * 0.13 * map.scale, 0.8), weight: weight)
  }

  private func window(_ path: SketchPath, _ weight: Double) {
    let isLit = painter.hour.isDark
    let pane = look.slots["window"] ?? Colour(isLit ? 0xFFD66B : 0xBFE0EE)
    painter.fill(path, pane, edge: isLit ? .glowing : .outlined, weight: weight)
    if isLit { painter.stroke(path, Colour(0x3A2E36), width: 1, weight: weight) }
  }

  /// Draws a bumpy crown of leaves.
  private mutating func foliage(
    _ centre: Point, _ radius: Double, _ map: Transform, _ colour: Colour, _ weight: Double
  ) {
    let bumps = 9 + random.whole(0...3)
    var points: [Point] = []
    let start = random.within(0...1)
    for index in 0..<(bumps * 2) {
      let angle = (Double(index) + start) / Double(bumps * 2) * 2 * .pi
      let reach = radius * (index.isMultiple(of: 2) ? random.within(0.98...1.08) : random.within(0.84...0.92))
      points.append(Point(centre.x + reach * cos(angle), centre.y + reach * sin(angle)))
    }
    painter.fill(SketchPath.smooth(points, isClosed: true).transformed(by: map), colour, weight: weight)
    guard painter.style != .blueprint else { return }
    for _ in 0..<5 {
      let (angle, reach) = (random.within(0...6.28), radius * random.within(0.1...0.62))
      let spot = Point(centre.x + reach * cos(angle), centre.y + reach * sin(angle))
      let size = radius * random.within(0.12...0.22)
      let leaf = SketchPath.arc(spot, size, size * 0.7, from: 20, to: 165)
      painter.stroke(
        leaf.transformed(by: map), colour.darker(0.22), width: radius * 0.05 * map.scale, weight: weight)
    }
  }

  private func pattern(over shape: SketchPath, weight: Double) {
    let box = shape.bounds
    guard !box.isEmpty else { return }
    let second = look.slots["second"] ?? (look.slots["main"] ?? .white).patternPartner
    let pace = max(weight * 0.075, 3)
    painter.canvas.within(shape) {
      switch look.pattern {
      case .none: break
      case .stripes:
        var x = box.minX + pace * 0.4
        while x < box.maxX {
          painter.fill(
            .rectangle(x, box.minY - 1, pace * 0.5, box.height + 2), second, edge: .bare, weight: weight)
          x += pace
        }
      case .dots, .checks:
        let isDots = look.pattern == .dots
        for (row, y) in stride(from: box.minY, through: box.maxY, by: pace * 0.7).enumerated() {
          for x in stride(
            from: box.minX + (row.isMultiple(of: 2) ? 0 : pace * 0.7), through: box.maxX, by: pace * 1.4)
          {
            let mark =
              isDots
              ? SketchPath.ellipse(Point(x, y), pace * 0.26, pace * 0.26)
              : SketchPath.rectangle(x, y, pace * 0.7, pace * 0.7)
            painter.fill(mark, second, edge: .bare, weight: weight)
          }
        }
      }
    }
  }
}

extension Colour {
  /// Colour that contrasts with this one in a pattern.
  fileprivate var patternPartner: Colour { luminance > 0.6 ? Colour(0x3A3A42) : Colour(0xF7F6F2) }
}
