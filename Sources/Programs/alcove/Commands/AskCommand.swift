import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let ask = Command(
    name: "ask", surface: .shell, summary: "answer a question from the documents",
    details: """
      With - as its last word, the question is about what comes on standard input, and the library is left aside. Each \
      question opens a session of its own unless --continue or --session says otherwise. The exit code is 6 when the \
      documents do not answer it.
      """,
    arguments: [Argument(name: "QUESTION", kind: .text, isRest: true)],
    options: ScopeOptions.all + [
      Option(name: "chat", help: "ask the model itself and leave the documents aside"),
      Option(name: "model-only", help: "answer by the model or not at all (exit code 5 without a ticket)"),
      Option(
        name: "strict-context", help: "fail with exit code 7 where anything does not fit into the model's window"),
      Option(name: "schema", value: ("FILE", .path), help: "let the model's answer be JSON of this JSON Schema"),
      Option(name: "grammar", value: ("FILE", .path), help: "let the model's answer be of this grammar (GBNF)"),
    ] + AnswerOptions.options + [Option(name: "json", help: "write JSON")],
    examples: ["alcove ask 'When is the report due?'", "cat notes.txt | alcove ask 'what is due in May?' -"]
  ) { invocation, program in
    var words = invocation.list("QUESTION")
    let readsInput = words.last == "-"
    if readsInput { words.removeLast() }
    let question = words.joined(separator: " ").trimmingSpaces()
    if question.isEmpty { throw UsageError(message: "ask needs QUESTION", path: invocation.path) }
    try await AnswerOptions.apply(invocation, to: program)
    var options = TurnOptions()
    options.scope = try await program.scope(invocation)
    options.isModelOnly = invocation.has("model-only")
    options.isChat = invocation.has("chat")
    options.isStrict = invocation.has("strict-context")
    try AnswerOptions.requireGrammar(of: invocation, in: &options)
    options.canDraw = invocation.list("in").isEmpty
    let session: Session
    if readsInput {
      let text = try FileHandle.standardInput.readToEnd() ?? Data()
      session = try await program.workspace().session(
        over: text, named: "standard input", settings: program.settings())
    } else {
      session = try await program.session()
    }
    let code = try await program.answer(
      question, in: session, options: options, isJSON: invocation.has("json"))
    await program.models.keepCacheOfQuestion(goesOn: program.continuesLast || program.requestedSession != nil)
    return code
  }

  static let summarize = Command(
    name: "summarize", aliases: ["sum"], summary: "summarize a document",
    details: """
      With a model loaded, it notes what each part says and makes a summary of the notes, every sentence held against its \
      passage; long documents are read in part, and that is said (summary.passages). Without one, the central sentences are quoted.
      """,
    arguments: [Argument(name: "DOCUMENT", kind: .document)],
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let document = try await program.workspace().document(named: invocation.value("DOCUMENT") ?? "")
    let session = try await program.session()
    var options = TurnOptions()
    options.summaryOf = document
    return try await program.answer(
      program.workspace().summaryRequest(for: document), in: session, options: options,
      isJSON: invocation.has("json"))
  }

  static let sources = Command(
    name: "sources", aliases: ["cite"], summary: "list what the last answer cites",
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let sources = try await program.lastSources()
    if invocation.has("json") {
      let items = sources.map { JSON.object(AnswerRecord.members(of: $0)) }
      program.output.writeLine(JSON.document("sources", [("citations", .array(items))]).text)
    } else if sources.isEmpty {
      program.output.writeLine("The last answer cites nothing.")
    } else {
      for source in sources { program.output.write(SourceListing.text(of: source, program, withQuote: true)) }
    }
    program.places = sources.map(Place.init)
    return sources.isEmpty ? .notFound : .ok
  }
}
