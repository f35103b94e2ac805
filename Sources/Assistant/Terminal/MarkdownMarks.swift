/// Kind of a line of Markdown, by its beginning.
struct LineStart {
  enum Kind: Equatable {
    case fence
    case table
    case heading
    /// Paragraph, or an item with its mark; `first` is the text that further rows are indented under.
    case text(first: String)
  }

  var kind: Kind
  /// Text of the line behind its mark.
  var rest: String

  /// Determines the kind; nil while more of the line is needed.
  init?(_ head: String, isWhole: Bool) {
    let blanks = head.prefix { $0 == " " }
    let body = head.dropFirst(blanks.count)
    guard let first = body.first else {
      if !isWhole { return nil }
      self = LineStart(kind: .text(first: ""), rest: "")
      return
    }
    let lead = String(blanks.prefix(12))
    switch first {
    case "#":
      let marks = body.prefix { $0 == "#" }
      let behind = body.dropFirst(marks.count)
      if behind.isEmpty, !isWhole { return nil }
      if marks.count <= 6, behind.first == " " {
        self = LineStart(kind: .heading, rest: String(behind.drop { $0 == " " }))
        return
      }
    case "`":
      if body.hasPrefix("```") {
        self = LineStart(kind: .fence, rest: "")
        return
      }
      if body.count < 3, body.allSatisfy({ $0 == "`" }), !isWhole { return nil }
    case "-", "*", "+", "•":
      if body.count == 1, !isWhole { return nil }
      if body.dropFirst().first == " " {
        self = LineStart(kind: .text(first: lead + "• "), rest: String(body.dropFirst(2)))
        return
      }
    case ">":
      if body.count == 1, !isWhole { return nil }
      self = LineStart(kind: .text(first: lead + "│ "), rest: String(body.dropFirst().drop { $0 == " " }))
      return
    case "|":
      self = LineStart(kind: .table, rest: head)
      return
    case "0"..."9":
      let digits = body.prefix { $0.isASCII && $0.isNumber }
      let behind = body.dropFirst(digits.count)
      if digits.count <= 3, !isWhole, behind.isEmpty || behind == "." || behind == ")" { return nil }
      if digits.count <= 3, behind.hasPrefix(". ") || behind.hasPrefix(") ") {
        self = LineStart(kind: .text(first: lead + digits + behind.prefix(2)), rest: String(behind.dropFirst(2)))
        return
      }
    default: break
    }
    self = LineStart(kind: .text(first: lead), rest: String(body))
  }

  private init(kind: Kind, rest: String) { (self.kind, self.rest) = (kind, rest) }
}

/// Inline mark at `*`, `` ` `` or `[`.
struct InlineMark {
  /// Text that is shown.
  var text: String
  var style: Style
  /// Number of clusters of the source that it replaces.
  var length: Int

  /// Reads the mark at the beginning of a text; nil while more of the text is needed.
  init?(_ text: String, isWhole: Bool) {
    let first = text.first ?? " "
    switch first {
    case "`":
      guard let end = text.dropFirst().firstIndex(of: "`") else {
        if !isWhole { return nil }
        break
      }
      let content = text[text.index(after: text.startIndex)..<end]
      if content.isEmpty { break }
      (self.text, style, length) = (String(content), .code, content.count + 2)
      return
    case "*":
      if text.count < 3, !isWhole { return nil }
      guard text.hasPrefix("**"), let opened = text.dropFirst(2).first, !opened.isWhitespace, opened != "*" else {
        // A longer run of asterisks stays as it is.
        let run = text.prefix { $0 == "*" }
        (self.text, style, length) = (String(run), .plain, run.count)
        return
      }
      var index = text.index(text.startIndex, offsetBy: 2)
      while index < text.endIndex {
        let isClosing = text[index...].hasPrefix("**") && !text[text.index(before: index)].isWhitespace
        if isClosing {
          let content = text[text.index(text.startIndex, offsetBy: 2)..<index]
          (self.text, style, length) = (String(content), .bold, content.count + 4)
          return
        }
        index = text.index(after: index)
      }
      if !isWhole { return nil }
      (self.text, style, length) = ("**", .plain, 2)
      return
    case "[":
      let inside = text.dropFirst().prefix { $0 != "]" && $0 != "[" }
      let isNumbers = inside.allSatisfy { $0.isASCII && $0.isNumber || ", –-".contains($0) }
      let isFlag = "unverified".hasPrefix(inside)
      if 1 + inside.count == text.count {
        if !isWhole, inside.count < 24, isNumbers || isFlag { return nil }
        break
      }
      if text.dropFirst(1 + inside.count).first != "]" || inside.isEmpty { break }
      if isNumbers, inside.contains(where: \.isNumber) {
        (self.text, style, length) = ("[" + inside + "]", .reference, inside.count + 2)
        return
      }
      if inside == "unverified" {
        (self.text, style, length) = ("[" + inside + "]", .warning, inside.count + 2)
        return
      }
    default: break
    }
    (self.text, style, length) = (String(first), .plain, 1)
  }
}
