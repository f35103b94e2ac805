import Assistant
import Foundation
import JSON
import ModelStore
import Terminal
import TextGeneration

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
    let listing = try await ModelsListing(program)
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
    } else {
      listing.write(to: program)
    }
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

/// The models on this machine, for people and for programs.
struct ModelsListing {
  private struct Item {
    let name: String
    let path: String
    let byteCount: Int
    let record: ModelRecord?

    var state: String {
      guard let record else { return "not checked" }
      switch record.presence {
      case .present: return record.isLinked ? "linked" : ""
      case .gone: return "gone"
      case .changed: return "changed since it came"
      }
    }
  }

  private let items: [Item]
  private let downloads: [DownloadRecord]
  private let attended: Set<Int64>
  private let chosen: String
  private let folder: String

  @MainActor
  init(_ program: Program) async throws {
    let store = try program.models.store()
    let records = try await store.models()
    let files = program.models.files()
    var items = files.map { file in
      Item(
        name: file.name, path: file.path, byteCount: file.byteCount,
        record: records.first { store.folder.appending(path: $0.name).path == file.path || $0.path == file.path })
    }
    items += records.filter { record in !items.contains { $0.record?.id == record.id } }.map {
      Item(name: $0.name, path: $0.path, byteCount: $0.byteCount, record: $0)
    }
    self.items = items.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    downloads = try await store.downloads().filter { $0.status != .completed && $0.status != .cancelled }
    attended = Set(downloads.filter { store.isAttended($0.id) }.map(\.id))
    chosen = try program.models.loadedModel?.description.path ?? program.settings().text("model.file")
    folder = store.folder.path
  }

  @MainActor
  func write(to program: Program) {
    if items.isEmpty {
      program.output.writeLine(
        "There are no models in \(TextSanitizer.line(folder)); `alcove models catalog` shows some.")
    } else {
      var table = Table(columns: [
        .init("name", isFlexible: true), .init("size", isRightAligned: true), .init("state"),
      ])
      for item in items { table.add([item.name, Program.size(item.byteCount), item.state]) }
      program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    }
    for download in downloads {
      program.output.writeLine(
        TextSanitizer.line(DownloadLine.text(download, isAttended: attended.contains(download.id))))
    }
    if !chosen.isEmpty { program.output.writeLine("\(TextSanitizer.line(chosen)) answers.") }
  }

  var json: JSON {
    .document(
      "models",
      [
        (
          "models",
          .array(
            items.map { item in
              .object(
                [
                  ("name", .string(item.name)), ("path", .string(item.path)), ("bytes", .int(item.byteCount)),
                  ("state", .string(item.record?.presence.rawValue ?? "unchecked")),
                ]
                  + (item.record.map {
                    [
                      ("sha256", .string($0.sha256)), ("linked", .bool($0.isLinked)),
                      ("source", .string($0.source)),
                    ]
                  } ?? []))
            })
        ),
        (
          "downloads",
          .array(downloads.map { .object(DownloadLine.members($0, isAttended: attended.contains($0.id))) })
        ),
        ("chosen", .optional(chosen.isEmpty ? nil : chosen)),
      ])
  }

  static func json(_ model: ModelRecord, extra: [(String, JSON)] = []) -> JSON {
    .object(
      [
        ("name", .string(model.name)), ("path", .string(model.path)), ("bytes", .int(model.byteCount)),
        ("sha256", .string(model.sha256)), ("linked", .bool(model.isLinked)), ("source", .string(model.source)),
      ] + extra)
  }
}

/// One download as it is shown.
enum DownloadLine {
  static func text(_ download: DownloadRecord, isAttended: Bool) -> String {
    var text = "\(download.id)  \(download.file): \(status(download, isAttended: isAttended))"
    if download.total > 0 {
      text +=
        ", \(Program.size(download.bytes)) of \(Program.size(download.total)) "
        + "(\(download.bytes * 100 / max(1, download.total)) %)"
    }
    return text + (download.reason.map { ": " + ErrorSentence.describe(download: $0) } ?? "")
  }

  /// What the record says, unless the process that should be at work is gone.
  static func status(_ download: DownloadRecord, isAttended: Bool) -> String {
    download.status.isActive && !isAttended
      ? "interrupted (`alcove models resume \(download.id)` goes on)" : download.status.rawValue
  }

  static func members(_ download: DownloadRecord, isAttended: Bool) -> [(String, JSON)] {
    [
      ("id", .int(Int(download.id))), ("url", .string(download.url)), ("file", .string(download.file)),
      ("model", .string(download.model)), ("title", .string(download.title)), ("bytes", .int(download.bytes)),
      ("total", .int(download.total)), ("status", .string(download.status.rawValue)),
      ("attended", .bool(isAttended)), ("started", .string(download.started.formatted(.iso8601))),
      ("completed", .optional(download.completed?.formatted(.iso8601))), ("path", .optional(download.path)),
      ("reason", .optional(download.reason.map(ErrorSentence.describe(download:)))),
      ("announced", .bool(download.isAnnounced)),
    ]
  }
}
