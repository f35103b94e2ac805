/// Thing that can be drawn.
struct SketchSubject {
  /// Place of a thing in a scene.
  enum Place: String {
    /// Stands on the ground.
    case ground
    /// Stands in a room.
    case room
    /// Flies in the sky.
    case sky
    /// Belongs to the sky itself, as the sun does.
    case heaven
    /// Floats on water.
    case water
    /// Lives under water.
    case under
    /// Stands on a table indoors.
    case table
    /// Rises at the horizon.
    case far
    /// Belongs to outer space.
    case space
    /// Worn on the head, or on the face.
    case hat, face
    /// Part of other things, such as a roof: it only gives them a colour.
    case part
    /// Whole landscape or room.
    case scene
    /// Fills a page.
    case chart
  }

  let name: String
  let place: Place
  /// Height compared with other things; a grown person is 40.
  let height: Double
  /// Colours by slot; `main` is the one that a prompt's colour changes.
  let slots: [String: Colour]
  /// Anchors in the drawing's units: `head` and `face` (x, y, width), `hand` (x, y), `seat` (y), `inside` (x, y, width,
  /// height).
  let anchors: [String: [Double]]
  let drawing: Drawing
  let bounds: Box
}
