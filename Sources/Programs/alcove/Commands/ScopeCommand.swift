import Assistant
import Documents
import Foundation
import Retrieval
import Terminal

/// The options that limit a search or an answer to a part of the library.
enum ScopeOptions {
  static let all: [Option] = [
    Option(
      name: "in", value: ("PLACE", .path),
      help: "only what is below this folder, or this document; may be repeated"),
    Option(name: "document", value: ("DOCUMENT", .document), help: "only this document; may be repeated"),
    Option(
      name: "type", value: ("TYPE", .choice(DocumentKind.allCases.map(\.rawValue))),
      help: "only files of this type; may be repeated"),
    Option(
      name: "since", value: ("DATE", .text),
      help: "only what was changed on this day or later (2024, 2024-03, 2024-03-15)"),
    Option(name: "until", value: ("DATE", .text), help: "only what was changed on this day or earlier"),
    Option(name: "before", value: ("DATE", .text), help: "only what was changed before this day"),
  ]
}

extension Command {
  static let scope = Command(
    name: "scope", surface: .prompt, summary: "limit this session to a part of the library",
    details: """
      Without anything, shows the limit in force. It holds for questions and searches of this session, also when it is \
      resumed; --all lifts it.
      """,
    arguments: [Argument(name: "PLACE", kind: .path, isOptional: true, isRepeated: true)],
    options: Array(ScopeOptions.all.dropFirst()) + [Option(name: "all", help: "the whole library again")],
    examples: ["/scope ~/contracts --type pdf", "/scope --since 2024-01", "/scope --all"]
  ) { invocation, program in
    let session = try await program.session()
    let asked = try await program.requestedScope(invocation, places: invocation.list("PLACE"))
    if invocation.has("all") || asked != .everything {
      try await session.limit(to: invocation.has("all") ? .everything : asked)
    }
    try await program.showScope()
    return .ok
  }
}

extension Program {
  /// The part of the library that options name, within the one that the session at the prompt is limited to.
  func scope(_ invocation: Invocation) async throws -> SearchScope {
    let asked = try await requestedScope(invocation, places: invocation.list("in"))
    guard invocation.surface == .prompt, let openedSession else { return asked }
    return try await openedSession.scope().narrowed(by: asked)
  }

  /// The part of the library that options and places name.
  func requestedScope(_ invocation: Invocation, places: [String]) async throws -> SearchScope {
    var scope = SearchScope()
    var documents: Set<DocumentID> = []
    for place in places {
      let path = absolutePath(place)
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      var holds = isThere && isFolder.boolValue
      if !holds {
        // A folder that is gone can still be one of the library's.
        holds = try await library().documents().contains { $0.paths.contains { $0.hasPrefix(path + "/") } }
      }
      guard holds else {
        documents.insert(try await document(named: place).id)
        continue
      }
      guard scope.folder == nil else {
        throw UsageError(message: "only one folder can be named", path: invocation.path)
      }
      scope.folder = path
    }
    for name in invocation.list("document") { documents.insert(try await document(named: name).id) }
    if !documents.isEmpty { scope.documents = documents }
    let kinds = invocation.list("type").compactMap(DocumentKind.init)
    if !kinds.isEmpty { scope.kinds = Set(kinds) }
    if let since = invocation.value("since") { scope.since = try Self.days(since, invocation).start }
    if let until = invocation.value("until") { scope.before = try Self.days(until, invocation).end }
    if let before = invocation.value("before") {
      guard scope.before == nil else {
        throw UsageError(message: "--until and --before exclude each other", path: invocation.path)
      }
      scope.before = try Self.days(before, invocation).start
    }
    return scope
  }

  /// The time that a year, a month or a day takes.
  private static func days(_ text: String, _ invocation: Invocation) throws -> DateInterval {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    let units: [Calendar.Component] = [.year, .month, .day]
    let calendar = Calendar(identifier: .gregorian)
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
      let start = calendar.date(
        from: DateComponents(
          year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)),
      let interval = calendar.dateInterval(of: units[numbers.count - 1], for: start),
      numbers.count < 2 || calendar.component(.month, from: start) == numbers[1],
      numbers.count < 3 || calendar.component(.day, from: start) == numbers[2]
    else {
      throw UsageError(message: "'\(text)' is no date; write 2024, 2024-03 or 2024-03-15", path: invocation.path)
    }
    return interval
  }

  /// Shows the part of the library that the session is limited to.
  func showScope() async throws {
    let scope = try await session().scope()
    output.writeLine(TextSanitizer.line("This session looks into " + (try await describe(scope)) + "."))
  }

  /// What the prompt begins with where the session is limited: the folder's name, or that there is a limit.
  func scopeMark() async -> String {
    // Where the limit cannot be read, the next turn says so.
    guard let scope = try? await openedSession?.scope(), scope != .everything else { return "" }
    let name = scope.folder?.split(separator: "/").last.map { TextSanitizer.line(String($0)) }
    return "[\(name ?? "limited")] "
  }

  /// A scope in words.
  func describe(_ scope: SearchScope) async throws -> String {
    if scope == .everything { return "the whole library" }
    var parts: [String] = []
    if let documents = scope.documents {
      let library = try await library()
      var names: [String] = []
      for id in documents.sorted() {
        names.append(try await library.document(id)?.name ?? "a document that is gone")
      }
      parts.append(names.isEmpty ? "nothing" : names.joined(separator: ", "))
    }
    if let folder = scope.folder { parts.append("what is below \(folder)") }
    if let kinds = scope.kinds {
      parts.append("files of type " + kinds.map(\.rawValue).sorted().joined(separator: ", "))
    }
    if let since = scope.since { parts.append("changed since \(since.shown)") }
    if let before = scope.before { parts.append("changed before \(before.shown)") }
    return parts.joined(separator: "; ")
  }
}
