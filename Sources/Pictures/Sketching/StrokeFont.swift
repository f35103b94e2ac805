/// Font of plain strokes, so that a picture's text looks the same on every machine.
enum StrokeFont {
  private static let advance = 5.6

  /// Returns the width of a text, in the unit of its size (the height of a capital).
  static func width(of text: String, size: Double) -> Double {
    max(0, Double(text.count) * advance - (advance - 4)) * size / 6
  }

  /// Returns the strokes of a text with its base at a place, y up; unknown letters are left blank.
  static func path(_ text: String, at place: Point, size: Double, isCentred: Bool) -> SketchPath {
    var path = SketchPath()
    let unit = size / 6
    var x = place.x - (isCentred ? width(of: text, size: size) / 2 : 0)
    for character in text {
      let glyph = StrokeFontTable.glyphs[Character(character.uppercased().first.map(String.init) ?? " ")] ?? ""
      for stroke in glyph.split(separator: " ") {
        let digits = stroke.compactMap(\.wholeNumberValue)
        let points = stride(from: 0, to: digits.count - 1, by: 2).map {
          Point(x + Double(digits[$0]) * unit, place.y + Double(digits[$0 + 1]) * unit)
        }
        path.elements += SketchPath.polygon(points, isClosed: false).elements
      }
      x += advance * unit
    }
    return path
  }

  /// Returns the strokes of a text with its base at a place, y down.
  static func pathDownwards(_ text: String, at place: Point, size: Double, isCentred: Bool) -> SketchPath {
    path(text, at: Point(0, 0), size: size, isCentred: isCentred)
      .transformed(by: Transform(d: -1, dx: place.x, dy: place.y))
  }
}
