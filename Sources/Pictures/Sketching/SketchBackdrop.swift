import Foundation
import Images

/// Background and foreground of a picture: sky, ground, weather.
struct SketchBackdrop {
  let painter: SketchPainter
  let setting: SketchSetting
  let ground: SketchGround
  var random: SketchRandom
  /// Indicates whether the sun is one of the things; the sky then has none.
  var hasSun = false

  var canvas: Canvas { painter.canvas }
  var width: Double { Double(canvas.width) }
  var height: Double { Double(canvas.height) }
  /// Indicates whether surfaces are coloured at all.
  var isDrawn: Bool { painter.style != .line && painter.style != .blueprint }

  /// Colour towards which air and fog fade distant things.
  var air: Colour {
    let sky = setting.hour.sky
    return setting.weather.contains(.fog)
      ? sky[2].mixed(with: Colour(0xD8DDE2), 0.5).multiplied(by: setting.hour.light) : sky[2]
  }

  // MARK: Behind

  mutating func drawBack() {
    paper()
    switch ground.scene {
    case .page: return
    case .space: space()
    case .underwater: underwater()
    case .room, .table: interior()
    default:
      sky()
      if ground.scene == .moonscape { moonscape() } else { land() }
    }
  }

  private func paper() {
    let colour =
      switch painter.style {
      case .line: Colour(0xFCFAF4)
      case .blueprint: SketchPainter.blueprintPaper
      case .watercolour: Colour(0xFBF8F0)
      default: setting.background ?? Colour(0xFBFAF6)
      }
    canvas.fill(canvas.frame, colour)
    guard painter.style == .blueprint else { return }
    let step = height / 24
    for (number, at) in stride(from: 0.0, to: max(width, height), by: step).enumerated() {
      let faint = SketchPainter.blueprintLine.faded(number.isMultiple(of: 4) ? 0.22 : 0.1)
      canvas.stroke(.polygon([Point(at, 0), Point(at, height)], isClosed: false), faint, width: 1)
      canvas.stroke(.polygon([Point(0, at), Point(width, at)], isClosed: false), faint, width: 1)
    }
  }

  private func gradient(_ colours: [Colour], from top: Double, to bottom: Double) {
    guard isDrawn, bottom > top else { return }
    let stops = colours.enumerated().map {
      (Double($0.offset) / Double(max(colours.count - 1, 1)), painter.palette($0.element))
    }
    let path = SketchPath.rectangle(0, top, width, bottom - top)
    if painter.style == .pixel {
      // Broad bands, for a small palette.
      let count = 7
      for band in 0..<count {
        let share = Double(band) / Double(count - 1) * Double(stops.count - 1)
        let index = min(Int(share), stops.count - 2)
        let colour = stops[max(index, 0)].1.mixed(
          with: stops[min(index + 1, stops.count - 1)].1, share - Double(index))
        let edge = top + (bottom - top) * Double(band) / Double(count)
        canvas.fill(.rectangle(0, edge.rounded(), width, bottom - edge), colour)
      }
    } else {
      let alpha = painter.style == .watercolour ? 0.72 : 1
      canvas.fill(path, from: Point(0, top), to: Point(0, bottom), stops.map { ($0.0, $0.1.faded(alpha)) })
    }
  }

