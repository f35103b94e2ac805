import Documents

/// A line as it stands on a PDF's page.
struct PrintedLine {
  var text: String
  /// Where it stands, in points, turned so that text runs to the right and lines go down; nil where poppler does
  /// not say.
  var box: Box?
  /// The size of most of its characters, in points.
  var fontSize: Double
  /// Whether most of its characters are in a bold face.
  var isBold: Bool
  /// Whether nobody could see it.
  var isHidden: Bool
  /// Whether all of it has the colour that paper has.
  var isWhite: Bool

  var role = LineRole.body
  var startsBlock = false

  /// An upright rectangle; `top` is less than `bottom`.
  struct Box {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }

    /// The smallest rectangle around both.
    func union(_ other: Box) -> Box {
      Box(
        left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
        bottom: max(bottom, other.bottom))
    }
  }
}

/// A page as it is printed, before its lines are given their roles.
struct PrintedPage {
  var number: Int
  var label: String?
  var lines: [PrintedLine]
  /// The page's extent in the coordinates of the lines' boxes.
  var extent: PrintedLine.Box
  /// Whether the text is turned against the page, so that positions named from outside do not fit.
  var isTurned: Bool
}
