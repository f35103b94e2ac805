import Assistant
import Foundation
import JSON
import ModelStore
import Terminal

extension Command {
  static let modelsImport = Command(
    name: "import", summary: "take in model files that are on this machine already",
    details: """
      The file is checked from its first byte to its last and then linked among the models; it stays where it is. With \
      --copy it is copied. The content is compared with the models there are, and a duplicate is named instead of kept \
      twice. From a folder every GGUF and safetensors file is taken; a folder with a model_index.json is one picture model.
      """,
    arguments: [Argument(name: "PATH", kind: .path)],
    options: [
      Option(name: "copy", help: "copy it instead of linking it"),
      Option(name: "as", value: ("NAME", .text), help: "its name among the models"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: [
      "alcove models import ~/Downloads/qwen2.5-3b-instruct-q4_k_m.gguf",
      "alcove models import --copy /media/usb/models",
    ]
  ) { invocation, program in
    let path = program.directories.absolutePath(invocation.value("PATH") ?? "")
    let found = ModelImport.candidates(path)
    if found.isEmpty { throw WorkspaceError.noModel(path: path) }
    if let name = invocation.value("as") {
      guard ModelName.isFit(name) else {
        throw UsageError(message: "--as takes a plain file name, not '\(name)'", path: invocation.path)
      }
      if found.count > 1 {
        throw UsageError(message: "--as names one model, and there are several", path: invocation.path)
      }
    }
    let store = try program.models.store()
    var report: [JSON] = []
    var code = ExitCode.ok
    for candidate in found {
      do {
        let outcomes = try await program.take(
          candidate, as: invocation.value("as"), copies: invocation.has("copy"), into: store)
        for outcome in outcomes {
          switch outcome {
          case .added(let model):
            report.append(ModelsListing.json(model, extra: [("outcome", .string("added"))]))
            if !invocation.has("json") {
              let how = model.isLinked ? "linked to \(model.path)" : "\(Program.size(model.byteCount))"
              program.output.writeLine(TextSanitizer.line("\(model.name): added (\(how))"))
            }
          case .duplicate(let model):
            report.append(ModelsListing.json(model, extra: [("outcome", .string("duplicate"))]))
            if !invocation.has("json") {
              program.output.writeLine(TextSanitizer.line("\(candidate): here already as \(model.name)"))
            }
          }
        }
      } catch let error as CancellationError {
        throw error
      } catch {
        let (sentence, failure) = Failure.explain(error)
        program.complain(sentence)
        code = failure
      }
    }
    if invocation.has("json") {
      program.output.writeLine(JSON.document("models-import", [("models", .array(report))]).text)
    }
    return code
  }

  static let modelsRemove = Command(
    name: "remove", aliases: ["rm"], summary: "remove a model; a linked one stays where its owner keeps it",
    arguments: [Argument(name: "MODEL", kind: .model, isRepeated: true)]
  ) { invocation, program in
    let store = try program.models.store()
    try await program.adoptFiles()
    for name in invocation.list("MODEL") {
      guard let model = try await store.model(name) else { throw ModelStoreError.unknown(name: name) }
      if program.models.isAtWork(model.path) {
        throw WorkspaceError.atWork(model: model.name)
      }
      let freed = try await store.remove(model)
      let what =
        freed > 0
        ? "\(Program.size(freed)) freed" : model.isLinked ? "the file stays at \(model.path)" : "nothing to free"
      program.output.writeLine(TextSanitizer.line("\(model.name): removed (\(what))"))
      if let chosen = try? program.settings().text("model.file"), !chosen.isEmpty,
        [model.path, model.name, store.folder.appending(path: model.name).path].contains(chosen)
      {
        program.complain("it was the model that answers; `alcove models use` chooses another")
      }
    }
    return .ok
  }

  static let modelsVerify = Command(
    name: "verify", summary: "read every model again and compare it with what came",
    details: """
      Each file is hashed whole and block by block. With --repair the bad blocks of a model that was fetched are fetched \
      again, and nothing else of it.
      """,
    arguments: [Argument(name: "MODEL", kind: .model, isOptional: true)],
    options: [
      Option(name: "repair", help: "fetch bad blocks again"), Option(name: "json", help: "write JSON"),
    ],
    reachesNetwork: true
  ) { invocation, program in
    let store = try program.models.store()
    try await program.adoptFiles()
    var models = try await store.models()
    if let name = invocation.value("MODEL") {
      guard let model = try await store.model(name) else { throw ModelStoreError.unknown(name: name) }
      models = [model]
    }
    var code = ExitCode.ok
    var report: [JSON] = []
    for model in models {
      var check = try await program.read(model)
      let bad = check.badBlocks
      if !bad.isEmpty, invocation.has("repair") {
        if let reason = try await program.interruptible({ try await program.downloads.repair(model, blocks: bad) })
        {
          program.complain("\(model.name) was not repaired: \(reason)")
        }
        check = try await program.read(model)
        if check.fault == nil { check.wasRepaired = true }
      }
      if check.fault != nil { code = .integrity }
      report.append(ModelsListing.json(model, extra: check.members))
      if !invocation.has("json") {
        program.output.writeLine(TextSanitizer.line("\(model.name): \(check.sentence)"))
      }
    }
    if invocation.has("json") {
      program.output.writeLine(JSON.document("models-verify", [("models", .array(report))]).text)
    } else if models.isEmpty {
      program.output.writeLine("There are no models to check.")
    }
    return code
  }
}

extension Program {
  /// Takes in one file, with progress; Ctrl-C stops and leaves nothing behind.
  func take(
    _ path: String, as name: String?, copies: Bool, into store: ModelStore
  ) async throws -> [ModelImport.Outcome] {
    let progress = ProgressLine(output: errors, environment: environment)
    defer { progress.clear() }
    progress.update(done: 0, total: 0, label: "reading \(path) …")
    return try await interruptible {
      let work = Task.detached {
        try await ModelImport.take(path, as: name, copies: copies, into: store) { _ in try Task.checkCancellation()
        }
      }
      return try await withTaskCancellationHandler {
        try await work.value
      } onCancel: {
        work.cancel()
      }
    }
  }

  /// Takes in what lies in the folder of models without a record: files put there by hand.
  func adoptFiles() async throws {
    let store = try models.store()
    let known = Set(try await store.models().map(\.name))
    for file in models.files()
    where file.path == directories.models.appending(path: file.name).path && !known.contains(file.name) {
      do {
        _ = try await take(file.path, as: nil, copies: true, into: store)
      } catch let error as CancellationError {
        throw error
      } catch {
        complain(Failure.explain(error).sentence)
      }
    }
  }

  /// Reads a model again, with progress; Ctrl-C stops it.
  fileprivate func read(_ model: ModelRecord) async throws -> ModelCheck {
    let progress = ProgressLine(output: errors, environment: environment)
    defer { progress.clear() }
    progress.update(done: 0, total: 0, label: "reading \(model.name) …")
    return try await interruptible { [models] in try await models.check(model) }
  }
}

extension ModelCheck {
  fileprivate var members: [(String, JSON)] {
    [
      ("sound", .bool(fault == nil)), ("fault", .optional(fault?.sentence)),
      ("badBlocks", .array(badBlocks.map(JSON.int))),
      ("repaired", .bool(wasRepaired)),
    ]
  }
}
