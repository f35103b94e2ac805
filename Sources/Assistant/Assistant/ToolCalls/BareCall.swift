import ChatTemplates

/// Judges whether a whole message is a tool call without marks: JSON, a fence around it, or Python.
enum BareCall {
  /// Kinds of message by their beginning.
  enum Judgement: Equatable {
    case undecided
    case no
    /// Calls, up to a place.
    case yes([ToolCall], end: Int)
  }

  /// - Parameters:
  ///   - text: the message without the white space before it.
  ///   - isOver: whether nothing follows.
  static func judge(_ text: ArraySlice<UInt8>, names: CallNames, isOver: Bool) -> Judgement {
    guard let first = text.first else { return .undecided }
    switch first {
    case UInt8(ascii: "{"): return json(text, names, isOver)
    case UInt8(ascii: "["): return list(text, names, isOver)
    case UInt8(ascii: "`"): return fence(text, names, isOver)
    case UInt8(ascii: ">"): return selected(text, names, isOver)
    default: return python(text, names, isOver)
    }
  }

  /// An object with the keys of a call to a known tool.
  private static func json(_ text: ArraySlice<UInt8>, _ names: CallNames, _ isOver: Bool) -> Judgement {
    if let key = firstKey(text), !CallBody.canBegin(key), names.tool(key) == nil { return .no }
    let bytes = Array(text)
    guard LenientJSON.end(of: bytes, from: 0) != nil || isOver || bytes.count > 1 << 16 else { return .undecided }
    // Several objects may follow one another, so all of the message is read.
    guard isOver || bytes.count > 1 << 16 else { return .undecided }
    guard let found = CallBody(names: names).read(String(decoding: bytes, as: UTF8.self)),
      found.calls.allSatisfy({ names.tool($0.name) != nil })
    else { return .no }
    return .yes(found.calls, end: text.endIndex - found.rest.utf8.count)
  }

  /// The first key of an object, once it is whole.
  private static func firstKey(_ text: ArraySlice<UInt8>) -> String? {
    var rest = text.drop { " \n\r\t[{".utf8.contains($0) }
    guard let quote = rest.first else { return nil }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let name = rest.prefix { !":, \n}".utf8.contains($0) }
      return name.count < rest.count ? String(decoding: name, as: UTF8.self) : nil
    }
    rest = rest.dropFirst()
    guard let end = rest.firstIndex(of: quote) else { return rest.count > 40 ? "" : nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private static func list(_ text: ArraySlice<UInt8>, _ names: CallNames, _ isOver: Bool) -> Judgement {
    let inside = text.dropFirst().drop { " \n\r\t".utf8.contains($0) }
    guard let first = inside.first else { return isOver ? .no : .undecided }
    if first == UInt8(ascii: "{") { return json(text, names, isOver) }
    switch python(inside, names, isOver) {
    case .no: return .no
    case .undecided: return .undecided
    case .yes:
      guard let calls = PythonCall.read(String(decoding: text, as: UTF8.self), names: names) else { return .no }
      return .yes(calls, end: text.endIndex)
    }
  }

  /// A tool's name with a bracket behind it.
  private static func python(_ text: ArraySlice<UInt8>, _ names: CallNames, _ isOver: Bool) -> Judgement {
    let name = text.prefix { $0 >= 0x80 || !" \n\t({[<".utf8.contains($0) }
    let written = String(decoding: name, as: UTF8.self)
    if name.count == text.count, !isOver {
      let isBeginning = names.tools.contains { tool in
        ["", "functions.", "default_api."].contains { ($0 + tool.name).hasPrefix(written) }
      }
      return isBeginning ? .undecided : .no
    }
    guard !written.isEmpty, names.tool(written) != nil else { return .no }
    let next = text.dropFirst(name.count).drop { " \n\t".utf8.contains($0) }
    guard let bracket = next.first else { return isOver ? .no : .undecided }
    guard bracket == UInt8(ascii: "(") || bracket == UInt8(ascii: "{") else { return .no }
    guard isOver else { return text.count > 1 << 16 ? .no : .undecided }
    guard let found = CallBody(names: names).read(String(decoding: text, as: UTF8.self)) else { return .no }
    return .yes(found.calls, end: text.endIndex - found.rest.utf8.count)
  }

  /// A fence that holds nothing but a call.
  private static func fence(_ text: ArraySlice<UInt8>, _ names: CallNames, _ isOver: Bool) -> Judgement {
    guard text.starts(with: "```".utf8) else { return text.count < 3 && !isOver ? .undecided : .no }
    guard let line = text.firstIndex(of: 0x0A) else { return text.count > 24 || isOver ? .no : .undecided }
    let label = String(decoding: text[text.startIndex + 3..<line], as: UTF8.self).trimmingSpace.lowercased()
    guard ["", "json", "python", "tool_call", "tool_calls", "tool_code", "xml", "tool"].contains(label) else {
      return .no
    }
    let body = text[line...].drop { " \n\r\t".utf8.contains($0) }
    guard let first = body.first else { return isOver ? .no : .undecided }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if let key = firstKey(body), !CallBody.canBegin(key), names.tool(key) == nil,
        python(body.drop { "[ ".utf8.contains($0) }, names, false) == .no
      {
        return .no
      }
    } else if first != UInt8(ascii: "<"), python(body, names, false) == .no, !body.starts(with: "print(".utf8) {
      return .no
    }
    let end = body.firstRange(of: Array("```".utf8))
    guard end != nil || isOver else { return .undecided }
    let inside = String(decoding: body[..<(end?.lowerBound ?? body.endIndex)], as: UTF8.self)
    guard let found = CallBody(names: names).read(inside), found.rest.isEmpty,
      found.calls.allSatisfy({ names.tool($0.name) != nil })
    else { return .no }
    return .yes(found.calls, end: end?.upperBound ?? text.endIndex)
  }

  /// `>>>search {…}`, by which one family chooses the recipient; `>>>all` is the user.
  private static func selected(_ text: ArraySlice<UInt8>, _ names: CallNames, _ isOver: Bool) -> Judgement {
    guard text.starts(with: ">>>".utf8) else { return text.count < 3 && !isOver ? .undecided : .no }
    guard isOver else { return .undecided }
    let parts = String(decoding: text, as: UTF8.self).components(behind: ">>>")
    let calls = parts.flatMap { part -> [ToolCall] in
      let name = part.prefix { !$0.isNewline }
      guard names.tool(String(name)) != nil else { return [] }
      return CallBody(names: names).read(String(part))?.calls ?? []
    }
    return calls.isEmpty ? .no : .yes(calls, end: text.endIndex)
  }
}
