import Assistant
import Documents
import Terminal

/// Options that limit a search or an answer to a part of the library.
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
      Without arguments it shows the limit in force. The limit holds for questions and searches of this session, \
      also when it is resumed; --all lifts it.
      """,
    arguments: [Argument(name: "PLACE", kind: .path, isOptional: true, isRepeated: true)],
    options: Array(ScopeOptions.all.dropFirst()) + [Option(name: "all", help: "lift the limit")],
    examples: ["/scope ~/contracts --type pdf", "/scope --since 2024-01", "/scope --all"]
  ) { invocation, program in
    let session = try await program.session()
    let request = program.scopeRequest(invocation, places: invocation.list("PLACE"))
    try await program.naming(invocation) {
      // A limit that cannot be meant is refused, also where --all lifts it at once.
      let workspace = try await program.workspace()
      let scope = try await workspace.scope(request)
      if invocation.has("all") {
        try await session.liftLimit()
      } else if !request.isEverything {
        try await session.limit(to: scope)
      }
    }
    try await program.showScope()
    return .ok
  }
}

extension Program {
  /// Takes the part of the library that is asked for from options and places.
  func scopeRequest(_ invocation: Invocation, places: [String]) -> ScopeRequest {
    var request = ScopeRequest()
    request.places = places
    request.documents = invocation.list("document")
    request.kinds = invocation.list("type").compactMap(DocumentKind.init)
    request.since = invocation.value("since")
    request.until = invocation.value("until")
    request.before = invocation.value("before")
    return request
  }

  /// Does something with a limit; what is wrong with the limit is an error of the arguments.
  func naming<Value>(_ invocation: Invocation, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as ScopeError {
      throw UsageError(message: ErrorSentence.describe(error), path: invocation.path)
    }
  }

  /// Shows the part of the library that the session is limited to.
  func showScope() async throws {
    let part = try await workspace().describeScope(of: try await session())
    output.writeLine(TextSanitizer.line("This session looks into " + part + "."))
  }

  /// Returns the mark that the prompt begins with where the session is limited: the folder's name, or that there is
  /// a limit.
  func scopeMark() async -> String {
    // Where the limit cannot be read, the next turn says so.
    guard let name = try? await openedSession?.limitName() else { return "" }
    return "[\(TextSanitizer.line(name))] "
  }
}
