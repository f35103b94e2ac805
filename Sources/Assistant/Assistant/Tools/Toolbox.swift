import ChatTemplates
import Documents
import Foundation
import Images
import Retrieval

/// Tools that a model can call. They read the library, calculate and draw; none changes or removes anything, and none
/// reaches anything outside.
struct Toolbox: Sendable {
  let library: Library
  let answerer: DocumentAnswerer
  let scope: SearchScope
  /// Maker of pictures, and the session that they belong to; nil where nothing draws.
  var illustrator: (draws: Illustrator, session: Int)?
  /// Called with the events of a call while it runs.
  var emit: @Sendable (SessionEvent) -> Void = { _ in }

  /// Result of a call.
  struct Result: Equatable {
    var text: String
    var succeeded = true
    var picture: PictureReport?
  }

  /// Largest length of a result in characters, about 1,500 tokens.
  private static let longestResult = 6000

  /// Descriptions of the tools for models.
  static let descriptions = [
    ToolDescription(
      "search_documents", "Find passages in the user's documents. Cite them by the number in brackets.",
      [
        .init("query", .string, "What to look for"),
        .init("top", .integer, "How many passages at most", isRequired: false),
      ]),
    ToolDescription(
      "list_documents", "List the user's documents.",
      [.init("name", .string, "Only those whose name holds this", isRequired: false)]),
    ToolDescription(
      "open_document", "Read a page of a document.",
      [
        .init("document", .string, "The document's name"),
        .init("page", .integer, "The page, from 1", isRequired: false),
      ]),
    ToolDescription(
      summary, "Read the central sentences of a document.",
      [.init("document", .string, "The document's name")]),
    ToolDescription(
      "calculate", "Work out an arithmetic expression exactly.",
      [.init("expression", .string, "For example (12.5 + 3) * 4 or 15% of 80")]),
    ToolDescription("now", "Tell the date and the time."),
    ToolDescription(
      drawing, "Draw a picture and show it to the user.",
      [
        .init("prompt", .string, "What the picture shows, in English"),
        .init("negative_prompt", .string, "What it must not show", isRequired: false),
        .init("size", .string, "Width and height, for example 512x512", isRequired: false),
      ]),
  ]

  /// Descriptions for models where nothing can draw.
  static let plainDescriptions = descriptions.filter { $0.name != drawing }

  private static let drawing = "generate_image"
  /// Name of the tool that the model carries out itself, where it can.
  static let summary = "summarize_document"

  /// Carries out a call; an error in it is reported to the model.
  func run(_ call: ToolCall, _ citer: inout AnswerCiter) async throws -> Result {
    guard let tool = Self.descriptions.first(where: { $0.name == call.name }) else {
      let names = Self.descriptions.map(\.name).joined(separator: ", ")
      return Result(text: "There is no tool '\(call.name)'. There are: \(names).", succeeded: false)
    }
    // The arguments were written by the parser, so they are JSON.
    let arguments = (try? TemplateValue(json: call.arguments)) ?? .object([])
    for parameter in tool.parameters where parameter.isRequired && Self.text(arguments[parameter.name]).isEmpty {
      return Result(text: "\(tool.name) needs '\(parameter.name)': \(parameter.about).", succeeded: false)
    }
    switch tool.name {
    case "search_documents": return try await search(arguments, &citer)
    case "list_documents": return try await list(arguments)
    case "open_document": return try await open(arguments, &citer)
    case Self.summary: return try await summarize(arguments, &citer)
    case Self.drawing: return try await draw(arguments)
    case "calculate": return Self.calculate(Self.text(arguments["expression"]))
    default: return Result(text: Self.now(Date(), in: .current))
    }
  }

  private static func text(_ value: TemplateValue?) -> String {
    switch value {
    case .string(let text): text.trimmingSpace
    case nil, .null: ""
    case let value?: JSONText.of(value)
    }
  }

  private static func integer(_ value: TemplateValue?) -> Int? {
    if case .int(let number)? = value { number } else { Int(text(value)) }
  }

  // MARK: The library

  private func search(_ arguments: TemplateValue, _ citer: inout AnswerCiter) async throws -> Result {
    let found = try await answerer.answer(Self.text(arguments["query"]), scope: scope)
    let top = min(max(Self.integer(arguments["top"]) ?? 4, 1), 12)
    if found.places.isEmpty { return Result(text: "Nothing in the documents goes with that.") }
    return Result(text: show(Array(found.places.prefix(top)), &citer))
  }

  private func list(_ arguments: TemplateValue) async throws -> Result {
    let name = Self.text(arguments["name"])
    let documents = try await name.isEmpty ? library.documents() : library.documents(matching: name)
    if documents.isEmpty {
      return Result(text: name.isEmpty ? "There are no documents." : "No document is called that.")
    }
    var lines = documents.prefix(40).map { document in
      let title = document.title.map { " “\($0)”" } ?? ""
      return "\(document.name)\(title), \(document.pageCount) \(document.pageCount == 1 ? "page" : "pages")"
    }
    if documents.count > 40 { lines.append("and \(documents.count - 40) more") }
    return Result(text: lines.joined(separator: "\n"))
  }

