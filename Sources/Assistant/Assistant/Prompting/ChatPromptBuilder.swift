import ChatTemplates
import Foundation
import TextGeneration
import Tokenization

/// Makes the tokens of a conversation by the model's own chat template.
///
/// Text that the template wrote may become control tokens; text of people, documents and models never can. Pure: the
/// same request gives the same tokens.
struct ChatPromptBuilder: Sendable {
  let template: ChatTemplate
  let tokenizer: Tokenizer
  var texts: PromptTexts
  /// Number of tokens of passages that a prompt aims at.
  var passageTokens = 3000
  /// Indicates whether templates with a switch for thinking are told to leave it out.
  var skipsThinking = false
  private let markers: MarkerGuard

  init(template: ChatTemplate, tokenizer: Tokenizer, texts: PromptTexts) {
    (self.template, self.tokenizer, self.texts) = (template, tokenizer, texts)
    let probe = ["a", "b", "c"].enumerated().map { place, text in
      ChatMessage(role: place == 1 ? "assistant" : "user", content: text)
    }
    // A template that cannot render this reports its error where it is used; many know no system role.
    let system = [ChatMessage(role: "system", content: "d")]
    markers = MarkerGuard(
      [probe, system + probe].flatMap { (try? Self.render(template, tokenizer, $0, tools: [])) ?? [] })
  }

  /// Tokens of a prompt, and a report of its parts.
  struct Prompt: Equatable {
    var tokens: [TokenID]
    var report: PromptReport
  }

  /// Parts of a request that go into the prompt.
  private struct Cut {
    var plainTurns = 0
    var droppedTurns = 0
    var read: [Int] = []
    var leftPassages = 0
    var questionTokens: (left: Int, of: Int)?
  }

  /// Builds the prompt; parts that do not fit are left out, the oldest first, and reported.
  /// - Parameter room: largest number of tokens of the prompt.
  /// - Throws: ``ContextError`` where something does not fit and the request is strict, or where not even the question
  ///   fits.
  func build(_ request: LocalRequest, room: Int) throws -> Prompt {
    let request = guarded(request)
    var cut = Cut()
    let costs = passageCosts(request)
    let wanted = pack(costs, budget: passageTokens)
    var base = try tokens(request, cut).count
    // Old turns make room for the passages of the question: first their own passages go, then they.
    while base + wanted.tokens > room, cut.droppedTurns < request.history.count {
      let over = base + wanted.tokens - room
      let withPassages = request.history.indices.filter {
        $0 >= cut.plainTurns && hasPassages(request.history[$0])
      }
      if let next = withPassages.first {
        cut.plainTurns = next + 1
      } else {
        // Half of the excess goes at once, so that a long history is not rendered once for each turn.
        cut.droppedTurns += max(1, (request.history.count - cut.droppedTurns) * over / max(base, 1) / 2)
        cut.droppedTurns = min(cut.droppedTurns, request.history.count)
      }
      base = try tokens(request, cut).count
    }
    var question = request.question
    if base + (costs.min() ?? 0) > room {
      question = try shortened(request, &cut, base: base + (costs.min() ?? 0), room: room)
      base = try tokens(request, cut, question: question).count
    }
    let packed = pack(costs, budget: min(passageTokens, room - base), least: room - base)
    cut.read = packed.places
    cut.leftPassages = wanted.places.count - packed.places.filter(wanted.places.contains).count
    var made = try tokens(request, cut, question: question)
    // Joined texts may take a few tokens more than the texts one by one.
    while made.count > room, !cut.read.isEmpty {
      cut.read.removeLast()
      cut.leftPassages += 1
      made = try tokens(request, cut, question: question)
    }
    guard made.count <= room else { throw ContextError.doesNotFit(needed: made.count, room: room) }
    let report = try report(request, cut, question: question)
    if request.isStrict, !report.leftOut.isEmpty { throw ContextError.leftOut(report.leftOut) }
    return Prompt(tokens: made, report: report)
  }

  // MARK: What fits

