import Foundation
import Images

/// Draws a description: backdrop, things, weather, and a label that says it is a sketch.
struct SketchComposer {
  private let description: SketchDescription
  private let subjects: [SketchSubject]
  private let vocabulary: SketchVocabulary
  private let size: ImageSize
  private let seed: UInt64

  init(
    _ description: SketchDescription, _ subjects: [SketchSubject], _ vocabulary: SketchVocabulary,
    _ request: ImageRequest
  ) {
    (self.description, self.subjects, self.vocabulary) = (description, subjects, vocabulary)
    (size, seed) = (request.size ?? .usual, request.seed)
  }

  func draw() throws(ImageError) -> PixelImage {
    let isPixel = description.setting.style == .pixel
    // A power of two, so that it divides every size.
    let block = isPixel ? max(2, 1 << Int(log2(Double(min(size.width, size.height)) / 112).rounded())) : 1
    let canvas = try Canvas(width: size.width / block, height: size.height / block)
    let painter = SketchPainter(canvas: canvas, description: description.setting, seed: seed)
    let random = SketchRandom(seed: seed)
    var layout = SketchLayout(
      description: description, subjects: subjects, width: Double(canvas.width), height: Double(canvas.height),
      random: random.branch(1))
    let ground = layout.ground(layout.chooseScene())
    var backdrop = SketchBackdrop(
      painter: painter, setting: description.setting, ground: ground, random: random.branch(2))
    backdrop.hasSun = description.items.contains { $0.subject == "sun" }
    backdrop.drawBack()
    if let index = subjects.firstIndex(where: { $0.place == .chart }) {
      drawChart(index, painter, random.branch(3))
    } else {
      for (number, placement) in layout.placements(ground).enumerated() {
        draw(placement, painter, backdrop.air, random.branch(100 + number))
      }
    }
    painter.haze = 0
    backdrop.drawFront()
    mark(painter)
    return isPixel
      ? Self.enlarged(canvas.pixels(), block) : Self.finished(canvas.pixels(), description.setting.style)
  }

  private func drawChart(_ index: Int, _ painter: SketchPainter, _ random: SketchRandom) {
    let item = description.items[index]
    var chart = SketchChart(
      painter: painter, title: item.text ?? "Example", colours: item.colours, random: random)
    chart.draw(item.subject)
  }

  private func draw(_ placement: SketchPlacement, _ painter: SketchPainter, _ air: Colour, _ random: SketchRandom)
  {
    let (item, subject) = (description.items[placement.item], subjects[placement.item])
    let isFar = placement.depth < 50
    painter.hazeColour = air
    painter.haze =
      subject.place == .far && isFar ? 0.22 : description.setting.weather.contains(.fog) && isFar ? 0.5 : 0
    let turn = placement.turn
    let map = Transform.placed(
      at: placement.base, scaleX: placement.scaleX, scaleY: -placement.scaleY, turn: turn)
    let box = subject.bounds
    let weight = max(box.height * abs(placement.scaleY), box.width * abs(placement.scaleX) * 0.5)
    if placement.hasShadow, painter.style == .plain || painter.style == .watercolour || painter.style == .night {
      let half = box.width * abs(placement.scaleX) * 0.46
      let centre = Point(placement.base.x + half * 0.1, placement.base.y)
      painter.canvas.fill(.ellipse(centre, half, half * 0.16), Colour(0.1, 0.1, 0.2, alpha: 0.17))
    }
    var upright = map
    if turn == 180 { upright.dy -= box.height * abs(placement.scaleY) }
    var runner = DrawingRunner(
      painter: painter, look: look(item, subject, random), vocabulary: vocabulary, random: random)
    runner.run(subject.drawing, map: upright, weight: weight, layer: placement.layer)
    if item.pose == .sleeping, placement.layer != .back { snore(painter, upright, box) }
    if item.pose == .swimming || (subject.place == .water && placement.depth > 50) {
      waterline(placement, box, painter)
    }
  }

  private func look(_ item: SketchItem, _ subject: SketchSubject, _ random: SketchRandom) -> Look {
    var random = random
    var look = Look()
    look.slots = subject.slots
    let isAutumn = description.setting.season == .autumn
    let isSpring = description.setting.season == .spring
    let isWinter = description.setting.season == .winter
    if let leaf = look.slots["leaf"], isAutumn || isWinter || isSpring {
      let autumn = [Colour(0xD9822B), Colour(0xC4572E), Colour(0xE0AE3A)][random.whole(0...2)]
      look.slots["leaf"] =
        isAutumn ? autumn : isWinter ? Colour(0xE6EEF4) : leaf.mixed(with: Colour(0xB9DC6E), 0.55)
    }
    if let roof = look.slots["roof"], isWinter { look.slots["roof"] = roof.mixed(with: .white, 0.75) }
    // Varies the colour, so that no two things of a kind look the same.
    if var main = look.slots["main"], item.colours.isEmpty {
      main = main.mixed(with: random.chance(0.5) ? .white : .black, random.within(0...0.1))
      look.slots["main"] = main
    }
    if let colour = item.colours.first {
      look.slots["main"] = colour
      if look.slots["leaf"] != nil, subject.slots["main"] == nil { look.slots["leaf"] = colour }
    }
    if item.colours.count > 1 { look.slots["second"] = item.colours[1] }
    if let accent = item.colours.dropFirst().first, item.pattern == .none { look.slots["accent"] = accent }
    for (slot, colour) in item.parts {
      look.slots[slot] = colour
    }
    look.mood = item.mood ?? (item.pose == .sleeping ? .sleepy : .neutral)
    look.pattern = item.pattern
    look.text = item.text
    return look
  }

