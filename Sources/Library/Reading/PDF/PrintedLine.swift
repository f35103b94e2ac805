import Documents

/// Line as it stands on a PDF's page.
struct PrintedLine {
  var text: String
  /// Position in points, rotated so that text runs to the right and lines go down; nil where poppler does not give
  /// it.
  var box: Box?
  /// Font size of most of its characters, in points.
  var fontSize: Double
  /// Indicates whether most of its characters are in a bold face.
  var isBold: Bool
  /// Indicates whether a reader could not see it.
  var isHidden: Bool
  /// Indicates whether all of it is white.
  var isWhite: Bool

  var role = LineRole.body
  var startsBlock = false

  /// Upright rectangle; `top` is less than `bottom`.
  struct Box {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }

    /// Returns the smallest rectangle around both.
    func union(_ other: Box) -> Box {
      Box(
        left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
        bottom: max(bottom, other.bottom))
    }
  }
}

/// Page as printed, before its lines are given their roles.
struct PrintedPage {
  var number: Int
  var label: String?
  var lines: [PrintedLine]
  /// Extent of the page in the coordinates of the lines' boxes.
  var extent: PrintedLine.Box
  /// Indicates whether the text is rotated against the page, so that positions from outside do not match.
  var isTurned: Bool
}