  /// Cuts passages into parts, each of which fits into a prompt's share of passages and the room there is.
  func parts(of passages: [PromptPassage], room: Int) -> [Range<Int>] {
    let budget = max(1, min(passageTokens, room - 400))
    var parts: [Range<Int>] = []
    var (start, used) = (0, 0)
    for (place, passage) in passages.enumerated() {
      // The fence's words are counted with each.
      let cost = tokenizer.encode(passage.place + passage.text).count + 40
      if place > start, used + cost > budget {
        parts.append(start..<place)
        (start, used) = (place, 0)
      }
      used += cost
    }
    return start < passages.count ? parts + [start..<passages.count] : parts
  }

  /// Number of tokens that all conversations under these settings begin with: the system prompt and the tools.
  func sharedLength(with tokens: [TokenID], tools: [ToolDescription]) -> Int {
    // A prompt that cannot be rendered shares nothing.
    let pieces = ["x", "1"].compactMap { text -> [TokenID]? in
      var request = LocalRequest(history: [], question: text)
      request.tools = tools
      return try? self.tokens(request, Cut())
    }
    guard pieces.count == 2 else { return 0 }
    let alike = zip(pieces[0], pieces[1]).prefix { $0 == $1 }.count
    return zip(pieces[0].prefix(alike), tokens).prefix { $0 == $1 }.count
  }

  /// Approximate number of tokens of a history; counting stops above a limit.
  func tokenCount(of history: [Exchange], upTo limit: Int) -> Int {
    var count = 0
    for exchange in history where count <= limit {
      // A summary's transcript only names its documents.
      let transcript = exchange.isSummary ? nil : exchange.transcript
      let texts =
        [transcript?.prompted ?? exchange.question, transcript?.said ?? exchange.answer]
        + (transcript?.steps ?? []).flatMap { [$0.said] + $0.calls.map(\.arguments) + $0.results }
      count += texts.reduce(0) { $0 + tokenizer.encode($1).count + 8 }
    }
    return count
  }

  private func hasPassages(_ exchange: Exchange) -> Bool {
    guard let transcript = exchange.transcript else { return false }
    return transcript.prompted != exchange.question || !transcript.steps.isEmpty
  }

  private func passageCosts(_ request: LocalRequest) -> [Int] {
    let fence = PassageFence(around: request.passages.map(\.text))
    var costs: [Int] = []
    var sum = 0
    for (place, passage) in request.passages.enumerated() {
      // Passages long after the budget is spent are not counted; they will not be read.
      if sum > 4 * passageTokens { break }
      costs.append(tokenizer.encode("\n\n" + fence.passage(place + 1, passage)).count)
      sum += costs[place]
    }
    return costs
  }

  /// The best passages, whole, up to the budget; the first one even where only `least` holds it.
  private func pack(_ costs: [Int], budget: Int, least: Int = 0) -> (places: [Int], tokens: Int) {
    var (places, used) = ([Int](), 0)
    for (place, cost) in costs.enumerated() where used + cost <= (places.isEmpty ? max(budget, least) : budget) {
      places.append(place)
      used += cost
    }
    return (places, used)
  }

  /// The end of a question that is too long, with a note about the beginning that is left out.
  private func shortened(_ request: LocalRequest, _ cut: inout Cut, base: Int, room: Int) throws -> String {
    let all = tokenizer.encode(request.question).count
    var kept = all - (base - room) - 48
    guard kept > 0 else { throw ContextError.doesNotFit(needed: base, room: room) }
    let question = request.question
    while kept > 0 {
      // By bytes first, then by tokens, at the start of a word.
      var share = question.utf8.count * kept / all
      var rest = Substring()
      repeat {
        rest = question.utf8.suffix(share).withWholeCharacters(of: question)
        if let space = rest.firstIndex(where: \.isWhitespace) { rest = rest[space...].drop(while: \.isWhitespace) }
        share = share * 19 / 20
      } while tokenizer.encode(String(rest)).count > kept && share > 0
      let left = all - tokenizer.encode(String(rest)).count
      cut.questionTokens = (left, all)
      let note = PromptTexts.fill(texts.cut, ["left": "\(left)", "all": "\(all)"])
      let text = note + "\n" + rest
      if try tokens(request, cut, question: text).count <= room || rest.isEmpty { return text }
      kept -= max(16, kept / 16)
    }
    throw ContextError.doesNotFit(needed: base, room: room)
  }