  /// The document that a call names.
  func document(of call: ToolCall) async throws -> LibraryDocument? {
    // The arguments were written by the parser, so they are JSON.
    guard let arguments = try? TemplateValue(json: call.arguments), !Self.text(arguments["document"]).isEmpty
    else {
      return nil
    }
    return try await document(arguments).document
  }

  private func document(_ arguments: TemplateValue) async throws -> (document: LibraryDocument?, complaint: Result)
  {
    let name = Self.text(arguments["document"])
    let found = try await library.documents(matching: name)
    if let first = found.first { return (first, Result(text: "")) }
    let known = try await library.documents().prefix(12).map(\.name).joined(separator: ", ")
    return (nil, Result(text: "No document is called '\(name)'. There are: \(known).", succeeded: false))
  }

  private func open(_ arguments: TemplateValue, _ citer: inout AnswerCiter) async throws -> Result {
    let (document, complaint) = try await document(arguments)
    guard let document else { return complaint }
    let page = Self.integer(arguments["page"]) ?? 1
    let passages = try await library.passages(of: document.id).filter {
      $0.passage.span.start.page <= page && page <= $0.passage.span.end.page
    }
    if passages.isEmpty {
      return Result(
        text: "\(document.name) has \(document.pageCount) pages; page \(page) holds no text.", succeeded: false)
    }
    return Result(text: show(passages.map { PassagePlace(passage: $0, document: document) }, &citer))
  }

  private func summarize(_ arguments: TemplateValue, _ citer: inout AnswerCiter) async throws -> Result {
    let (document, complaint) = try await document(arguments)
    guard let document else { return complaint }
    let places = try await library.passages(of: document.id).map { PassagePlace(passage: $0, document: document) }
    let central = try await answerer.central(
      places, of: document, sentences: answerer.limits.summarySentences)
    let lines = central.map { "[\(citer.number([$0.place])[0])] \($0.quote)" }
    return Result(text: lines.isEmpty ? "There is nothing to summarize." : Self.cut(lines.joined(separator: "\n")))
  }

  /// Passages with the numbers to cite them by, whole, up to the length of a result.
  private func show(_ places: [PassagePlace], _ citer: inout AnswerCiter) -> String {
    var (text, shown) = ("", 0)
    for place in places {
      let passage = PromptPassage(place)
      if shown > 0, text.count + passage.text.count > Self.longestResult { break }
      text += "[\(citer.number([place])[0])] \(passage.place):\n\(passage.text)\n\n"
      shown += 1
    }
    if shown < places.count { text += "(\(places.count - shown) more were left out.)" }
    return text.trimmingSpace
  }

  private static func cut(_ text: String) -> String {
    guard text.count > longestResult else { return text }
    return text.prefix(longestResult) + "\n(\(text.count - longestResult) characters more were left out.)"
  }

  // MARK: Drawing

  private func draw(_ arguments: TemplateValue) async throws -> Result {
    guard let illustrator else { return Result(text: "Nothing here can draw.", succeeded: false) }
    let prompt = Self.text(arguments["prompt"])
    var request = ImageRequest(
      prompt: prompt, negativePrompt: Self.text(arguments["negative_prompt"]), seed: Self.seed(of: prompt))
    let size = Self.text(arguments["size"])
    do {
      if !size.isEmpty { request.size = try ImageSize(size) }
      for try await event in await illustrator.draws.make(request, session: illustrator.session) {
        switch event {
        case .finished(let report): return Self.drawn(report)
        default: emit(.drawing(event))
        }
      }
    } catch {
      try Task.checkCancellation()
      return Result(text: "The picture was not drawn: \(ErrorSentence.describe(error)).", succeeded: false)
    }
    try Task.checkCancellation()
    return Result(text: "The picture was not drawn.", succeeded: false)
  }

  private static func drawn(_ report: PictureReport) -> Result {
    var text = "The picture is drawn, and the user sees it."
    if !report.notUnderstood.isEmpty {
      text += " Words that were not understood: " + report.notUnderstood.joined(separator: ", ") + "."
    }
    if !report.notes.isEmpty { text += " Drawn otherwise: " + report.notes.joined(separator: "; ") + "." }
    return Result(text: text, picture: report)
  }

  /// Seed of a prompt (FNV-1a): the same words give the same picture, so that a conversation can be repeated.
  private static func seed(of prompt: String) -> UInt64 {
    UInt64(prompt.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 })
  }

  // MARK: Arithmetic

  private static func calculate(_ expression: String) -> Result {
    do throws(Calculator.Fault) {
      return Result(text: "\(expression) = \(Calculator.text(of: try Calculator.value(of: expression)))")
    } catch {
      let reason =
        switch error {
        case .unexpected(let text): "'\(text)' is not understood there"
        case .divisionByZero: "it divides by zero"
        case .tooLong: "it is too long"
        case .tooDeep: "it nests too deep"
        case .tooLarge: "the numbers become too large"
        case .undefined(let name): "\(name) is not defined there"
        }
      return Result(text: "'\(expression.prefix(80))' has no value: \(reason).", succeeded: false)
    }
  }

  static func now(_ date: Date, in zone: TimeZone) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_GB")
    formatter.timeZone = zone
    formatter.dateFormat = "EEEE, d MMMM yyyy, HH:mm (ZZZZ)"
    return formatter.string(from: date)
  }
}