  private func snore(_ painter: SketchPainter, _ map: Transform, _ box: Box) {
    for number in 0..<3 {
      let size = box.height * (0.1 + 0.03 * Double(number))
      let place = map(
        Point(box.maxX * 0.7 + size * 1.3 * Double(number), box.maxY + size * (0.4 + Double(number))))
      let path = StrokeFont.pathDownwards("z", at: place, size: size * abs(map.d), isCentred: true)
      painter.stroke(
        path, Colour(0x5A6B8C), width: painter.unit * 1.3, isGlowing: true, weight: size * abs(map.d) * 6)
    }
  }

  /// Draws the water in front of a floating thing.
  private func waterline(_ placement: SketchPlacement, _ box: Box, _ painter: SketchPainter) {
    let half = box.width * abs(placement.scaleX) * 0.56
    let depth =
      box.height * abs(placement.scaleY) * (description.items[placement.item].pose == .swimming ? 0.34 : 0.05)
    let y = placement.base.y
    var points: [Point] = []
    for step in 0...6 {
      let x = placement.base.x - half + half * 2 * Double(step) / 6
      points.append(Point(x, y - depth + (step.isMultiple(of: 2) ? 0 : -depth * 0.16 - 1)))
    }
    let reach = max(0, -box.minY) * abs(placement.scaleY) + depth * 0.2 + 3
    let bottom = [
      Point(placement.base.x + half * 0.85, y + reach), Point(placement.base.x - half * 0.85, y + reach),
    ]
    painter.fill(.smooth(points + bottom, isClosed: true), Colour(0x4B8DBF), edge: .bare, weight: half)
    painter.stroke(.smooth(points, isClosed: false), Colour(0xDCEEF8), width: painter.unit, weight: half)
  }

  /// Draws the label in the corner that says this is a sketch.
  private func mark(_ painter: SketchPainter) {
    guard painter.style != .pixel else { return }
    let (width, height) = (Double(painter.canvas.width), Double(painter.canvas.height))
    let size = max(7, min(width, height) * 0.018)
    let place = Point(width - StrokeFont.width(of: "SKETCH", size: size) - size, height - size * 0.9)
    let path = StrokeFont.pathDownwards("SKETCH", at: place, size: size, isCentred: false)
    painter.canvas.stroke(path, Colour(1, 1, 1, alpha: 0.5), width: size * 0.34)
    painter.canvas.stroke(path, Colour(0.15, 0.15, 0.22, alpha: 0.75), width: size * 0.14)
  }

  /// Enlarges each pixel to a block.
  private static func enlarged(_ image: PixelImage, _ block: Int) -> PixelImage {
    var bytes = [UInt8](repeating: 0, count: image.bytes.count * block * block)
    let width = image.width * block
    for row in 0..<image.height * block {
      for column in 0..<width {
        let from = (row / block * image.width + column / block) * 3
        let to = (row * width + column) * 3
        for part in 0..<3 {
          // Reduces the number of colours, as on old screens.
          let value = Int(image.bytes[from + part])
          bytes[to + part] = UInt8(min(255, (value + 12) / 24 * 24))
        }
      }
    }
    return PixelImage(width: width, height: image.height * block, bytes: bytes)
  }

  /// Adds the grain of paper.
  private static func finished(_ image: PixelImage, _ style: SketchStyle) -> PixelImage {
    guard style == .watercolour || style == .line else { return image }
    var image = image
    let strength = style == .watercolour ? 14 : 6
    for row in 0..<image.height {
      for column in 0..<image.width {
        var word = UInt32(truncatingIfNeeded: row &* 73_856_093 ^ column &* 19_349_663)
        word = (word ^ (word >> 13)) &* 0x5BD1_E995
        let grain = Int((word >> 16) % UInt32(strength)) - strength / 2
        let place = (row * image.width + column) * 3
        for part in 0..<3 {
          image.bytes[place + part] = UInt8(min(255, max(0, Int(image.bytes[place + part]) + grain)))
        }
      }
    }
    return image
  }
}
