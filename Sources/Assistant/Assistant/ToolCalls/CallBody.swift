import ChatTemplates

/// Reads the text between the marks of a call, in whatever form the model writes it.
struct CallBody {
  let names: CallNames

  /// The calls of a body, and the text behind them; nil where there is nothing like a call.
  func read(_ body: String) -> (calls: [ToolCall], rest: String)? {
    let text = Self.unwrapped(body.replacing("]<]minimax[>[", with: ""))
    if text.isEmpty { return nil }
    if text.contains("[TOOL_CALLS]") {
      let parts = text.split(separator: "[TOOL_CALLS]").compactMap { read(String($0))?.calls }
      return parts.isEmpty ? nil : (parts.flatMap { $0 }, "")
    }
    for form in [functions, invocations, keysAndValues, separated, braces] {
      if let calls = form(text), !calls.isEmpty { return (calls, "") }
    }
    return json(text) ?? named(text) ?? PythonCall.read(text, names: names).map { ($0, "") }
  }

  /// The text without code fences and the marks of a single call.
  private static func unwrapped(_ body: String) -> String {
    var text = body.trimmingSpace
    var isChanged = true
    while isChanged {
      isChanged = false
      if text.hasPrefix("```") {
        text = String(text.drop { !$0.isNewline && $0 != "{" && $0 != "[" }).trimmingSpace
        isChanged = true
      }
      for mark in ["```", "</tool_call>", "</tool_calls>", "</function_call>", "<|eom_id|>", "<|eot_id|>", "</s>"]
      where text.hasSuffix(mark) {
        text = String(text.dropLast(mark.count)).trimmingSpace
        isChanged = true
      }
      for mark in ["<tool_call>", "<tool_calls>", "<function_call>", "functools", "json\n", "<|constrain|>json"]
      where text.hasPrefix(mark) {
        text = String(text.dropFirst(mark.count)).trimmingSpace
        isChanged = true
      }
    }
    return text
  }

  // MARK: JSON

  /// Objects, or a list of them, one behind the other.
  private func json(_ text: String) -> (calls: [ToolCall], rest: String)? {
    let bytes = Array(text.utf8)
    var (place, calls) = (0, [ToolCall]())
    while place < bytes.count {
      while place < bytes.count, " \n\r\t,;".utf8.contains(bytes[place]) { place += 1 }
      guard place < bytes.count, bytes[place] == UInt8(ascii: "{") || bytes[place] == UInt8(ascii: "["),
        let reading = LenientJSON.read(bytes, at: place), let found = interpret(reading.value)
      else { break }
      calls += found
      place = reading.end
    }
    if calls.isEmpty { return nil }
    // Surplus braces and comments are no text.
    let rest = String(decoding: bytes[place...], as: UTF8.self)
    let isNothing = rest.allSatisfy { "}]) \n\r\t;".contains($0) } || rest.hasPrefix("//") || rest.hasPrefix("#")
    return (calls, isNothing ? "" : rest)
  }

  private static let nameKeys = [
    "name", "tool_name", "function_name", "tool", "function", "action", "recipient_name",
  ]
  private static let argumentKeys = [
    "arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "kwargs",
  ]

  /// Indicates whether a key can begin an object that is a call.
  static func canBegin(_ key: String) -> Bool {
    nameKeys.contains(key) || argumentKeys.contains(key)
      || ["id", "type", "tool_call_id", "tool_calls"].contains(key)
  }

  /// Calls that a value stands for, or nil where it is no call.
  func interpret(_ value: TemplateValue) -> [ToolCall]? {
    switch value {
    case .array(let values):
      let calls = values.compactMap(interpret).flatMap { $0 }
      return calls.isEmpty ? nil : calls
    case .object(let members):
      if case .array(let inner)? = value["tool_calls"] { return interpret(.array(inner)) }
      if let inner = value["function"], case .object = inner { return interpret(inner) }
      let arguments = Self.argumentKeys.lazy.compactMap { value[$0] }.first
      for key in Self.nameKeys {
        guard case .string(let name)? = value[key], !name.isEmpty else { continue }
        if let arguments { return [names.call(name, arguments)] }
        // Arguments next to the name instead of below a key of their own.
        let rest = members.filter { $0.key != key && !["id", "type", "tool_call_id"].contains($0.key) }
        return [names.call(name, .object(rest))]
      }
      // { "search": { … } }
      if members.count == 1, names.tool(members[0].key) != nil {
        return [names.call(members[0].key, members[0].value)]
      }
      return nil
    default: return nil
    }
  }

  /// A name with an object behind it: `search {"query": "x"}`, on one line or two.
  private func named(_ text: String) -> (calls: [ToolCall], rest: String)? {
    guard let brace = text.firstIndex(of: "{") else { return nil }
    var name = text[..<brace].trimmingSpace
    while name.hasSuffix("(") || name.hasSuffix(":") { name.removeLast() }
    guard !name.isEmpty, name.count <= 80,
      name.allSatisfy({ $0.isLetter || $0.isNumber || "_.-:".contains($0) }),
      let reading = LenientJSON.read(text[brace...]), case .object = reading.value
    else { return nil }
    let rest = String(decoding: Array(text[brace...].utf8)[reading.end...], as: UTF8.self).trimmingSpace
    return ([names.call(name, reading.value)], rest.allSatisfy { ")};".contains($0) } ? "" : rest)
  }
}
