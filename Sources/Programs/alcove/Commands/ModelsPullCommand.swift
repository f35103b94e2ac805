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
    let (name, isForced) = (invocation.value("as"), invocation.has("force"))
    let (text, hash) = (invocation.value("MODEL") ?? "", invocation.value("sha256"))
    let requests = try await program.interruptible {
      try await program.downloads.requests(for: text, sha256: hash, named: name, isForced: isForced)
    }
    let view = TransferView(program, writesEvents: invocation.has("json"))
    defer { view.clear() }
    let inBackground = invocation.has("background")
    for request in requests {
      let twin = try await program.interruptible {
        try await program.downloads.fetch(request, inBackground: inBackground, view.take)
      }
      if let twin { program.output.writeLine(TextSanitizer.line("\(request.file): here already as \(twin.name)")) }
    }
    return .ok
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
    let view = TransferView(program, writesEvents: invocation.has("json"))
    defer { view.clear() }
    let (id, inBackground) = (invocation.integer("ID").map(Int64.init), invocation.has("background"))
    let count = try await program.interruptible {
      try await program.downloads.resume(id, inBackground: inBackground, view.take)
    }
    if count == 0 { program.output.writeLine("No download waits to go on.") }
    return .ok
  }

  static let modelsPause = Command(
    name: "pause", summary: "let a download pause; what is here is kept",
    arguments: [Argument(name: "ID", kind: .integer(1...Int(Int32.max)))]
  ) { invocation, program in try await program.changeDownload(invocation, givesUp: false) }

  static let modelsCancel = Command(
    name: "cancel", summary: "give a download up, and free what is here of it",
    arguments: [Argument(name: "ID", kind: .integer(1...Int(Int32.max)))]
  ) { invocation, program in try await program.changeDownload(invocation, givesUp: true) }

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
    let top = invocation.integer("top") ?? 5
    let files = try await program.interruptible { try await program.downloads.search(words, top: top) }
    let listing = HubListing(files, program.models)
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
      return .ok
    }
    if listing.sections.isEmpty { program.output.writeLine("Nothing was found.") }
    for section in listing.sections {
      program.output.writeLine(
        program.output.ink(TextSanitizer.line(section.title), .bold) + TextSanitizer.line(section.note))
      var table = Table(columns: [
        .init("  file", isFlexible: true), .init("form"), .init("size", isRightAligned: true), .init("verdict"),
      ])
      for row in section.rows { table.add(row) }
      program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    }
    return .ok
  }
}

extension Program {
  fileprivate func changeDownload(_ invocation: Invocation, givesUp: Bool) async throws -> ExitCode {
    let file = try await downloads.change(Int64(invocation.integer("ID") ?? 0), givesUp: givesUp)
    output.writeLine(TextSanitizer.line("\(file): \(givesUp ? "given up" : "pauses")"))
    return .ok
  }
}

/// Shows downloads that are watched: on one line how far each is, with its speed and the time left.
@MainActor
final class TransferView {
  private let program: Program
  private let writesEvents: Bool
  private let line: ProgressLine
  private var first: (bytes: Int, at: ContinuousClock.Instant)?

  /// - Parameter writesEvents: whether each event is written as JSON instead of sentences.
  init(_ program: Program, writesEvents: Bool) {
    self.program = program
    self.writesEvents = writesEvents
    line = ProgressLine(output: program.errors, environment: program.environment)
  }

  func clear() { line.clear() }

  func take(_ event: ModelDownloads.Event) {
    switch event {
    case .attended(let record):
      tell("\(record.file): another process is fetching it (download \(record.id))")
    case .background(let record):
      tell(
        "\(record.file): being fetched in the background (download \(record.id)); `models list` shows how far")
    case .paused(let record):
      line.clear()
      program.notice("\(record.file) pauses; `alcove models resume \(record.id)` goes on.")
    case .completed(let file, let byteCount):
      line.clear()
      first = nil
      if !writesEvents { tell("\(file): fetched and checked (\(Program.size(byteCount)))") }
    case .progress(let event):
      if writesEvents {
        program.output.write(event.line)
        program.output.flush()
      }
      if event.kind == .progress { update(event) }
    }
  }

  private func tell(_ sentence: String) { program.output.writeLine(TextSanitizer.line(sentence)) }

  private func update(_ event: DownloadEvent) {
    let now = ContinuousClock.now
    guard event.total > 0 else {
      return line.update(done: 0, total: 0, label: "\(event.file): \(event.reason ?? "connecting …")")
    }
    let since = first ?? (event.bytes, now)
    first = since
    var label = "\(event.file)  \(Program.size(event.bytes)) of \(Program.size(event.total)), "
    label += "\(event.bytes * 100 / event.total) %"
    let seconds = (now - since.at) / .seconds(1)
    if seconds > 1, event.bytes > since.bytes {
      let speed = Double(event.bytes - since.bytes) / seconds
      label += ", \(Program.size(Int(speed)))/s"
      label += ", \(ProgressLine.span(Double(event.total - event.bytes) / speed)) left"
    }
    if event.status != .running { label += ", \(event.status.rawValue)" }
    if let reason = event.reason { label += " (\(reason))" }
    line.update(done: 0, total: 0, label: label)
  }
}
