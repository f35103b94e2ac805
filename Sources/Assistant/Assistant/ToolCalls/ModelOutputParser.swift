/// Separates a model's answer from its thoughts and its tool calls, piece by piece, in the formats of all families.
///
/// No part of a call or of a mark is ever returned as text, however the pieces are cut. Anything in a code fence, in a
/// quotation, or behind a quotation mark or `>` is text: so are calls that a document shows and a model repeats.
struct ModelOutputParser {
  /// Parts of the output.
  enum Output: Equatable {
    case text(String)
    case thinking(String)
    case call(ToolCall)
    /// A call that could not be read.
    case malformed(String)
  }

  private enum Mode: Equatable {
    case answer
    case thought(closer: [UInt8])
    case call(CallMarks.Call)
    /// The beginning of a message that may be a call without a mark.
    case opening
    /// Text that holds no call, up to a mark that belongs to it.
    case quotation(closer: [UInt8])
    /// The head of a message that names its channel.
    case header
  }

  private let names: CallNames
  private let marks: CallMarks
  private let quoted: [String]
  private var mode = Mode.opening
  private var held: [UInt8] = []
  private var line = LineState()
  /// Closers of quoted calls, which are text too.
  private var shownClosers: [[UInt8]] = []
  private var hasSaidSomething = false
  private var outputs: [Output] = []

  /// Size of the longest call that is read, in bytes.
  private static let longestCall = 1 << 16

  /// - Parameters:
  ///   - tools: the tools that may be called; without any, only thoughts are separated.
  ///   - opening: the end of the prompt, which may begin a thought or a channel.
  ///   - quoted: texts in the prompt that are not the model's; a call that stands in one of them is a quotation.
  init(tools: [ToolDescription], opening: String = "", quoted: [String] = []) {
    names = CallNames(tools: tools)
    marks = tools.isEmpty ? .thoughts : .all
    self.quoted = quoted.map(Self.squeezed)
    let end = opening.trimmingSpace
    if let closer = CallMarks.thought(openAtEndOf: end) {
      mode = .thought(closer: closer)
    } else if end.hasSuffix("<|start|>assistant") {
      mode = .header
    }
  }

  /// Takes the next piece.
  mutating func append(_ piece: String) -> [Output] {
    held += piece.utf8
    advance(isOver: false)
    return taken()
  }

  /// Takes the end of the message.
  mutating func finish() -> [Output] {
    advance(isOver: true)
    return taken()
  }

  private mutating func taken() -> [Output] {
    defer { outputs = [] }
    var joined: [Output] = []
    for output in outputs {
      switch (joined.last, output) {
      case (.text(let before)?, .text(let text)): joined[joined.count - 1] = .text(before + text)
      case (.thinking(let before)?, .thinking(let text)): joined[joined.count - 1] = .thinking(before + text)
      default: joined.append(output)
      }
    }
    return joined
  }

  /// Parses until more text is needed.
  private mutating func advance(isOver: Bool) {
    var before: (count: Int, mode: Mode)?
    while before?.count != held.count || before?.mode != mode {
      before = (held.count, mode)
      switch mode {
      case .opening: takeOpening(isOver: isOver)
      case .answer: takeAnswer(isOver: isOver)
      case .thought(let closer):
        let (text, isClosed) = take(until: closer, isOver: isOver)
        if !text.isEmpty { outputs.append(.thinking(text)) }
        if isClosed { mode = .opening }
      case .quotation(let closer):
        let (text, isClosed) = take(until: closer, isOver: isOver)
        say(text + (isClosed ? String(decoding: closer, as: UTF8.self) : ""))
        if isClosed { mode = .answer }
      case .header: takeHeader(isOver: isOver)
      case .call(let call): takeCall(call, isOver: isOver)
      }
      if held.isEmpty, !isOver { return }
    }
  }

  // MARK: Text

  private mutating func say(_ text: String) {
    var text = text[...]
    if !hasSaidSomething { text = text.drop(while: \.isWhitespace) }
    if text.isEmpty { return }
    hasSaidSomething = true
    line.take(text)
    outputs.append(.text(String(text)))
  }

  private mutating func sayHeld(_ count: Int) {
    let text = String(decoding: held[..<count], as: UTF8.self)
    held.removeFirst(count)
    say(text)
  }

  private mutating func takeAnswer(isOver: Bool) {
    var place = 0
    while place < held.count {
      switch marks.match(held, at: place, isOver: isOver) {
      case .none:
        place += 1
      case .unfinished:
        sayHeld(place)
        return
      case .found(let mark, let length):
        // A call between quotes or in a fence is shown whole.
        let written = Array(held[place..<place + length])
        if mark.isHiddenFromQuotations, shownClosers.contains(written) || isQuoting(at: place) {
          if case .call(let call) = mark { shownClosers += call.closers }
          place += length
          continue
        }
        sayHeld(place)
        held.removeFirst(length)
        begin(mark, length: length)
        return
      }
    }
    sayHeld(held.count)
  }

  private func isQuoting(at place: Int) -> Bool {
    var line = line
    line.take(String(decoding: held[..<place], as: UTF8.self)[...])
    return line.isQuoting
  }

  private mutating func begin(_ mark: CallMarks.Mark, length: Int) {
    switch mark {
    case .call(let call):
      if call.isPart { held = call.opener + held }
      mode = .call(call)
    case .thought(let closer): mode = .thought(closer: closer)
    case .quotation(let opener, let closer):
      say(String(decoding: opener, as: UTF8.self))
      mode = .quotation(closer: closer)
    case .header(let opener):
      held = opener + held
      mode = .header
    case .noise: break
    }
  }