  private mutating func sky() {
    let isGrey = !setting.weather.isDisjoint(with: [.rain, .storm, .clouds, .fog, .snow])
    let bottom = min(ground.horizon + height * 0.05, height)
    if let background = setting.background {
      gradient([background, background.lighter(0.15)], from: 0, to: bottom)
    } else {
      let grey = Colour(setting.weather.contains(.storm) ? 0x626A78 : 0xAEB8C2).multiplied(by: setting.hour.light)
      gradient(setting.hour.sky.map { isGrey ? $0.mixed(with: grey, 0.62) : $0 }, from: 0, to: bottom)
    }
    if setting.hour.isDark, !isGrey { stars(setting.hour == .night ? 90 : 30, below: bottom * 0.85) }
    if isGrey, !setting.weather.contains(.fog) { clouds(setting.weather.contains(.clouds) ? 5 : 4) }
    if [.sunset, .dawn].contains(setting.hour), !isGrey, !hasSun, ground.scene != .sky {
      let centre = Point(width * (random.chance(0.5) ? 0.3 : 0.7), ground.horizon - height * 0.015)
      let radius = height * 0.085
      if isDrawn {
        canvas.fill(
          canvas.frame, around: centre, radius: radius * 4,
          [(0, Colour(0xFFE9B0).faded(0.6)), (1, Colour(0xFFE9B0).faded(0))])
      }
      painter.fill(.ellipse(centre, radius, radius), Colour(0xFFD97A), edge: .glowing, weight: radius * 2)
    }
    if setting.weather.contains(.sun), !hasSun {
      painter.fill(
        .ellipse(Point(width * 0.14, height * 0.14), height * 0.07, height * 0.07), Colour(0xFBD34B),
        edge: .glowing,
        weight: height * 0.14)
    }
  }

  private mutating func stars(_ count: Int, below bottom: Double) {
    for _ in 0..<count {
      let point = Point(random.within(0...width), random.within(0...max(bottom, 1)))
      let radius = random.within(0.4...1.5) * max(1, height / 420)
      let colour =
        painter.style == .line ? SketchPainter.inkColour : Colour(0xFFFBE6).faded(random.within(0.5...1))
      if painter.style == .blueprint || painter.style == .line {
        canvas.fill(
          .ellipse(point, radius * 0.8, radius * 0.8),
          painter.style == .line ? colour : SketchPainter.blueprintLine)
      } else {
        canvas.fill(.ellipse(point, radius, radius), colour)
      }
    }
  }

  private mutating func clouds(_ count: Int) {
    let tone = Colour(setting.weather.contains(.storm) ? 0x7B8290 : 0xDDE2E8)
    for number in 0..<count {
      let x = (Double(number) + 0.5) / Double(count) * width + random.within(-0.06...0.06) * width
      let y = random.within(0.07...0.2) * height
      let size = random.within(0.09...0.14) * width
      let points = [
        Point(x - size, y), Point(x - size * 0.75, y - size * 0.34), Point(x - size * 0.25, y - size * 0.36),
        Point(x, y - size * 0.58), Point(x + size * 0.42, y - size * 0.42), Point(x + size * 0.8, y - size * 0.3),
        Point(x + size, y), Point(x, y + size * 0.06),
      ]
      painter.fill(.smooth(points, isClosed: true), tone, weight: size)
    }
  }

  // MARK: Ground

  private func wavy(_ top: Double, _ amplitude: Double, _ phase: Double) -> SketchPath {
    var points: [Point] = []
    for step in 0...8 {
      let share = Double(step) / 8
      points.append(Point(share * (width + 20) - 10, top + amplitude * sin(share * 7 + phase)))
    }
    var path = SketchPath.smooth(points, isClosed: false)
    path.elements += [.line(Point(width + 10, height + 10)), .line(Point(-10, height + 10)), .close]
    return path
  }

  private func cover(_ top: Double, _ colour: Colour, _ amplitude: Double = 3) {
    let path = wavy(top, amplitude * height / 512, top * 0.01)
    painter.fill(path, colour, edge: .outlined, weight: height)
  }

  private var isSnowy: Bool {
    setting.season == .winter || setting.weather.contains(.snow) || ground.scene == .snow
  }

  private var grass: Colour {
    if isSnowy { return Colour(0xEEF4F9) }
    return switch setting.season {
    case .autumn: Colour(0xB5A457)
    case .spring: Colour(0x93C765)
    default: Colour(0x86B65A)
    }
  }

