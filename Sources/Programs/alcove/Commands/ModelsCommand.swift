import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let models = Command(
    name: "models", summary: "find, fetch and check models, and choose which one answers",
    subcommands: [
      .modelsList, .modelsCatalogue, .modelsSearch, .modelsPull, .modelsResume, .modelsPause, .modelsCancel,
      .modelsFit, .modelsUse,
      .modelsOff, .modelsImport, .modelsVerify, .modelsRemove,
    ])

  private static let modelsList = Command(
    name: "list", aliases: ["ls"], summary: "list the models on this machine and the downloads on their way",
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let listing = try await ModelsListing(program.models)
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
      return .ok
    }
    if listing.rows.isEmpty {
      program.output.writeLine(
        "There are no models in \(TextSanitizer.line(listing.folder)); `alcove models catalog` shows some.")
    } else {
      var table = Table(columns: [
        .init("name", isFlexible: true), .init("size", isRightAligned: true), .init("state"),
      ])
      for row in listing.rows { table.add(row) }
      program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    }
    for line in listing.downloadLines { program.output.writeLine(TextSanitizer.line(line)) }
    if !listing.chosen.isEmpty { program.output.writeLine("\(TextSanitizer.line(listing.chosen)) answers.") }
    return .ok
  }

  private static let modelsUse = Command(
    name: "use", summary: "let a model answer: at the prompt for this conversation, in the shell from now on",
    details: """
      Where several forms of one model are here, its name without the quantization picks the one that suits the memory. A \
      model that does not fit is refused with the numbers and the ways out.

      With --embedder, a model makes the vectors of the search by meaning from now on ('bundled' is the one that comes with \
      Alcove, 'off' none). The one before answers until every passage has its new vectors.
      """,
    arguments: [Argument(name: "MODEL", kind: .model, isOptional: true)],
    options: [
      Option(name: "force", help: "load it although it seems not to fit"),
      Option(name: "embedder", value: ("FILE", .path), help: "make the vectors with this model"),
      Option(
        name: "image", value: ("MODEL", .path), help: "make the pictures with this model (off: the sketcher)"),
    ],
    examples: ["alcove models use llama-3.2-1b.gguf", "/models use --embedder ~/models/bge-small-en.gguf"]
  ) { invocation, program in
    let name = invocation.value("MODEL") ?? ""
    if let embedder = invocation.value("embedder") {
      let code = try await program.change(embedder: embedder)
      if name.isEmpty || code != .ok { return code }
    }
    if let image = invocation.value("image") {
      let chosen = try await program.models.use(pictureModel: image)
      program.output.writeLine(
        chosen.map { "\(TextSanitizer.line($0.name)) (\($0.variant)) makes pictures from now on." }
          ?? (image == "off" ? "The sketcher draws." : "There is no model for pictures yet; the sketcher draws."))
      if name.isEmpty { return .ok }
    }
    if name.isEmpty {
      throw UsageError(message: "models use needs MODEL, --embedder FILE or --image MODEL", path: invocation.path)
    }
    let wasForced = program.models.isForced
    program.models.isForced = wasForced || invocation.has("force")
    defer { program.models.isForced = wasForced }
    if invocation.surface == .prompt {
      let model = try await program.models.load(name)
      try await program.session().use(model)
      return .ok
    }
    let path = try program.models.file(ofModel: name)
    // Loading it now tells at once whether it will do.
    try await program.models.load(path)
    try await program.set("model.file", to: path)
    try program.save("model.file")
    program.output.writeLine("\(TextSanitizer.line(path)) answers from now on.")
    return .ok
  }

  private static let modelsOff = Command(
    name: "off", summary: "let no model answer: the rule-based analysis does"
  ) { invocation, program in
    await program.models.unload()
    try await program.set("model.file", to: "")
    if invocation.surface == .prompt {
      try await program.session().use(nil)
    } else {
      try program.save("model.file")
    }
    program.output.writeLine("The rule-based analysis answers.")
    return .ok
  }
}

extension Program {
  /// Makes an embedder the chosen one from now on. Until every passage has its vectors, the one before answers.
  fileprivate func change(embedder name: String) async throws -> ExitCode {
    let file =
      ["", "off", "bundled"].contains(name) ? (name == "off" ? name : "") : try models.file(ofModel: name)
    let workspace = try await workspace()
    // Loading it now tells at once whether it will do.
    let chosen = try await workspace.choose(embedder: file, settings())
    try await set("embedder.file", to: file)
    try save("embedder.file")
    guard let chosen else {
      output.writeLine("Nothing makes vectors from now on; the search goes by words.")
      return .ok
    }
    let shown = TextSanitizer.line(chosen)
    if terminal.isInteractive, editor != nil {
      embedInBackground()
      output.writeLine("\(shown) makes the vectors; it answers once every passage has its own.")
      return .ok
    }
    let progress = ProgressLine(output: errors, environment: environment)
    defer { progress.clear() }
    do {
      try await interruptible {
        try await workspace.embedAll { @MainActor done, total in
          progress.update(done: done, total: total, label: "passages embedded")
        }
      }
    } catch is CancellationError {
      progress.clear()
      output.writeLine("Stopped; it goes on at the prompt, or with the same command.")
      return .interrupted
    }
    progress.clear()
    output.writeLine("\(shown) makes the vectors from now on.")
    return .ok
  }
}