  private func report(_ request: LocalRequest, _ cut: Cut, question: String) throws -> PromptReport {
    var leftOut: [LeftOut] = []
    let plain = request.history.indices.filter {
      $0 >= cut.droppedTurns && $0 < cut.plainTurns && hasPassages(request.history[$0])
    }.count
    if plain > 0 { leftOut.append(.passagesOfTurns(plain)) }
    if cut.droppedTurns > 0 { leftOut.append(.turns(cut.droppedTurns)) }
    if cut.leftPassages > 0 { leftOut.append(.passages(cut.leftPassages)) }
    if let (left, all) = cut.questionTokens { leftOut.append(.beginning(tokens: left, of: all)) }
    let pieces = try pieces(request, cut, question: question)
    return PromptReport(
      prompted: prompted(request, cut.read, question: question), read: cut.read, leftOut: leftOut,
      opening: pieces.last.map { $0.isTrusted ? String($0.text.suffix(64)) : "" } ?? "")
  }

  // MARK: Messages

  private func guarded(_ request: LocalRequest) -> LocalRequest {
    var request = request
    for place in request.passages.indices {
      request.passages[place].text = markers.broken(request.passages[place].text)
      request.passages[place].place = markers.broken(request.passages[place].place)
    }
    if case .digest(let document, let part, let parts, let count) = request.task {
      request.task = .digest(document: markers.broken(document), part: part, of: parts, sentences: count)
    }
    if case .combine(let document, let notes, let count) = request.task {
      request.task = .combine(
        document: markers.broken(document), notes: markers.broken(notes), sentences: count)
    }
    for step in request.steps.indices {
      request.steps[step].results = request.steps[step].results.map(markers.broken)
    }
    return request
  }

  private func prompted(_ request: LocalRequest, _ read: [Int], question: String) -> String {
    let fence = PassageFence(around: request.passages.map(\.text))
    let blocks = read.enumerated().map { place, passage in
      fence.passage(
        request.numbers.indices.contains(passage) ? request.numbers[passage] : place + 1, request.passages[passage]
      )
    }
    let passages = blocks.joined(separator: "\n\n")
    switch request.task {
    case .answer:
      guard !request.passages.isEmpty else { return question }
      return PromptTexts.fill(texts.documents, ["passages": passages, "question": question])
    case .summarise: return texts.summary
    case .reword: return PromptTexts.fill(texts.reword, ["question": question])
    case .digest(let document, let part, let parts, let count):
      return PromptTexts.fill(
        texts.digest,
        [
          "document": document, "part": "\(part)", "parts": "\(parts)", "count": "\(count)", "passages": passages,
        ])
    case .combine(let document, let notes, let count):
      return PromptTexts.fill(
        texts.combine,
        ["document": document, "count": "\(count)", "notes": PassageFence(around: [notes]).data(notes)])
    case .enrich(let prompt): return PromptTexts.fill(texts.enrich, ["prompt": prompt])
    }
  }

  private func messages(_ request: LocalRequest, _ cut: Cut, question: String) -> [ChatMessage] {
    var messages: [ChatMessage] = []
    if !texts.system.isEmpty { messages.append(ChatMessage(role: "system", content: texts.system)) }
    for (place, exchange) in request.history.enumerated() where place >= cut.droppedTurns {
      if exchange.isSummary {
        // The answer to it is left to the template: most want user and assistant to alternate.
        messages.append(
          ChatMessage(role: "user", content: PromptTexts.fill(texts.earlier, ["summary": exchange.answer])))
        messages.append(ChatMessage(role: "assistant", content: "I remember."))
        continue
      }
      let transcript = exchange.transcript
      let isWhole = place >= cut.plainTurns
      messages.append(
        ChatMessage(
          role: "user", content: isWhole ? transcript?.prompted ?? exchange.question : exchange.question))
      if isWhole { messages += (transcript?.steps ?? []).flatMap(ChatMessage.messages) }
      messages.append(
        ChatMessage(
          role: "assistant", content: transcript?.said ?? exchange.answer, tokens: transcript?.tokens ?? []))
    }
    messages.append(ChatMessage(role: "user", content: prompted(request, cut.read, question: question)))
    return messages + request.steps.flatMap(ChatMessage.messages)
  }

