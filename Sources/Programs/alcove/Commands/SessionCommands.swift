import Assistant
import Documents
import Foundation
import JSON
import Terminal

extension Command {
  static let sessions = Command(
    name: "sessions", summary: "show, export and remove conversations",
    subcommands: [.sessionsList, .sessionsShow, .sessionsExport, .sessionsRemove])

  private static let jsonOption = Option(name: "json", help: "write JSON")

  private static let sessionsList = Command(
    name: "list", aliases: ["ls"], summary: "list the conversations, the last one first", options: [jsonOption]
  ) { invocation, program in
    let sessions = try await program.workspace().store.sessions()
    if invocation.has("json") {
      program.output.writeLine(
        JSON.document("sessions", [("sessions", .array(sessions.map(SessionText.json)))]).text)
      return .ok
    }
    var table = Table(columns: [
      .init("id", isRightAligned: true), .init("last used"), .init("turns", isRightAligned: true),
      .init("begins with", isFlexible: true),
    ])
    for session in sessions {
      let used = session.updated.shown
      table.add(["\(session.id)", used, "\(session.turnCount)", session.title])
    }
    program.output.write(
      sessions.isEmpty
        ? "There are no sessions yet.\n" : table.text(width: program.output.columns, ink: program.output.ink))
    return .ok
  }

  private static let sessionsShow = Command(
    name: "show", summary: "show a conversation", arguments: [Argument(name: "ID", kind: .session)]
  ) { invocation, program in
    let turns = try await program.workspace().turns(ofSession: invocation.integer("ID") ?? 0)
    Pager(environment: program.environment).show(
      SessionText.plain(turns, ink: program.output.ink), on: program.output)
    return .ok
  }

  private static let sessionsExport = Command(
    name: "export", summary: "write a conversation as Markdown or JSON",
    arguments: [Argument(name: "ID", kind: .session)],
    options: [
      Option(name: "format", value: ("FORMAT", .choice(["markdown", "json"])), help: "the form (markdown)"),
      Option(
        name: "output", letter: "o", value: ("FILE", .path), help: "write to a file, which must not exist yet"),
    ]
  ) { invocation, program in
    let id = invocation.integer("ID") ?? 0
    let turns = try await program.workspace().turns(ofSession: id)
    let text =
      invocation.value("format") == "json"
      ? JSON.document("session", [("id", .int(id)), ("turns", .array(turns.map(SessionText.json)))]).text + "\n"
      : SessionText.markdown(turns)
    if let path = invocation.value("output") {
      try Data(text.utf8).write(
        to: URL(filePath: program.directories.absolutePath(path)), options: .withoutOverwriting)
    } else {
      program.output.write(text)
    }
    return .ok
  }

  private static let sessionsRemove = Command(
    name: "remove", aliases: ["rm"], summary: "remove conversations for good",
    details: """
      What was asked in them is also removed from the prompt's history, and the pictures that were made in them go too \
      unless --keep-pictures says otherwise.
      """,
    arguments: [Argument(name: "ID", kind: .session, isOptional: true, isRepeated: true)],
    options: [
      Option(name: "all", help: "remove every conversation"),
      Option(name: "keep-pictures", help: "keep the pictures that were made in them"),
    ]
  ) { invocation, program in
    let store = try await program.workspace().store
    let known = try await store.sessions().map(\.id)
    let ids = invocation.has("all") ? known : invocation.list("ID").compactMap { Int($0) }
    if ids.isEmpty, !invocation.has("all") {
      throw UsageError(message: "sessions remove needs ID or --all", path: invocation.path)
    }
    if let missing = ids.first(where: { !known.contains($0) }) { throw SessionError.noSession(missing) }
    var questions: Set<String> = []
    for id in ids { questions.formUnion(try await store.turns(session: id).map(\.question)) }
    AutomaticBackup.forget(program.directories)
    var pictureCount = 0
    if !invocation.has("keep-pictures") {
      pictureCount = try await program.illustrator().gallery.remove(ofSessions: ids)
    }
    try await store.removeSessions(ids)
    try program.models.forgetCaches(of: ids.map(Session.origin))
    program.forget(questions: questions, isEverything: invocation.has("all"))
    if let current = await program.openedSession?.id, ids.contains(current) {
      await program.openedSession?.startAnew()
      program.lastAnswer = nil
    }
    program.output.writeLine(
      "removed \(ids.count) \(ids.count == 1 ? "session" : "sessions")"
        + (pictureCount == 0 ? "" : " and \(pictureCount) \(pictureCount == 1 ? "picture" : "pictures")"))
    return .ok
  }

