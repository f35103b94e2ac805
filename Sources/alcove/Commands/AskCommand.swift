import Assistant
import Retrieval
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
      Option(name: "model-only", help: "answer by the model or not at all (exit code 5 without a ticket)"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: ["alcove ask 'When is the report due?'", "cat notes.txt | alcove ask 'what is due in May?' -"]
  ) { invocation, program in
    var words = invocation.list("QUESTION")
    let readsInput = words.last == "-"
    if readsInput { words.removeLast() }
    let question = words.joined(separator: " ").trimmingSpaces()
    if question.isEmpty { throw UsageError(message: "ask needs QUESTION", path: invocation.path) }
    var options = TurnOptions()
    options.scope = try await program.scope(invocation)
    options.isModelOnly = invocation.has("model-only")
    let session: Session
    if !readsInput, !options.isModelOnly, invocation.list("in").isEmpty, try program.asksForPicture(question) {
      return try await program.drawForSession(question, isJSON: invocation.has("json"))
    }
    if readsInput {
      session = try await program.sessionOverInput()
    } else {
      session = try await program.session()
    }
    return try await program.answer(question, in: session, options: options, isJSON: invocation.has("json"))
  }

  static let summarize = Command(
    name: "summarize", aliases: ["sum"], summary: "summarize a document by its central sentences",
    arguments: [Argument(name: "DOCUMENT", kind: .document)],
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let document = try await program.document(named: invocation.value("DOCUMENT") ?? "")
    let session = try await program.session()
    var options = TurnOptions()
    options.summaryOf = document
    return try await program.answer(
      "Summarize \(document.name)", in: session, options: options, isJSON: invocation.has("json"))
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
      for source in sources { program.output.write(program.listing(of: source, withQuote: true)) }
    }
    program.places = sources.map(Place.init)
    return sources.isEmpty ? .notFound : .ok
  }
}
