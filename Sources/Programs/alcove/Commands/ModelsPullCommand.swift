import Assistant
import Foundation
import JSON
import ModelStore
import Terminal

extension Command {
  static let modelsPull = Command(
    name: "pull", summary: "fetch a model: one of the catalogue, of the Hugging Face Hub, or of an address",
    details: """
      MODEL is a name of the catalogue (NAME or NAME:QUANTIZATION), hf:OWNER/REPO, hf:OWNER/REPO/FILE, or an https \
      address. Where no form is named, the one that suits this machine is fetched. The header comes first, so that a model \
      that cannot be run here is refused before the rest moves. A download that was interrupted goes on where it stopped.

      Only this command, search, resume and verify --repair use the network, through a process of its own that can see \
      nothing but the folder of models.
      """,
    arguments: [Argument(name: "MODEL", kind: .text)],
    options: [
      Option(name: "background", letter: "b", help: "fetch it in a process of its own, which outlives this one"),
      Option(name: "sha256", value: ("HASH", .text), help: "the SHA-256 that the file must have"),
      Option(name: "as", value: ("NAME", .text), help: "the file's name among the models"),
      Option(name: "force", help: "fetch it although it seems not to fit"),
      Option(name: "json", help: "write the download's events as JSON, one a line"),
    ],
    examples: [
      "alcove models pull qwen2.5-3b", "alcove models pull hf:bartowski/Llama-3.2-1B-Instruct-GGUF --background",
    ],
    reachesNetwork: true
  ) { invocation, program in
    if let hash = invocation.value("sha256"), !Hub.isHash(hash) {
      throw UsageError(message: "--sha256 takes 64 hexadecimal digits", path: invocation.path)
    }
    let requests = try await program.downloadRequests(for: invocation)
    let store = try program.modelStore()
    var code = ExitCode.ok
    for request in requests {
      if let twin = try await store.model(hash: request.sha256), !request.sha256.isEmpty, twin.presence == .present
      {
        program.output.writeLine(TextSanitizer.line("\(request.file): here already as \(twin.name)"))
        continue
      }
      let record = try await store.begin(request)
      let result = try await program.fetch(
        record, inBackground: invocation.has("background"), writesEvents: invocation.has("json"))
      if result != .ok { code = result }
    }
    return code
  }

  static let modelsResume = Command(
    name: "resume", summary: "go on with downloads that pause or were interrupted",
    arguments: [Argument(name: "ID", kind: .integer(1...Int(Int32.max)), isOptional: true)],
    options: [
      Option(name: "background", letter: "b", help: "in a process of its own"),
      Option(name: "json", help: "write the download's events as JSON, one a line"),
    ],
    reachesNetwork: true
  ) { invocation, program in
    let store = try program.modelStore()
    var code = ExitCode.ok
    let wanted = invocation.integer("ID").map(Int64.init)
    let waiting = try await store.downloads().filter {
      (wanted == nil ? !$0.status.isOver : $0.id == wanted && $0.status != .completed) && !store.isAttended($0.id)
    }
    if let wanted, waiting.isEmpty { throw NotFound(sentence: "no download \(wanted) waits to go on") }
    if waiting.isEmpty { program.output.writeLine("No download waits to go on.") }
    for record in waiting.reversed() {
      try await store.wish(record.id, .run)
      let result = try await program.fetch(
        record, inBackground: invocation.has("background"), writesEvents: invocation.has("json"))
      if result != .ok { code = result }
    }
    return code
  }

  static let modelsPause = Command(
    name: "pause", summary: "let a download pause; what is here is kept",
    arguments: [Argument(name: "ID", kind: .integer(1...Int(Int32.max)))]
  ) { invocation, program in try await program.change(invocation, .pause) }

  static let modelsCancel = Command(
    name: "cancel", summary: "give a download up, and free what is here of it",
    arguments: [Argument(name: "ID", kind: .integer(1...Int(Int32.max)))]
  ) { invocation, program in try await program.change(invocation, .cancel) }

  static let modelsSearch = Command(
    name: "search", summary: "search the Hugging Face Hub for models in GGUF files",
    arguments: [Argument(name: "WORDS", kind: .text, isRest: true)],
    options: [
      Option(name: "top", letter: "n", value: ("N", .integer(1...50)), help: "so many repositories at most (5)"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: ["alcove models search qwen2.5 3b instruct"],
    reachesNetwork: true
  ) { invocation, program in
    let words = invocation.list("WORDS").flatMap { $0.split(separator: " ").map(String.init) }
    let files = try await program.askHub(["search", "\(invocation.integer("top") ?? 5)"] + words)
    let listing = HubListing(files: files, memory: program.machineMemory())
    program.output.write(invocation.has("json") ? listing.json.text + "\n" : listing.text(program))
    return .ok
  }
}

extension Program {
  fileprivate func change(_ invocation: Invocation, _ wish: DownloadWish) async throws -> ExitCode {
    let store = try modelStore()
    let id = Int64(invocation.integer("ID") ?? 0)
    guard let record = try await store.download(id), !record.status.isOver else {
      throw NotFound(sentence: "no download \(id) is under way")
    }
    try await store.wish(id, wish)
    if !store.isAttended(id) {
      if wish == .cancel {
        try await store.discard(id)
      } else {
        try await store.progress(id, bytes: 0, total: 0, status: .paused, reason: "paused")
      }
    }
    output.writeLine(TextSanitizer.line("\(record.file): \(wish == .cancel ? "given up" : "pauses")"))
    return .ok
  }
}