  private mutating func land() {
    let horizon = ground.horizon
    switch ground.scene {
    case .sea:
      water(from: horizon, to: height)
    case .beach:
      water(from: horizon, to: height * 0.78)
      cover(height * 0.72, isSnowy ? Colour(0xEEF4F9) : Colour(0xE9D6A0), 6)
      specks(from: height * 0.78, Colour(0xC9B078), 40)
    case .lake:
      cover(horizon, grass.darker(0.14), 6)
      water(from: horizon + (height * 0.05), to: height * 0.84)
      cover(height * 0.8, grass, 7)
      tufts(from: height * 0.84)
    case .desert:
      cover(horizon - height * 0.03, Colour(0xD9B36C), 14)
      cover(horizon + height * 0.1, Colour(0xE6C680), 10)
    case .snow:
      cover(horizon - height * 0.02, Colour(0xDDE7F0), 12)
      cover(horizon + height * 0.09, Colour(0xF2F6FA), 7)
    case .street: street()
    case .sky: break
    default:
      cover(horizon, grass.darker(0.12), 8)
      cover(horizon + height * 0.1, grass, 9)
      tufts(from: horizon + height * 0.14)
    }
  }

  private mutating func water(from top: Double, to bottom: Double) {
    let deep = Colour(0x3B7FB5)
    let path = SketchPath.rectangle(-5, top, width + 10, bottom - top + 5)
    if isDrawn {
      let sky = painter.palette(setting.hour.sky[2])
      let near = painter.toned(deep)
      gradient([near.mixed(with: sky, 0.5), near.mixed(with: sky, 0.12), near], from: top, to: bottom)
      canvas.stroke(.polygon([Point(0, top), Point(width, top)], isClosed: false), near.darker(0.15), width: 1)
    } else {
      painter.fill(path, deep.lighter(0.7), weight: height)
    }
    ripples(from: top + height * 0.02, to: bottom, count: 26)
  }

  private mutating func ripples(from top: Double, to bottom: Double, count: Int) {
    for _ in 0..<count {
      let y = random.within(top...max(top + 1, bottom))
      let size = (0.3 + (y - top) / max(bottom - top, 1)) * width * 0.05
      let x = random.within(0...width)
      let path = SketchPath.smooth(
        [
          Point(x - size, y), Point(x - size * 0.4, y - size * 0.14), Point(x + size * 0.3, y + size * 0.05),
          Point(x + size, y - size * 0.05),
        ],
        isClosed: false)
      painter.stroke(path, Colour(0xD9ECF6).faded(0.65), width: painter.unit * 0.8, weight: height * 0.3)
    }
  }

  private mutating func tufts(from top: Double) {
    guard !isSnowy else { return specks(from: top, Colour(0xD3DFEA), 30) }
    for _ in 0..<34 {
      let (x, y) = (random.within(0...width), random.within(top...height))
      let size = height * 0.014 * (0.6 + (y - top) / max(height - top, 1))
      let path = SketchPath.polygon(
        [
          Point(x - size * 0.7, y - size), Point(x, y), Point(x + size * 0.1, y - size * 1.3),
          Point(x + size * 0.15, y), Point(x + size, y - size * 0.9),
        ],
        isClosed: false)
      painter.stroke(path, grass.darker(0.3), width: painter.unit * 0.7, weight: height * 0.2)
      if setting.season == .spring, random.chance(0.5) {
        painter.fill(
          .ellipse(Point(x, y - size * 1.5), size * 0.4, size * 0.4),
          [Colour(0xF3A6C2), Colour(0xF7E06A), .white][random.whole(0...2)], edge: .bare, weight: size)
      }
    }
  }

  private mutating func specks(from top: Double, _ colour: Colour, _ count: Int) {
    for _ in 0..<count {
      let point = Point(random.within(0...width), random.within(top...max(height, top + 1)))
      painter.fill(.ellipse(point, painter.unit, painter.unit * 0.6), colour, edge: .bare, weight: 6)
    }
  }

  private func street() {
    let horizon = ground.horizon
    cover(horizon, Colour(0xB9B7B2), 0)
    painter.fill(.rectangle(-5, height * 0.78, width + 10, height * 0.25), Colour(0x55585E), weight: height)
    painter.fill(
      .rectangle(-5, height * 0.765, width + 10, height * 0.016), Colour(0xD5D2CA), weight: height * 0.1)
    for step in 0..<8 {
      painter.fill(
        .rectangle((Double(step) + 0.2) / 8 * width, height * 0.9, width * 0.07, height * 0.012), Colour(0xEFE9D2),
        edge: .bare, weight: height * 0.1)
    }
  }