  static let resume = Command(
    name: "resume", surface: .prompt, summary: "go on with an earlier conversation",
    details: "Without ID it is the one last used.",
    arguments: [Argument(name: "ID", kind: .session, isOptional: true)]
  ) { invocation, program in
    let session = try await program.session()
    let current = await session.id
    let store = try await program.workspace().store
    var id = invocation.integer("ID")
    if id == nil { id = try await store.sessions().map(\.id).first { $0 != current } }
    guard let id else { throw WorkspaceError.noEarlierSession }
    let turns = try await session.resume(id)
    try await program.applySettings(of: session)
    program.lastAnswer = nil
    program.output.write(SessionText.plain(turns.suffix(2), ink: program.output.ink))
    program.notice("Session \(id), \(turns.count) turns.")
    if try await session.isLimited() { try await program.showScope() }
    return .ok
  }

  static let new = Command(
    name: "new", surface: .prompt, summary: "begin a new conversation; this one is kept"
  ) { _, program in
    await program.openedSession?.startAnew()
    program.lastAnswer = nil
    program.notice("A new session begins with your next question.")
    return .ok
  }

  static let undo = Command(
    name: "undo", surface: .prompt, summary: "take the last question and its answer back",
    details: "Right after /compact it takes the summary back."
  ) { _, program in
    let turn = try await program.session().undo()
    program.lastAnswer = nil
    program.notice(turn.kind == .summary ? "The summary is taken back." : "Taken back: \(turn.question)")
    return .ok
  }

  static let regenerate = Command(
    name: "regenerate", aliases: ["again"], surface: .prompt, summary: "answer the last question again",
    details: "Each attempt samples other words; the same attempt at the same question samples the same ones."
  ) { _, program in
    let session = try await program.session()
    let turn = try await session.undo()
    if turn.kind == .summary { throw SessionError.nothingToUndo }
    var options = TurnOptions()
    options.attempt = try await session.attempts(at: turn.question)
    // What the model was given besides the question tells what it was taken for, also after a restart.
    options.isChat =
      turn.transcript.map { $0.prompted == turn.question && $0.documents.isEmpty }
      ?? (program.lastAnswer?.summary?.route == .chat)
    return try await program.answer(turn.question, in: session, options: options)
  }

  static let compact = Command(
    name: "compact", surface: .prompt,
    summary: "summarize the conversation, to make room in the model's "
      + "context window",
    details: """
      The model goes on from the summary; the conversation itself is kept. It happens by itself where a conversation \
      takes more of the window than model.compact-at allows. /compact undo takes the last summary back.
      """,
    arguments: [Argument(name: "WHAT", kind: .choice(["undo"]), isOptional: true)]
  ) { invocation, program in
    let session = try await program.session()
    if invocation.value("WHAT") == "undo" {
      try await session.undoCompaction()
      program.notice("The summary is taken back; what it stood for is remembered in full.")
      return .ok
    }
    let progress = ProgressLine(output: program.errors, environment: program.environment)
    progress.update(done: 0, total: 0, label: "summarizing …")
    defer { progress.clear() }
    // The model may read another session than the one whose answer came last.
    program.models.cacheOrigins = nil
    let turn = try await program.interruptible { try await session.compact() }
    progress.clear()
    program.output.write(SessionText.plain([turn], ink: program.output.ink))
    program.notice("From here on the model knows what came before by this summary; /compact undo takes it back.")
    return .ok
  }

