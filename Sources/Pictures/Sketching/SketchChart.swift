import Foundation
import Images

/// Charts of made-up numbers, labelled as examples.
struct SketchChart {
  let painter: SketchPainter
  let width: Double
  let height: Double
  var random: SketchRandom
  let title: String
  private let colours: [Colour]

  init(painter: SketchPainter, title: String, colours: [Colour], random: SketchRandom) {
    self.painter = painter
    (width, height) = (Double(painter.canvas.width), Double(painter.canvas.height))
    (self.title, self.random) = (title, random)
    let usual: [UInt32] = [0x3573C4, 0xEE8A2B, 0x4C9B46, 0xD7372E, 0x8148A8, 0x45C4DC, 0xF5CE3E]
    self.colours = colours + usual.map { Colour($0) }
  }

  private var size: Double { min(width, height) }
  private var left: Double { width * 0.14 }
  private var right: Double { width * 0.93 }
  private var top: Double { height * 0.2 }
  private var bottom: Double { height * 0.84 }

  mutating func draw(_ kind: String) {
    label(title, width / 2, height * 0.11, size * min(0.045, 0.9 / Double(max(title.count, 1))), isBold: true)
    switch kind {
    case "pie chart": pie()
    case "line chart":
      axes(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
      lines()
    case "scatter plot":
      axes(["0", "10", "20", "30", "40", "50"])
      points()
    default:
      axes(["Jan", "Feb", "Mar", "Apr", "May", "Jun"])
      bars()
    }
  }

  private func label(_ text: String, _ x: Double, _ y: Double, _ size: Double, isBold: Bool = false) {
    let path = StrokeFont.pathDownwards(text, at: Point(x, y), size: size, isCentred: true)
    painter.stroke(path, Colour(0x3A3D48), width: max(1, size * (isBold ? 0.17 : 0.11)), weight: height)
  }

  private func line(_ points: [Point], _ colour: Colour, _ width: Double) {
    painter.stroke(.polygon(points, isClosed: false), colour, width: width, weight: height)
  }

  private func axes(_ names: [String]) {
    for step in 0...5 {
      let y = bottom - (bottom - top) * Double(step) / 5
      if step > 0 { line([Point(left, y), Point(right, y)], Colour(0xD5D8DD), 1) }
      label("\(step * 20)", left * 0.62, y + size * 0.012, size * 0.026)
    }
    for (number, name) in names.enumerated() {
      label(
        name, left + (right - left) * (Double(number) + 0.5) / Double(names.count), bottom + size * 0.055,
        size * 0.026)
    }
    let axis = max(1.5, painter.unit * 1.2)
    line([Point(left, top - height * 0.02), Point(left, bottom), Point(right, bottom)], Colour(0x3A3D48), axis)
  }

  private mutating func bars() {
    let count = 6
    let slot = (right - left) / Double(count)
    for number in 0..<count {
      let value = random.within(0.22...0.95)
      let bar = SketchPath.rectangle(
        left + slot * (Double(number) + 0.18), bottom - (bottom - top) * value, slot * 0.64, (bottom - top) * value
      )
      painter.fill(bar, colours[number % colours.count], weight: height)
    }
  }

  private mutating func lines() {
    for series in 0..<2 {
      var value = random.within(0.25...0.6)
      let points = (0..<7).map { step in
        value = min(0.95, max(0.08, value + random.within(-0.18...0.22)))
        return Point(left + (right - left) * (Double(step) + 0.5) / 7, bottom - (bottom - top) * value)
      }
      line(points, colours[series], max(2, size * 0.008))
      for point in points {
        painter.fill(.ellipse(point, size * 0.013, size * 0.013), colours[series], weight: height)
      }
    }
  }

  private mutating func points() {
    for _ in 0..<34 {
      let share = random.within(0.04...0.96)
      let value = min(0.97, max(0.04, share * 0.75 + random.within(-0.02...0.24)))
      let point = Point(left + (right - left) * share, bottom - (bottom - top) * value)
      painter.fill(.ellipse(point, size * 0.013, size * 0.013), colours[0], weight: height * 0.5)
    }
  }

  private mutating func pie() {
    let centre = Point(width * 0.42, height * 0.54)
    let radius = size * 0.3
    let shares = (0..<5).map { _ in random.within(0.4...1.4) }
    let total = shares.reduce(0, +)
    var start = -90.0
    for (number, share) in shares.enumerated() {
      let end = start + share / total * 360
      var path = SketchPath.arc(centre, radius, radius, from: start, to: end)
      path.elements += [.line(centre), .close]
      painter.fill(path, colours[number % colours.count], weight: height)
      let y = height * (0.34 + 0.09 * Double(number))
      painter.fill(
        .rectangle(width * 0.78, y, size * 0.03, size * 0.03), colours[number % colours.count], weight: height)
      label("\(Int((share / total * 100).rounded()))%", width * 0.88, y + size * 0.028, size * 0.027)
      start = end
    }
  }
}