  private func tokens(_ request: LocalRequest, _ cut: Cut, question: String? = nil) throws -> [TokenID] {
    let messages = messages(request, cut, question: question ?? request.question)
    return TokenJoiner(tokenizer: tokenizer).tokens(
      of: try pieces(request, cut, question: question ?? request.question),
      said: messages.filter { $0.role == "assistant" && !$0.tokens.isEmpty })
  }

  private func pieces(_ request: LocalRequest, _ cut: Cut, question: String) throws -> [RenderedText.Piece] {
    try render(messages(request, cut, question: question), tools: request.tools)
  }

  // MARK: The template

  /// Indicates whether the template supports tools.
  var knowsTools: Bool { template.source.contains("tools") && template.source.contains("tool_calls") }

  private func render(_ messages: [ChatMessage], tools: [ToolDescription]) throws -> [RenderedText.Piece] {
    let isPlain = !knowsTools
    let plain = PlainTools(texts: texts, tools: tools)
    do {
      return try render(isPlain ? plain.messages(messages) : messages, tools: isPlain ? [] : tools, isJSON: false)
    } catch let error as TemplateError {
      if !isPlain {
        // Some templates take arguments as text; and some know tools only by name.
        if let pieces = try? render(messages, tools: tools, isJSON: true) { return pieces }
        if let pieces = try? render(plain.messages(messages), tools: [], isJSON: false) { return pieces }
      }
      throw error
    }
  }

  private func render(_ messages: [ChatMessage], tools: [ToolDescription], isJSON: Bool) throws
    -> [RenderedText.Piece]
  {
    func pieces(_ messages: [ChatMessage]) throws -> [RenderedText.Piece] {
      try Self.render(
        template, tokenizer, messages, tools: tools, skipsThinking: skipsThinking, argumentsAreText: isJSON)
    }
    do {
      return try pieces(messages)
    } catch is TemplateError where messages.first?.role == "system" {
      // Some templates have no system role and throw an exception; then the first question carries its text.
      var rest = Array(messages.dropFirst())
      if !rest.isEmpty { rest[0].content = messages[0].content + "\n\n" + rest[0].content }
      return try pieces(rest)
    }
  }

  private static func render(
    _ template: ChatTemplate, _ tokenizer: Tokenizer, _ messages: [ChatMessage], tools: [ToolDescription],
    skipsThinking: Bool = false, argumentsAreText: Bool = false
  ) throws -> [RenderedText.Piece] {
    func written(_ token: TokenID?) -> TemplateValue {
      .string(token.map { String(decoding: tokenizer.piece(of: $0, showsSpecial: true), as: UTF8.self) } ?? "")
    }
    var variables: [TemplateValue.Member] = [
      .init("messages", .array(messages.map { $0.template(argumentsAreText: argumentsAreText) }))
    ]
    if !tools.isEmpty { variables.append(.init("tools", .array(tools.map(\.template)))) }
    var trusted: [TemplateValue.Member] = [
      .init("add_generation_prompt", .bool(true)),
      .init("bos_token", written(tokenizer.special.beginningOfText)),
      .init("eos_token", written(tokenizer.special.endOfText)),
    ]
    if skipsThinking { trusted += [.init("enable_thinking", false), .init("reasoning_effort", "low")] }
    return try template.render(TemplateContext(variables: variables, trusted: trusted)).pieces
  }
}

extension Substring.UTF8View.SubSequence {
  /// The whole characters of a text within this end of its bytes.
  fileprivate func withWholeCharacters(of text: String) -> Substring {
    var start = startIndex
    while start < text.endIndex, start.samePosition(in: text) == nil { start = text.utf8.index(after: start) }
    return text[start...]
  }
}
