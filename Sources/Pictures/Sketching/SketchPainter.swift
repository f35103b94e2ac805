import Foundation
import Images

/// Paints paths on the canvas in the picture's style, palette and light.
///
/// All coordinates are in pixels, y down from the top.
final class SketchPainter {
  let canvas: Canvas
  let style: SketchStyle
  let palette: SketchPalette
  let hour: SketchHour
  var random: SketchRandom
  /// Width of an outline in pixels.
  let unit: Double
  /// Share by which air fades the current thing: 0 near, 1 invisible.
  var haze = 0.0
  var hazeColour = Colour.white
  private let wave: Double

  init(canvas: Canvas, description: SketchSetting, seed: UInt64) {
    self.canvas = canvas
    (style, palette, hour) = (description.style, description.palette, description.hour)
    random = SketchRandom(seed: seed)
    let short = Double(min(canvas.width, canvas.height))
    unit = style == .pixel ? 1 : max(0.7, short / 300)
    wave = random.within(0...6)
    if style == .pixel { canvas.useHardEdges() }
  }

  static let inkColour = Colour(0x2C2A33)
  static let blueprintPaper = Colour(0x1D4E8C)
  static let blueprintLine = Colour(0xE4EEF8)

  /// Returns a colour in this picture's light and palette.
  func toned(_ colour: Colour, isGlowing: Bool = false) -> Colour {
    var result = colour
    if !isGlowing { result = result.multiplied(by: hour.light) }
    result = palette(result)
    if haze > 0 { result = result.mixed(with: hazeColour, haze) }
    return result
  }

  /// Edge of a filled shape: with an outline, without one, or shining by itself.
  enum Edge { case outlined, bare, glowing }

  /// Fills a path and draws its outline.
  /// - Parameter weight: size of the thing in pixels, so that small things get thin outlines.
  func fill(_ path: SketchPath, _ colour: Colour, edge: Edge = .outlined, weight: Double) {
    let line = outline(weight)
    switch style {
    case .plain, .night, .pixel:
      let tone = toned(colour, isGlowing: edge == .glowing)
      canvas.fill(path, tone)
      if edge == .outlined {
        canvas.stroke(path, tone.darker(style == .pixel ? 0.45 : 0.5), width: style == .pixel ? 1 : line)
      }
    case .line:
      let shape = wobbled(path)
      canvas.fill(shape, Self.paper(colour).faded(colour.alpha))
      if edge == .outlined {
        inkStroke(path, shape, line)
      } else if edge == .bare, colour.alpha > 0.6 {
        canvas.stroke(shape, Self.inkColour.faded(0.55), width: line * 0.6)
      }
    case .blueprint:
      canvas.fill(path, Self.blueprintPaper.faded(colour.alpha > 0.6 ? 0.93 : 0.2))
      if colour.alpha > 0.6 {
        canvas.stroke(path, Self.blueprintLine.faded(edge == .outlined ? 0.95 : 0.6), width: line * 0.8)
      }
    case .watercolour: wash(path, toned(colour, isGlowing: edge == .glowing), edge: edge, line: line)
    }
  }

  /// Draws a path as a line of any width.
  /// - Parameter width: width of the line in pixels.
  func stroke(_ path: SketchPath, _ colour: Colour, width: Double, isGlowing: Bool = false, weight: Double) {
    let line = outline(weight)
    let isThick = width > line * 3
    switch style {
    case .plain, .night, .pixel:
      let tone = toned(colour, isGlowing: isGlowing)
      if isThick, !isGlowing {
        canvas.stroke(path, tone.darker(0.5), width: width + (style == .pixel ? 1.5 : line * 1.6))
      }
      canvas.stroke(path, tone, width: max(width, style == .pixel ? 1 : 0.6))
    case .line:
      let shape = wobbled(path)
      canvas.stroke(shape, Self.inkColour, width: isThick ? width + line * 1.5 : max(width, line * 0.7))
      if isThick { canvas.stroke(shape, Self.paper(colour), width: width) }
    case .blueprint:
      canvas.stroke(
        path, Self.blueprintLine, width: isThick ? width + line * 1.4 : max(line * 0.7, min(width, line)))
      if isThick { canvas.stroke(path, Self.blueprintPaper, width: width) }
    case .watercolour:
      let tone = toned(colour, isGlowing: isGlowing)
      canvas.stroke(wobbled(path), tone.faded(0.55), width: width * 1.08)
      canvas.stroke(wobbled(path), tone.faded(0.75), width: max(width * 0.8, line * 0.6))
    }
  }

  /// Returns the fill of line drawings: white for bright colours, greys for dark ones, so that black stays black.
  private static func paper(_ colour: Colour) -> Colour {
    let light = colour.luminance
    return light < 0.17 ? Colour(0x4A4850) : light < 0.3 ? Colour(0xD9D6D2) : Colour(0xFDFCF8)
  }

  private func outline(_ weight: Double) -> Double { min(unit, max(weight * 0.022, unit * 0.35)) }

  private func inkStroke(_ path: SketchPath, _ shape: SketchPath, _ line: Double) {
    canvas.stroke(shape, Self.inkColour, width: line * 0.9)
    canvas.stroke(wobbled(path, phase: 2.4), Self.inkColour.faded(0.4), width: line * 0.6)
  }

  private func wash(_ path: SketchPath, _ tone: Colour, edge: Edge, line: Double) {
    let shape = wobbled(path)
    canvas.fill(shape, tone.lighter(0.55).faded(0.8))
    canvas.fill(wobbled(path, phase: 1.1), tone.faded(0.42))
    canvas.within(shape) {
      let box = shape.bounds
      // Paint gathers in one corner as it dries.
      canvas.fill(
        shape, around: Point(box.minX + box.width * 0.3, box.maxY), radius: max(box.width, box.height) * 0.9,
        [(0, tone.darker(0.18).faded(0.5)), (1, tone.faded(0))])
    }
    if edge == .outlined { canvas.stroke(shape, tone.darker(0.38).faded(0.5), width: line * 0.8) }
  }

  /// Returns the path as an unsteady hand draws it.
  private func wobbled(_ path: SketchPath, phase: Double = 0) -> SketchPath {
    let reach = unit * (style == .watercolour ? 1.1 : 0.75)
    let pace = 0.03 * 1.7 / max(unit, 0.5)
    var result = SketchPath()
    for part in path.flattened(step: unit * 5) {
      let points = part.points.map { point in
        let (u, v) = (point.x * pace + wave + phase, point.y * pace + wave * 1.7 + phase)
        return Point(
          point.x + reach * (sin(v * 2.1 + u) + 0.6 * sin(u * 3.7 - v)),
          point.y + reach * (sin(u * 1.9 - v) + 0.6 * sin(v * 4.1 + u)))
      }
      result.elements += SketchPath.polygon(points, isClosed: part.isClosed).elements
    }
    return result
  }
}
