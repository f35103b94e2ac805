/// What a prompt says, as far as the sketcher understands it.
struct SketchDescription {
  var items: [SketchItem] = []
  var setting = SketchSetting()
  /// Words that stand for nothing it knows, in their order.
  var unknown: [String] = []
  /// What it understood but does not draw as said.
  var notes: [String] = []
}

/// One noun of a prompt, with what is said of it.
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
  /// Whether it only belongs to the scene, as trees do to a park.
  var isBackdrop = false

  enum Pose: String { case flying, jumping, swimming, sleeping, upsideDown }

  /// Where it is, seen from another item.
  struct Link {
    var relation: SketchRelation
    var other: Int
    var second: Int?
  }
}

/// How two things stand to each other: the first word's thing as seen from the second's.
enum SketchRelation: String, Sendable {
  case left, right, on, under, above, behind, front, between, beside, inside, holding, wearing, with, around
}

/// Everything about a picture but its things.
struct SketchSetting {
  var scene: Scene?
  var hour = SketchHour.day
  var weather: Set<Weather> = []
  var season: Season?
  var palette = SketchPalette.natural
  var style = SketchStyle.plain
  /// The one colour asked for behind everything.
  var background: Colour?
  /// Whether the hour was asked for.
  var isHourGiven = false

  enum Weather: String { case rain, snow, storm, fog, wind, clouds, sun }
  enum Season: String { case spring, summer, autumn, winter }
  enum Scene: String {
    case meadow, sea, beach, desert, snow, street, space, moonscape, underwater, room, table, sky, lake, page
  }
}
