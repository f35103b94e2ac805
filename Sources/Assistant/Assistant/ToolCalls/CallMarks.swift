/// Marks of ``CallMarksTable``, prepared for matching.
struct CallMarks: Sendable {
  /// A mark around a call.
  struct Call: Sendable, Equatable {
    var opener: [UInt8]
    var closers: [[UInt8]]
    var isPart: Bool

    /// End of the call's body and of the mark behind it; nil where more text is needed.
    func end(in held: [UInt8], isOver: Bool) -> (body: Int, mark: Int)? {
      if let end = closer(in: held) { return end }
      guard isOver else { return nil }
      // Quotes that never close hide the mark; then the first mark counts.
      for closer in closers {
        if let found = held.firstRange(of: closer) { return (found.lowerBound, found.upperBound) }
      }
      return (held.count, held.count)
    }

    /// The first closer that does not stand within a JSON text.
    private func closer(in held: [UInt8]) -> (body: Int, mark: Int)? {
      guard !closers.isEmpty else { return nil }
      var (isQuoted, isEscaped, depth) = (false, false, 0)
      for place in held.indices {
        let byte = held[place]
        if isEscaped {
          isEscaped = false
          continue
        }
        if !isQuoted, let closer = closers.first(where: { held[place...].starts(with: $0) }) {
          let isInside = isPart && place < opener.count
          // A fence that opens is no closer.
          let opensFence = closer == Array("```".utf8) && held[..<place].allSatisfy { $0 <= 0x20 }
          if !isInside, !opensFence { return (place, place + closer.count) }
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): if !isQuoted { depth -= 1 }
        case UInt8(ascii: "\\") where isQuoted: isEscaped = true
        // Outside JSON, quotes have no meaning.
        case UInt8(ascii: "\"") where depth > 0: isQuoted.toggle()
        default: break
        }
      }
      return nil
    }
  }

  /// Meanings of a mark.
  enum Mark: Sendable, Equatable {
    case call(Call)
    case thought(closer: [UInt8])
    case quotation(opener: [UInt8], closer: [UInt8])
    case header([UInt8])
    case noise

    /// Indicates whether the mark means nothing in text that is quoted.
    var isHiddenFromQuotations: Bool {
      switch self {
      case .call, .noise: true
      default: false
      }
    }
  }

  /// Results of a match at a place.
  enum Match: Equatable {
    case none
    /// The text ends within what may be a mark.
    case unfinished
    case found(Mark, length: Int)
  }

  private let byFirst: [UInt8: [(bytes: [UInt8], mark: Mark)]]

  private init(_ marks: [(String, Mark)]) {
    let all = marks.map { (bytes: Array($0.0.utf8), mark: $0.1) }.sorted { $0.bytes.count > $1.bytes.count }
    byFirst = Dictionary(grouping: all) { $0.bytes[0] }
  }

  /// Marks of thoughts, and those without a meaning.
  static let thoughts = CallMarks(common)

  /// Every mark.
  static let all = CallMarks(
    CallMarksTable.calls.map { call in
      (
        call.opener,
        .call(
          Call(opener: Array(call.opener.utf8), closers: call.closers.map { Array($0.utf8) }, isPart: call.isPart))
      )
    }
      + CallMarksTable.quotations.map {
        ($0.opener, .quotation(opener: Array($0.opener.utf8), closer: Array($0.closer.utf8)))
      } + common)

  private static let common: [(String, Mark)] =
    CallMarksTable.thoughts.dropLast().map { ($0.opener, .thought(closer: Array($0.closer.utf8))) }
    + CallMarksTable.noise.map { ($0, .noise) }
    + ["<|channel|>", "<|start|>"].map { ($0, .header(Array($0.utf8))) }

  /// Closer of the thought that a prompt's end opens.
  static func thought(openAtEndOf prompt: String) -> [UInt8]? {
    CallMarksTable.thoughts.first { prompt.hasSuffix($0.opener) }.map { Array($0.closer.utf8) }
  }

  /// Matches the marks at a place of a text.
  /// - Parameter isOver: whether nothing follows.
  func match(_ text: [UInt8], at place: Int, isOver: Bool) -> Match {
    let rest = text[place...]
    for (bytes, mark) in byFirst[text[place]] ?? [] {
      if rest.starts(with: bytes) { return .found(mark, length: bytes.count) }
      if !isOver, rest.count < bytes.count, bytes.starts(with: rest) { return .unfinished }
    }
    return control(rest, isOver: isOver)
  }

  /// A control token without a meaning here: `<|…|>`, `<｜…｜>`.
  private func control(_ rest: ArraySlice<UInt8>, isOver: Bool) -> Match {
    for (opener, closer) in [("<|", "|>"), ("<｜", "｜>")] {
      let (opener, closer) = (Array(opener.utf8), Array(closer.utf8))
      if !isOver, rest.count < opener.count, opener.starts(with: rest) { return .unfinished }
      guard rest.starts(with: opener) else { continue }
      let inside = rest.dropFirst(opener.count).prefix(48)
      if let end = inside.firstRange(of: closer) {
        let name = inside[..<end.lowerBound]
        let isName = !name.isEmpty && !name.contains { $0 <= 0x20 || "<>|\"'(){}".utf8.contains($0) }
        return isName ? .found(.noise, length: end.upperBound - rest.startIndex) : .none
      }
      let isOpen = inside.count < 48 && !inside.contains { $0 <= 0x20 || "<>\"'(){}".utf8.contains($0) }
      return isOpen && !isOver ? .unfinished : .none
    }
    return .none
  }
}