  private mutating func moonscape() {
    canvas.fill(
      canvas.frame,
      isDrawn
        ? painter.palette(Colour(0x0A0D22))
        : painter.style == .line ? Colour(0xFCFAF4) : SketchPainter.blueprintPaper)
    stars(110, below: ground.horizon)
    let earth = Point(width * 0.8, height * 0.2)
    let radius = height * 0.09
    painter.fill(.ellipse(earth, radius, radius), Colour(0x4C8FD0), edge: .glowing, weight: radius * 2)
    for (x, y, size) in [(-0.35, -0.2, 0.42), (0.35, 0.2, 0.36), (-0.1, 0.55, 0.22)] {
      painter.fill(
        .ellipse(Point(earth.x + x * radius, earth.y + y * radius), radius * size, radius * size * 0.6),
        Colour(0x66B06A),
        edge: .glowing, weight: radius)
    }
    let path = wavy(ground.horizon, height * 0.025, 1)
    painter.fill(path, Colour(0xC9C7C2), edge: .glowing, weight: height)
    painter.stroke(path, Colour(0x8E8C88), width: painter.unit, isGlowing: true, weight: height)
    for _ in 0..<9 {
      let centre = Point(random.within(0...width), random.within(ground.horizon + height * 0.06...height))
      let size = random.within(0.02...0.06) * width
      painter.fill(.ellipse(centre, size, size * 0.36), Colour(0xACAAA6), edge: .glowing, weight: size * 2)
    }
  }

  private mutating func space() {
    guard isDrawn else {
      stars(90, below: height)
      return
    }
    canvas.fill(canvas.frame, painter.palette(setting.background ?? Colour(0x0C1030)))
    for colour in [Colour(0x4A2C7A), Colour(0x1E4A86), Colour(0x7A2C5E)] where painter.style != .pixel {
      let centre = Point(random.within(0...width), random.within(0...height))
      canvas.fill(
        canvas.frame, around: centre, radius: width * 0.55,
        [(0, painter.palette(colour).faded(0.5)), (1, colour.faded(0))])
    }
    stars(150, below: height)
  }

  private mutating func underwater() {
    gradient([Colour(0x7CC7DE), Colour(0x2F86B4), Colour(0x1A5384)], from: 0, to: height)
    for _ in 0..<26 {
      let size = random.within(0.004...0.014) * height
      painter.fill(
        .ellipse(Point(random.within(0...width), random.within(0...height * 0.85)), size, size),
        Colour(0xD9F0F8).faded(0.5), weight: size * 4)
    }
    cover(ground.horizon, Colour(0xD9C28A), 8)
    for number in 0..<7 {
      let x = (Double(number) + random.within(0.1...0.9)) / 7 * width
      let tall = random.within(0.06...0.14) * height
      let points = (0...4).map { step in
        Point(
          x + (step.isMultiple(of: 2) ? -1 : 1) * width * 0.01,
          ground.horizon + height * 0.06 - tall * Double(step) / 4)
      }
      painter.stroke(.smooth(points, isClosed: false), Colour(0x3E8F62), width: width * 0.012, weight: tall)
    }
  }

  private func interior() {
    let wall = setting.background ?? Colour(setting.hour.isDark ? 0xC9B79A : 0xEFE3CC)
    painter.fill(.rectangle(-5, -5, width + 10, ground.horizon + 10), wall, edge: .bare, weight: height)
    let floor = SketchPath.rectangle(-5, ground.horizon, width + 10, height)
    painter.fill(floor, Colour(ground.scene == .table ? 0xB98654 : 0xC79C6C), weight: height)
    for step in 1..<5 {
      let y = ground.horizon + (height - ground.horizon) * pow(Double(step) / 5, 1.4)
      let path = SketchPath.polygon([Point(0, y), Point(width, y)], isClosed: false)
      painter.stroke(path, Colour(0x96683C).faded(0.7), width: painter.unit * 0.7, weight: height * 0.2)
    }
  }
}
