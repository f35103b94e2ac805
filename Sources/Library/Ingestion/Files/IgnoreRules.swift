/// Patterns of files to skip in a folder, in the syntax of `.gitignore`.
///
/// One pattern per line: `*`, `?`, `[a-z]` within a name, `**` across folders, a leading or inner `/` anchors the
/// pattern to the folder, a trailing `/` matches folders only, `!` negates, `#` begins a comment, `\` escapes the next
/// character. The last matching pattern decides.
package struct IgnoreRules: Sendable {
  private var patterns: [Pattern] = []

  /// Name of the files that hold such patterns.
  package static let fileName = ".alcoveignore"

  /// Parses patterns, one per line.
  package init(_ text: String) {
    patterns = text.split(whereSeparator: \.isNewline).compactMap { Pattern(String($0)) }
  }

  /// Returns the last pattern that matches a path relative to the folder, and whether it ignores the path or negates;
  /// nil where none matches.
  package func verdict(on path: [String], isFolder: Bool) -> (isIgnored: Bool, pattern: String)? {
    for pattern in patterns.reversed() where pattern.matches(path, isFolder: isFolder) {
      return (!pattern.takesBack, pattern.text)
    }
    return nil
  }

  private struct Pattern: Sendable {
    let text: String
    private(set) var takesBack = false
    private var foldersOnly = false
    private var names: [NamePattern] = []

    init?(_ line: String) {
      text = line
      var rest = Self.withoutTrailingSpaces(Array(line.unicodeScalars))[...]
      guard let first = rest.first, first != "#" else { return nil }
      if first == "!" {
        takesBack = true
        rest = rest.dropFirst()
      }
      if rest.last == "/" {
        foldersOnly = true
        rest = rest.dropLast()
      }
      let isTied = rest.contains("/")
      let parts = rest.split(separator: "/")
      guard !parts.isEmpty else { return nil }
      names = parts.map { NamePattern(Array($0)) }
      if !isTied { names.insert(.anyFolders, at: 0) }
    }

    private static func withoutTrailingSpaces(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
      var scalars = scalars
      while scalars.last == " " || scalars.last == "\t" || scalars.last == "\r" {
        if scalars.dropLast().last == "\\" { break }
        scalars.removeLast()
      }
      return scalars
    }

    /// Matches names one by one, backtracking to the last `**` alone, which is enough.
    func matches(_ path: [String], isFolder: Bool) -> Bool {
      if foldersOnly, !isFolder { return false }
      var (name, place) = (0, 0)
      var retry: (name: Int, place: Int)?
      while place < path.count {
        if name < names.count, names[name].isAnyFolders {
          // A trailing `**` needs something to match: "a/**" matches the contents of a, not a.
          if name == names.count - 1 { return true }
          retry = (name, place)
          name += 1
        } else if name < names.count, names[name].matches(path[place]) {
          name += 1
          place += 1
        } else if let last = retry {
          retry = (last.name, last.place + 1)
          (name, place) = (last.name + 1, last.place + 1)
        } else {
          return false
        }
      }
      return name == names.count
    }
  }
}

/// Pattern for one component of a path.
struct NamePattern: Sendable {
  private enum Piece: Sendable {
    case character(Unicode.Scalar)
    case one, many
    case among([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private var pieces: [Piece] = []
  private(set) var isAnyFolders = false

  static var anyFolders: NamePattern { NamePattern(["*", "*"]) }

  init(_ scalars: [Unicode.Scalar]) {
    isAnyFolders = scalars == ["*", "*"]
    var place = 0
    while place < scalars.count {
      switch scalars[place] {
      case "*":
        if case .many? = pieces.last {} else { pieces.append(.many) }
      case "?": pieces.append(.one)
      case "[":
        if let (set, end) = Self.set(scalars, from: place + 1) {
          pieces.append(set)
          place = end
        } else {
          pieces.append(.character("["))
        }
      case "\\" where place + 1 < scalars.count:
        place += 1
        pieces.append(.character(scalars[place]))
      case let other: pieces.append(.character(other))
      }
      place += 1
    }
  }

  /// Parses `[…]` after the opening bracket.
  /// - Returns: the set and the index of the closing bracket; nil where there is none.
  private static func set(_ scalars: [Unicode.Scalar], from start: Int) -> (Piece, Int)? {
    var place = start
    var isNegated = false
    if place < scalars.count, scalars[place] == "!" || scalars[place] == "^" {
      isNegated = true
      place += 1
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let first = place
    while place < scalars.count, scalars[place] != "]" || place == first {
      if scalars[place] == "\\", place + 1 < scalars.count { place += 1 }
      let lower = scalars[place]
      if place + 2 < scalars.count, scalars[place + 1] == "-", scalars[place + 2] != "]" {
        let upper = scalars[place + 2]
        if lower <= upper { ranges.append(lower...upper) }
        place += 3
      } else {
        ranges.append(lower...lower)
        place += 1
      }
    }
    return place < scalars.count ? (.among(ranges, isNegated: isNegated), place) : nil
  }

  func matches(_ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    var (piece, place) = (0, 0)
    var retry: (piece: Int, place: Int)?
    while place < scalars.count {
      if piece < pieces.count, case .many = pieces[piece] {
        retry = (piece, place)
        piece += 1
      } else if piece < pieces.count, Self.fits(scalars[place], pieces[piece]) {
        piece += 1
        place += 1
      } else if let last = retry {
        retry = (last.piece, last.place + 1)
        (piece, place) = (last.piece + 1, last.place + 1)
      } else {
        return false
      }
    }
    while piece < pieces.count, case .many = pieces[piece] { piece += 1 }
    return piece == pieces.count
  }

  private static func fits(_ scalar: Unicode.Scalar, _ piece: Piece) -> Bool {
    switch piece {
    case .character(let expected): scalar == expected
    case .one: true
    case .many: false
    case .among(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
