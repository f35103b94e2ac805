/// A thing that can be drawn.
struct SketchSubject {
  /// Where a thing belongs in a scene.
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
    /// A part of other things, such as a roof: it only gives them a colour.
    case part
    /// A whole landscape or room.
    case scene
    /// Fills a page.
    case chart
  }

  let name: String
  let place: Place
  /// Its height beside other things; a grown person is 40.
  let height: Double
  /// Its colours by name; `main` is the one that a prompt's colour changes.
  let slots: [String: Colour]
  /// Places on it, in the drawing's measure: `head` and `face` (x, y, width), `hand` (x, y), `seat` (y), `inside` (x, y, width, height).
  let anchors: [String: [Double]]
  let drawing: Drawing
  let bounds: Box
}
