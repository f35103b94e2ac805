import ChatTemplates
import Documents
import Foundation
import Retrieval

/// The tools that a model can call. They read the library and reckon; none writes, and none reaches anything outside.
struct Toolbox: Sendable {
  let library: Library
  let answerer: DocumentAnswerer
  let scope: SearchScope

  /// What a call gave.
  struct Result: Equatable {
    var text: String
    var succeeded = true
  }

  /// The longest result in characters, about 1,500 tokens.
  private static let longestResult = 6000

  /// What models are told of the tools.
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
      "summarize_document", "Read the central sentences of a document.",
      [.init("document", .string, "The document's name")]),
    ToolDescription(
      "calculate", "Work out an arithmetic expression exactly.",
      [.init("expression", .string, "For example (12.5 + 3) * 4 or 15% of 80")]),
    ToolDescription("now", "Tell the date and the time."),
  ]

  /// Does what a call asks; whatever is wrong with it is told to the model.
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
    case "summarize_document": return try await summarize(arguments, &citer)
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
    let summary = try await answerer.summarize(document)
    var lines: [String] = []
    for source in summary.sources {
      let start = source.citation.span.start
      guard
        let place = summary.places.first(where: {
          $0.passage.passage.span.start <= start && start <= $0.passage.passage.span.end
        })
      else { continue }
      let number = citer.number([place])[0]
      lines.append("[\(number)] " + source.citation.quote.replacing("\n", with: " "))
    }
    return Result(text: lines.isEmpty ? "There is nothing to summarize." : Self.cut(lines.joined(separator: "\n")))
  }

  /// Passages with the numbers to cite them by, whole, as many as a result holds.
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

  // MARK: Reckoning

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

/// Whether a model may call tools.
public enum ToolUse: String, Sendable, CaseIterable {
  /// It may not.
  case off
  /// It may.
  case on
  /// Its first step in a turn has to be a call.
  case required
}
