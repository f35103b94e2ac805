/// Content of a prompt, as far as the sketcher understands it.
struct SketchDescription {
  var items: [SketchItem] = []
  var setting = SketchSetting()
  /// Words that were not understood, in their order.
  var unknown: [String] = []
  /// Remarks on what was understood but is drawn differently.
  var notes: [String] = []
}

/// Noun of a prompt with its attributes.
struct SketchItem {
  let subject: String
  var count = 1
  var isPlural = false
  var colours: [Colour] = []
  var parts: [String: Colour] = [:]
  var pattern = Look.Pattern.none
  var mood: Look.Mood?
  var scaleX = 1.0
  var scaleY = 1.0
  var pose: Pose?
  var text: String?
  var link: Link?
  /// Indicates whether the item only belongs to the scene, like the trees of a park.
  var isBackdrop = false

  enum Pose: String { case flying, jumping, swimming, sleeping, upsideDown }

  /// Position relative to another item.
  struct Link {
    var relation: SketchRelation
    var other: Int
    var second: Int?
  }
}

/// Spatial relation of two things: the first as seen from the second.
enum SketchRelation: String, Sendable {
  case left, right, on, under, above, behind, front, between, beside, inside, holding, wearing, with, around
}

/// Setting of a picture: everything but its things.
struct SketchSetting {
  var scene: Scene?
  var hour = SketchHour.day
  var weather: Set<Weather> = []
  var season: Season?
  var palette = SketchPalette.natural
  var style = SketchStyle.plain
  /// Requested colour of the background.
  var background: Colour?
  /// Indicates whether the prompt gives the hour.
  var isHourGiven = false

  enum Weather: String { case rain, snow, storm, fog, wind, clouds, sun }
  enum Season: String { case spring, summer, autumn, winter }
  enum Scene: String {
    case meadow, sea, beach, desert, snow, street, space, moonscape, underwater, room, table, sky, lake, page
  }
}
