import ChatTemplates

/// Tools that a model may call: recognises their names and corrects arguments.
struct CallNames: Sendable {
  let tools: [ToolDescription]

  /// The tool meant by a name as a model writes it, or nil.
  func tool(_ written: String) -> ToolDescription? {
    let name = Self.plain(written)
    return tools.first { $0.name == name } ?? tools.first { Self.folded($0.name) == Self.folded(name) }
  }

  /// The name without the additions of some models: `functions.search:0`, `default_api.search`.
  private static func plain(_ written: String) -> String {
    var name = written.trimmingSpace
    for mark in ["functions.", "function.", "default_api.", "tools.", "tool."] where name.hasPrefix(mark) {
      name.removeFirst(mark.count)
    }
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) {
      name = String(name[..<colon])
    }
    return name
  }

  private static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// A call with its name and arguments corrected.
  func call(_ written: String, _ arguments: TemplateValue) -> ToolCall {
    let tool = tool(written)
    return ToolCall(
      name: tool?.name ?? Self.plain(written), arguments: JSONText.of(.object(members(arguments, tool))))
  }

  private func members(_ value: TemplateValue, _ tool: ToolDescription?) -> [TemplateValue.Member] {
    switch value {
    case .object(let members):
      return members.map { member in
        var member = member
        // Arguments that were given by position.
        if let place = Int(member.key), let tool, tool.parameters.indices.contains(place),
          !tool.parameters.contains(where: { $0.name == member.key })
        {
          member.key = tool.parameters[place].name
        }
        if let kind = tool?.parameters.first(where: { $0.name == member.key })?.kind {
          member.value = Self.value(member.value, as: kind)
        }
        return member
      }
    case .string(let text):
      // Arguments as a text that holds JSON; or the only argument itself.
      if let reading = LenientJSON.read(text), case .object = reading.value { return members(reading.value, tool) }
      if let only = tool?.parameters.first, !text.isEmpty { return [.init(only.name, .string(text))] }
      return []
    case .null, .array([]): return []
    default:
      guard let only = tool?.parameters.first else { return [] }
      return [.init(only.name, Self.value(value, as: only.kind))]
    }
  }

  private static func value(_ value: TemplateValue, as kind: ToolDescription.Parameter.Kind) -> TemplateValue {
    switch (kind, value) {
    case (.string, .int(let number)): .string("\(number)")
    case (.string, .double(let number)): .string("\(number)")
    case (.string, .bool(let flag)): .string("\(flag)")
    case (.integer, .string(let text)): Int(text.trimmingSpace).map { .int($0) } ?? value
    case (.integer, .double(let number)): Int(exactly: number).map { .int($0) } ?? value
    case (.number, .string(let text)): Double(text.trimmingSpace).map { .double($0) } ?? value
    default: value
    }
  }
}