  /// Takes text up to and including a mark; text that may begin the mark stays held.
  private mutating func take(until closer: [UInt8], isOver: Bool) -> (text: String, isClosed: Bool) {
    if let found = held.firstRange(of: closer) {
      let text = String(decoding: held[..<found.lowerBound], as: UTF8.self)
      held.removeFirst(found.upperBound)
      return (text, true)
    }
    var kept = 0
    if !isOver {
      kept = (0..<min(closer.count, held.count + 1)).last { held.suffix($0).elementsEqual(closer.prefix($0)) } ?? 0
    }
    let text = String(decoding: held[..<(held.count - kept)], as: UTF8.self)
    held.removeFirst(held.count - kept)
    return (text, false)
  }

  // MARK: Calls

  private mutating func takeCall(_ call: CallMarks.Call, isOver: Bool) {
    guard let end = call.end(in: held, isOver: isOver) else {
      if held.count > Self.longestCall {
        outputs.append(.malformed(String(decoding: held.prefix(200), as: UTF8.self)))
        held = []
      }
      return
    }
    let body = String(decoding: held[..<end.body], as: UTF8.self)
    held.removeFirst(end.mark)
    mode = .opening
    give(CallBody(names: names).read(body), body, call)
  }

  private mutating func give(
    _ found: (calls: [ToolCall], rest: String)?, _ body: String, _ call: CallMarks.Call
  ) {
    let whole = Self.squeezed(body)
    if whole.count > 8, quoted.contains(where: { $0.contains(whole) }) {
      let opener = call.isPart ? "" : String(decoding: call.opener, as: UTF8.self)
      say(opener + body + (call.closers.first.map { String(decoding: $0, as: UTF8.self) } ?? ""))
    } else if let found {
      outputs += found.calls.map { .call($0) }
      if !found.rest.trimmingSpace.isEmpty { say(found.rest) }
    } else if !body.trimmingSpace.isEmpty || !call.closers.isEmpty {
      outputs.append(.malformed(body))
    }
  }

  /// The text without white space, for comparisons.
  private static func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  // MARK: Beginnings

  /// A message that begins with JSON, a fence or the name of a tool may be a call as a whole.
  private mutating func takeOpening(isOver: Bool) {
    guard let first = held.firstIndex(where: { !" \n\r\t".utf8.contains($0) }) else {
      if isOver { sayHeld(held.count) }
      return
    }
    guard !names.tools.isEmpty, !hasSaidSomething else {
      mode = .answer
      return
    }
    switch BareCall.judge(held[first...], names: names, isOver: isOver) {
    case .undecided: if isOver { mode = .answer }
    case .no: mode = .answer
    case .yes(let calls, let end):
      let body = String(decoding: held[first..<end], as: UTF8.self)
      held.removeFirst(end)
      mode = .answer
      give((calls, ""), body, CallMarks.Call(opener: [], closers: [], isPart: true))
    }
  }

  /// Takes a message's head: `<|channel|>commentary to=functions.search <|constrain|>json<|message|>`.
  private mutating func takeHeader(isOver: Bool) {
    let end = Array("<|message|>".utf8)
    guard let found = held.firstRange(of: end) else {
      if isOver || held.count > 400 {
        // A head that never ends is no head.
        if held.count > 400 || !ChannelHead.isMarks(held) { sayHeld(held.count) }
        held = []
        mode = .answer
      }
      return
    }
    let head = ChannelHead(held[..<found.lowerBound])
    held.removeFirst(found.upperBound)
    let closers = ["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|eot|>"].map { Array($0.utf8) }
    if let tool = head.recipient, !names.tools.isEmpty {
      if held.starts(with: "<atem:".utf8) || tool == "user" || tool == "final" {
        mode = .answer
      } else {
        // The name stands in the head, the arguments in the body.
        held = Array((tool + " ").utf8) + held
        mode = .call(CallMarks.Call(opener: [], closers: closers, isPart: true))
      }
    } else if head.isThought {
      mode = .thought(closer: closers[0])
    } else {
      mode = .answer
    }
  }
}

/// Head of a message in formats with channels.
struct ChannelHead {
  /// Recipient: a tool, or another party.
  var recipient: String?
  /// Indicates whether it is not meant for the user.
  var isThought = false

  init(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let mark = text.firstRange(of: "to=") {
      recipient = String(text[mark.upperBound...].prefix { !$0.isWhitespace && $0 != "<" })
    }
    let channel = text.components(behind: "<|channel|>").last.map { $0.prefix { $0.isLetter } } ?? ""
    isThought = channel == "analysis"
  }

  /// Indicates whether the bytes are nothing but marks.
  static func isMarks(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("<|") || text.trimmingSpace.hasPrefix("to=")
  }
}

/// Position of a text in its line and its fences.
struct LineState {
  private var fences = 0
  private var line = ""

  mutating func take(_ text: Substring) {
    for character in text {
      if character.isNewline {
        line = ""
      } else {
        line.append(character)
        if line.hasSuffix("```") { fences += 1 }
        if line.count > 200 { line = String(line.prefix(4)) + line.suffix(40) }
      }
    }
  }

  /// Indicates whether the next text is quoted.
  var isQuoting: Bool {
    if fences % 2 == 1 { return true }
    let begins = line.drop(while: \.isWhitespace)
    if begins.hasPrefix(">") && !begins.hasPrefix(">>>") { return true }
    if line.filter({ $0 == "`" }).count % 2 == 1 { return true }
    return line.last.map { "\"'“‘«‹„".contains($0) } ?? false
  }
}
