import ChatTemplates

/// Calls whose arguments stand between tags.
extension CallBody {
  /// `<function=search><parameter=query>x</parameter></function>`, or with JSON in place of the parameters.
  func functions(_ text: String) -> [ToolCall]? {
    guard text.contains("<function=") else { return nil }
    return text.components(behind: "<function=").map { part in
      let name = String(part.prefix { $0 != ">" && !$0.isNewline })
      let inside = part.dropFirst(name.count + 1).upTo("</function>")
      guard inside.contains("<parameter=") || inside.contains("<parameter name=") else {
        let value = LenientJSON.read(inside.trimmingSpace)?.value
        return names.call(
          name, value ?? (inside.trimmingSpace.isEmpty ? .object([]) : .string(inside.trimmingSpace)))
      }
      let parameters = inside.replacing("<parameter name=", with: "<parameter=").components(behind: "<parameter=")
      return names.call(name, .object(parameters.map(parameter)))
    }
  }

  private func parameter(_ part: String) -> TemplateValue.Member {
    let key = part.prefix { $0 != ">" && !$0.isNewline }
    let value = part.dropFirst(key.count + 1).upTo("</parameter>").upTo("<parameter=")
    return .init(key.attributeValue, Self.plain(value.trimmingSpace))
  }

  /// `<invoke name="search"><parameter name="query">x</parameter></invoke>`, with any prefix to the tags; or tags
  /// named after the parameters.
  func invocations(_ text: String) -> [ToolCall]? {
    guard text.contains("invoke name=") else { return nil }
    var text = text
    for prefix in ["｜DSML｜", "atem:", "antml:"] { text = text.replacing(prefix, with: "") }
    return text.components(behind: "<invoke name=").map { part in
      let name = part.prefix { $0 != ">" && !$0.isNewline }
      let inside = String(part.dropFirst(name.count + 1).upTo("</invoke>"))
      let parameters = inside.components(behind: "<parameter name=")
      if inside.contains("<parameter name=") {
        return names.call(
          name.attributeValue,
          .object(
            parameters.map { part in
              let head = part.prefix { $0 != ">" }
              let value = part.dropFirst(head.count + 1).upTo("</parameter>")
              // `string="true"` marks a value that is text, not JSON.
              let isText = head.contains("string=\"true\"")
              let key = String(head.prefix { !$0.isWhitespace }).attributeValue
              return .init(key, isText ? .string(String(value)) : Self.plain(value.trimmingSpace))
            }))
      }
      return names.call(name.attributeValue, .object(Self.tags(inside)))
    }
  }

  /// `<query>x</query><top>3</top>`.
  private static func tags(_ text: String) -> [TemplateValue.Member] {
    var members: [TemplateValue.Member] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let name = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      guard !name.hasPrefix("/"), let end = rest.firstRange(of: "</\(name)>") else { continue }
      members.append(.init(name, plain(rest[..<end.lowerBound].trimmingSpace)))
      rest = rest[end.upperBound...]
    }
    return members
  }

  /// `search<arg_key>query</arg_key><arg_value>x</arg_value>`.
  func keysAndValues(_ text: String) -> [ToolCall]? {
    guard text.contains("<arg_key") else { return nil }
    var text = text
    if let suffix = text.firstRange(of: "<arg_key").map({ text[$0.upperBound...].prefix { $0 != ">" } }),
      !suffix.isEmpty
    {
      text = text.replacing(String(suffix) + ">", with: ">")
    }
    text = text.replacing("<tool_sep>", with: "\n")
    return text.components(separatedByTag: "<tool_call>").compactMap { part in
      let name = String(part.prefix { $0 != "<" && !$0.isNewline })
      if name.trimmingSpace.isEmpty { return nil }
      let pairs = part.components(behind: "<arg_key>").map { pair -> TemplateValue.Member in
        let key = pair.upTo("</arg_key>").trimmingSpace
        let value = pair.components(behind: "<arg_value>").first ?? ""
        return .init(key, Self.plain(value.upTo("</arg_value>").trimmingSpace))
      }
      return names.call(name, .object(pairs))
    }
  }

  /// A value written without quotes: a number or a list as JSON, anything else as text.
  private static func plain(_ text: String) -> TemplateValue {
    (try? TemplateValue(json: text)) ?? .string(text)
  }
}

extension StringProtocol {
  /// The pieces behind each occurrence of a mark.
  func components(behind mark: String) -> [String] {
    var pieces: [String] = []
    var rest = Substring(self)
    while let found = rest.firstRange(of: mark) {
      rest = rest[found.upperBound...]
      pieces.append(String(rest[..<(rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex)]))
    }
    return pieces
  }

  /// The pieces between occurrences of a mark.
  func components(separatedByTag mark: String) -> [String] {
    let head = Substring(self)[..<(Substring(self).firstRange(of: mark)?.lowerBound ?? Substring(self).endIndex)]
    return [String(head)] + components(behind: mark)
  }

  /// The text up to a mark, or all of it.
  func upTo(_ mark: String) -> Substring {
    let text = Substring(self)
    return text[..<(text.firstRange(of: mark)?.lowerBound ?? text.endIndex)]
  }

  /// The text without quotes around it.
  var attributeValue: String {
    var text = trimmingSpace
    for quote in ["\"", "'"] where text.hasPrefix(quote) {
      text = String(text.dropFirst().prefix { String($0) != quote })
    }
    return text
  }
}
