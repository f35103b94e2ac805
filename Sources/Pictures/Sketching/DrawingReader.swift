import Foundation

/// Parser of the drawing language of `Resources/Sketches`; the README of that folder describes its commands.
struct DrawingReader {
  private var drawing = Drawing()

  /// Parses the lines of a drawing.
  /// - Throws: the reason; ``SketchVocabulary`` adds the file and line.
  static func read(_ lines: [Substring]) throws(DrawingError) -> Drawing {
    var reader = DrawingReader()
    for line in lines {
      for command in line.split(separator: ";") {
        let words = command.split(separator: " ")
        if !words.isEmpty { try reader.take(words[...], copies: [Transform()], as: String(command)) }
      }
    }
    return reader.drawing
  }

  private mutating func take(_ words: ArraySlice<Substring>, copies: [Transform], as command: String)
    throws(DrawingError)
  {
    guard let name = words.first else { return }
    let rest = words.dropFirst()
    func numbers(_ least: Int) throws(DrawingError) -> [Double] {
      let values = rest.compactMap { Double($0) }
      guard values.count == rest.count, values.count >= least, values.allSatisfy({ abs($0) < 10_000 }) else {
        throw DrawingError(reason: "'\(command)' needs \(least) numbers or more")
      }
      return values
    }
    switch name {
    case "m": return try take(rest, copies: copies + copies.map { Transform.mirror.after($0) }, as: command)
    case _ where name.hasPrefix("*"): return try repeated(name, rest, copies, command)
    case "f": drawing.steps.append(.fill(rest.first == "-" ? nil : try colour(rest.first, command)))
    case "w":
      drawing.steps += [.fill(try colour(rest.first, command)), .edge(.glowing)]
    case "k":
      let width = rest.dropFirst().first.flatMap { Double($0) } ?? 1.5
      drawing.steps.append(.pen(try colour(rest.first, command), width: width))
    case "q": drawing.steps.append(.edge(rest.first == "0" ? .outlined : .bare))
    case "--": drawing.steps.append(.front)
    case "i":
      let n = try numbers(3)
      for map in copies { drawing.steps.append(.eye(map(Point(n[0], n[1])), radius: n[2])) }
    case "y":
      let n = try numbers(3)
      drawing.steps.append(.mouth(Point(n[0], n[1]), width: n[2]))
    case "t":
      let n = rest.prefix(3).compactMap { Double($0) }
      guard n.count == 3 else { throw DrawingError(reason: "'\(command)' needs a place and a size") }
      drawing.steps.append(.text(Point(n[0], n[1]), size: n[2], rest.dropFirst(3).joined(separator: " ")))
    case "g":
      let n = try numbers(3)
      for map in copies { drawing.steps.append(.foliage(map(Point(n[0], n[1])), radius: n[2])) }
    case "u":
      let n = rest.dropFirst().compactMap { Double($0) }
      guard let part = rest.first, n.count >= 2 else { throw DrawingError(reason: "'\(command)' needs a place") }
      let scale = n.count > 2 ? n[2] : 1
      let own = Transform.placed(
        at: Point(n[0], n[1]), scaleX: scale, scaleY: abs(scale), turn: n.count > 3 ? n[3] : 0)
      for map in copies { drawing.steps.append(.part(String(part), map.after(own))) }
    default:
      let (path, isFilled) = try shape(name, numbers(3), command)
      for map in copies {
        let moved = path.transformed(by: map)
        drawing.steps.append(name == "v" ? .window(moved) : .shape(moved, isFilled: isFilled))
      }
    }
  }

  /// Parses `*4,10,0 COMMAND`: four times, each moved by 10 and 0.
  private mutating func repeated(
    _ name: Substring, _ rest: ArraySlice<Substring>, _ copies: [Transform], _ command: String
  ) throws(DrawingError) {
    let values = name.dropFirst().split(separator: ",").compactMap { Double($0) }
    guard values.count == 3, values[0] >= 1, values[0] <= 60 else {
      throw DrawingError(reason: "'\(command)' needs a count, x and y after '*'")
    }
    let steps = (0..<Int(values[0])).map { Transform(dx: values[1] * Double($0), dy: values[2] * Double($0)) }
    try take(rest, copies: copies.flatMap { copy in steps.map { copy.after($0) } }, as: command)
  }

  private func shape(_ name: Substring, _ n: [Double], _ command: String) throws(DrawingError) -> (
    SketchPath, Bool
  ) {
    func need(_ count: Int) throws(DrawingError) {
      if n.count < count { throw DrawingError(reason: "'\(command)' needs \(count) numbers") }
    }
    func points() throws(DrawingError) -> [Point] {
      guard n.count >= 4, n.count.isMultiple(of: 2) else {
        throw DrawingError(reason: "'\(command)' needs pairs of numbers")
      }
      return stride(from: 0, to: n.count, by: 2).map { Point(n[$0], n[$0 + 1]) }
    }
    switch name {
    case "c": return (.ellipse(Point(n[0], n[1]), n[2], n[2]), true)
    case "e":
      try need(4)
      return (.ellipse(Point(n[0], n[1]), n[2], n[3], turn: n.count > 4 ? n[4] : 0), true)
    case "r", "v":
      try need(4)
      return (.rectangle(n[0], n[1], n[2], n[3], corner: n.count > 4 ? n[4] : 0), true)
    case "p": return (.polygon(try points()), true)
    case "s": return (.smooth(try points(), isClosed: true), true)
    case "l": return (.polygon(try points(), isClosed: false), false)
    case "o": return (.smooth(try points(), isClosed: false), false)
    case "a":
      try need(5)
      return (.arc(Point(n[0], n[1]), n[2], n[2], from: n[3], to: n[4]), false)
    case "h":
      try need(6)
      return (.arc(Point(n[0], n[1]), n[2], n[3], from: n[4], to: n[5], isClosed: true), true)
    default: throw DrawingError(reason: "'\(name)' is not a command")
    }
  }

  private func colour(_ word: Substring?, _ command: String) throws(DrawingError) -> ColourName {
    guard let word else { throw DrawingError(reason: "'\(command)' names no colour") }
    return try Self.colour(word)
  }

  /// Parses `red`, `main+` (lighter), `main--` (darker by two) or `glass/0.5` (half transparent).
  static func colour(_ word: Substring) throws(DrawingError) -> ColourName {
    let parts = word.split(separator: "/", maxSplits: 1)
    guard var base = parts.first else { throw DrawingError(reason: "a colour has no name") }
    var name = ColourName(base: "")
    while let sign = base.last, sign == "+" || sign == "-" {
      name.steps += sign == "+" ? 1 : -1
      base.removeLast()
    }
    name.base = String(base)
    if parts.count > 1 {
      guard let alpha = Double(parts[1]), (0...1).contains(alpha) else {
        throw DrawingError(reason: "'\(word)' is not a colour")
      }
      name.alpha = alpha
    }
    return name
  }
}

/// Error in a line of a drawing.
struct DrawingError: Error {
  let reason: String
}
