import Foundation
import Images

/// Weather in front of the things: rain, snow, fog, wind and falling leaves.
extension SketchBackdrop {
  mutating func drawFront() {
    if setting.weather.contains(.fog) { fog() }
    if setting.weather.contains(.rain) || setting.weather.contains(.storm) { rain() }
    if setting.weather.contains(.storm) { lightning() }
    if setting.weather.contains(.snow) || (setting.season == .winter && isOutdoors) {
      snow(setting.weather.contains(.snow) ? 130 : 50)
    }
    if setting.weather.contains(.wind) { wind() }
    if setting.season == .autumn, isOutdoors { leaves() }
  }

  private var isOutdoors: Bool { ![.room, .table, .page, .space, .underwater, .moonscape].contains(ground.scene) }

  private func fog() {
    guard isDrawn else { return }
    for (number, share) in [0.42, 0.55, 0.68, 0.8].enumerated() {
      let y = height * share
      canvas.fill(
        .rectangle(0, y - height * 0.14, width, height * 0.28), from: Point(0, y - height * 0.14),
        to: Point(0, y + height * 0.14),
        [(0, air.faded(0)), (0.5, air.lighter(0.3).faded(number == 1 ? 0.62 : 0.46)), (1, air.faded(0))])
    }
  }

  private mutating func rain() {
    for _ in 0..<110 {
      let (x, y) = (random.within(-20...width), random.within(-10...height))
      let size = random.within(0.02...0.05) * height
      painter.stroke(
        .polygon([Point(x, y), Point(x - size * 0.25, y + size)], isClosed: false), Colour(0xCFE0F0).faded(0.75),
        width: painter.unit * 0.8,
        isGlowing: true, weight: height * 0.2)
    }
  }

  private mutating func lightning() {
    var point = Point(width * random.within(0.55...0.8), height * 0.14)
    var points = [point]
    for step in 0..<5 {
      point = Point(point.x + (step.isMultiple(of: 2) ? -1 : 0.7) * width * 0.05, point.y + height * 0.07)
      points.append(point)
    }
    let bolt = points + points.dropLast().reversed().map { Point($0.x + width * 0.022, $0.y - height * 0.004) }
    painter.fill(.polygon(bolt), Colour(0xFFF0A0), edge: .glowing, weight: height * 0.3)
  }

  private mutating func snow(_ count: Int) {
    for _ in 0..<count {
      let size = random.within(0.6...1.9) * painter.unit
      let point = Point(random.within(0...width), random.within(0...height))
      painter.fill(
        .ellipse(point, size, size), .white.faded(0.92), edge: painter.style == .line ? .outlined : .glowing,
        weight: 40)
    }
  }

  private mutating func wind() {
    for _ in 0..<6 {
      let (x, y) = (random.within(0...width * 0.7), random.within(0.1...0.6) * height)
      let size = random.within(0.12...0.24) * width
      let path = SketchPath.smooth(
        [
          Point(x, y), Point(x + size * 0.5, y - size * 0.05), Point(x + size, y),
          Point(x + size * 1.12, y - size * 0.1), Point(x + size, y - size * 0.14),
          Point(x + size * 0.93, y - size * 0.07),
        ],
        isClosed: false)
      painter.stroke(path, .white.faded(0.8), width: painter.unit, weight: height * 0.2)
    }
  }

  private mutating func leaves() {
    for _ in 0..<22 {
      let point = Point(random.within(0...width), random.within(0.2...1) * height)
      let colour = [Colour(0xD9822B), Colour(0xC0452B), Colour(0xE3B23C)][random.whole(0...2)]
      painter.fill(
        .ellipse(point, height * 0.011, height * 0.006, turn: random.within(0...180)), colour, edge: .bare,
        weight: 20)
    }
  }
}