  static let chat = Command(
    name: "chat", surface: .prompt, summary: "ask the model itself and leave the documents aside",
    arguments: [Argument(name: "TEXT", kind: .text, isRest: true)]
  ) { invocation, program in
    var options = TurnOptions()
    (options.isChat, options.canDraw) = (true, false)
    let text = invocation.list("TEXT").joined(separator: " ")
    let session = try await program.session()
    if program.models.loadedModel == nil { throw SessionError.noModel }
    return try await program.answer(text, in: session, options: options)
  }

  static let context = Command(
    name: "context", surface: .prompt, summary: "show what the next answer is based on"
  ) { _, program in
    let workspace = try await program.workspace()
    let (session, size) = (try await program.session(), try await workspace.librarySize())
    let (id, turns) = (await session.id, try await session.turns())
    let settings = try program.settings()
    program.output.writeLine(
      "library: \(size.documents) documents, \(size.pages) pages, \(size.passages) passages")
    program.output.writeLine(id.map { "session: \($0), \(turns.count) turns" } ?? "session: new")
    guard let model = program.models.loadedModel else {
      program.output.writeLine(
        "answers: rule-based analysis of the \(settings.integer("answer.passages")) best passages (setting "
          + "answer.passages)"
      )
      return .ok
    }
    let window = model.window.length
    let used = model.tokenCount(of: turns)
    program.output.writeLine(
      "answers: \(model.name) (\(model.quantization)), from about "
        + "\(settings.integer("answer.context-tokens")) tokens of passages (setting answer.context-tokens)")
    program.output.writeLine(
      "window: \(window) tokens (\(model.window.reason.rawValue)), \(used) of them taken by what was said; "
        + "at \(settings.integer("model.compact-at")) % it is summed up")
    return .ok
  }
}

/// Conversations as text.
enum SessionText {
  static func plain(_ turns: [Turn], ink: Ink) -> String {
    var text = ""
    for turn in turns {
      let question =
        turn.kind == .summary ? "(what came before, summed up)" : "> " + TextSanitizer.text(turn.question)
      text += ink(question, .bold) + "\n" + TextSanitizer.text(turn.answer)
      if !turn.answer.hasSuffix("\n") { text += "\n" }
      if turn.status == .stopped || turn.status == .open { text += ink("(stopped here)", .dim) + "\n" }
      for source in turn.sources {
        text += ink("[\(source.number)]", .reference) + " " + Place(source).text + "\n"
      }
      text += "\n"
    }
    return text
  }

  static func markdown(_ turns: [Turn]) -> String {
    var text = ""
    for turn in turns {
      let question = turn.kind == .summary ? "(What came before, summed up)" : TextSanitizer.text(turn.question)
      text += "## " + question.replacing("\n", with: " ") + "\n\n"
      text += TextSanitizer.text(turn.answer) + "\n\n"
      for source in turn.sources {
        let quote = TextSanitizer.line(source.citation.quote.replacing("\n", with: " "))
        text += "- [\(source.number)] \(Place(source).text): “\(quote)”\n"
      }
      if !turn.sources.isEmpty { text += "\n" }
    }
    return text
  }

  static func json(_ session: SessionSummary) -> JSON {
    .object([
      ("id", .int(session.id)), ("title", .string(session.title)), ("turns", .int(session.turnCount)),
      ("created", .string(session.created.formatted(.iso8601))),
      ("updated", .string(session.updated.formatted(.iso8601))),
    ])
  }

  static func json(_ turn: Turn) -> JSON {
    .object([
      ("id", .int(turn.id)), ("kind", .string(turn.kind.rawValue)),
      ("asked", .string(turn.asked.formatted(.iso8601))),
      ("question", .string(turn.question)),
      ("answer", .string(turn.answer)), ("status", .string(turn.status.rawValue)),
      ("author", .string(turn.author)),
      ("citations", .array(turn.sources.map { .object(AnswerRecord.members(of: $0)) })),
    ])
  }
}
