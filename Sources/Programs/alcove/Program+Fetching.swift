import Assistant
import Foundation
import ModelStore
import Terminal

extension Program {
  /// What to fetch for `models pull`.
  func downloadRequests(for invocation: Invocation) async throws -> [DownloadRequest] {
    let text = invocation.value("MODEL") ?? ""
    var requests: [DownloadRequest]
    switch try ModelReference(text) {
    case .catalogue(let name, let quantization): requests = try catalogueRequests(name, quantization)
    case .hub(let repository, let file): requests = try await hubRequests(repository, file)
    case .address(let address):
      // A query may tell what the path does not; the last part of the path is the name.
      let name = URL(string: address)?.lastPathComponent.removingPercentEncoding ?? ""
      requests = SplitModel.parts(name).map { part in
        DownloadRequest(
          url: address.replacingOccurrences(of: name, with: part), file: part, model: address, title: name)
      }
    }
    for index in requests.indices {
      requests[index].isForced = isForced || invocation.has("force")
      if let hash = invocation.value("sha256"), requests.count == 1 { requests[index].sha256 = hash.lowercased() }
      if let name = invocation.value("as"), requests.count == 1 { requests[index].file = name }
      guard ModelName.isFit(requests[index].file) else {
        throw ModelStoreError.badAddress(text, reason: "it gives the file no name; --as names it")
      }
    }
    return requests
  }

  private func catalogueRequests(_ name: String, _ quantization: String?) throws -> [DownloadRequest] {
    let catalogue = try catalogue()
    guard let entry = catalogue.entry(name), let choice = Catalogue.pick(entry, memory: machineMemory()) else {
      let near = NearestName.of(name, among: catalogue.entries.map(\.name))
      throw NotFound(
        sentence: "the catalogue has no '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
          + " (hf:OWNER/REPO and addresses can be fetched too)")
    }
    var file = choice.file
    if let quantization {
      guard let named = entry.files.first(where: { $0.quantization.lowercased() == quantization.lowercased() })
      else {
        throw NotFound(
          sentence:
            "\(entry.name) comes as \(entry.files.map(\.quantization).joined(separator: ", ")), not as \(quantization)"
        )
      }
      file = named
    }
    return [
      DownloadRequest(
        url: hub.address(of: file.file, in: entry.repository), file: URL(filePath: file.file).lastPathComponent,
        model: entry.name, title: entry.title, sha256: file.sha256 ?? "", total: file.bytes ?? 0)
    ]
  }

  private func hubRequests(_ repository: String, _ file: String?) async throws -> [DownloadRequest] {
    let files = try await askHub(["list", repository])
    let chosen: HubFile
    if let file {
      guard let named = files.first(where: { $0.file == file || $0.file.lowercased() == file.lowercased() }) else {
        throw NotFound(sentence: "\(repository) has no file '\(file)'")
      }
      chosen = named
    } else {
      guard let best = HubListing.pick(files, memory: machineMemory()) else {
        throw NotFound(sentence: "\(repository) has no GGUF file")
      }
      chosen = best
    }
    return SplitModel.parts(chosen.file).map { part in
      // A part that the list lacks is asked for all the same; the hub says what is wrong.
      let known = files.first { $0.file == part }
      return DownloadRequest(
        url: hub.address(of: part, in: repository), file: URL(filePath: part).lastPathComponent,
        model: repository, title: repository, sha256: known?.sha256 ?? "", total: known?.bytes ?? 0)
    }
  }

  var hub: Hub { Hub(environment: environment) }

  /// Asks the hub, through the download process.
  func askHub(_ question: [String]) async throws -> [HubFile] {
    var answer: [HubFile]?
    var reason = "the download process said nothing"
    try await follow(question) { event in
      if event.kind == .found { answer = event.files ?? [] }
      if event.kind == .error { reason = event.reason ?? reason }
    }
    guard let answer else { throw FetchFailure(reason: reason, code: .failure) }
    return answer
  }

  /// Fetches a download: here, with progress, until it ends; or in the background.
  func fetch(_ record: DownloadRecord, inBackground: Bool, writesEvents: Bool) async throws -> ExitCode {
    let store = try modelStore()
    if store.isAttended(record.id) {
      output.writeLine(
        TextSanitizer.line("\(record.file): another process is fetching it (download \(record.id))"))
      if inBackground { return .ok }
      return try await attend(record)
    }
    try await store.goesOnAlone(record.id, inBackground)
    if inBackground {
      try startInBackground(record)
      output.writeLine(
        TextSanitizer.line(
          "\(record.file): being fetched in the background (download \(record.id)); `models list` shows how far"))
      return .ok
    }
    let meter = TransferMeter(output: errors, environment: environment)
    defer { meter.clear() }
    var last = DownloadEvent(.error)
    last.reason = "the download process ended without a word"
    do {
      try await follow(["pull", "\(record.id)"], named: [record.url]) { event in
        if writesEvents {
          self.output.write(event.line)
          self.output.flush()
        }
        if event.kind == .progress { meter.update(event) }
        last = event
      }
    } catch is CancellationError {
      meter.clear()
      notice("\(record.file) pauses; `alcove models resume \(record.id)` goes on.")
      throw CancellationError()
    }
    meter.clear()
    // Told now, so not again at the next prompt.
    try await store.announced(record.id)
    guard last.kind == .complete else {
      throw FetchFailure(
        reason: "\(record.file): \(last.status.rawValue): \(last.reason ?? "no reason given")",
        code: last.isMemoryRefusal == true ? .doesNotFit : .failure)
    }
    if !writesEvents {
      output.writeLine(TextSanitizer.line("\(record.file): fetched and checked (\(Self.size(last.total)))"))
    }
    return .ok
  }

  /// Starts the download process for a work that nobody waits for.
  func startInBackground(_ record: DownloadRecord) throws {
    guard let launcher = fetchLauncher else { throw FetchFailure.noProcess }
    let nowhere = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    _ = try launcher.start(
      fetchOptions(named: [record.url]) + ["--patience", "86400", "pull", "\(record.id)"], input: nowhere,
      output: nowhere, errors: nowhere)
  }

  /// Follows a download that another process is at work on, to its end.
  private func attend(_ record: DownloadRecord) async throws -> ExitCode {
    let store = try modelStore()
    let meter = TransferMeter(output: errors, environment: environment)
    defer { meter.clear() }
    // A file has its name, and its lock is gone, a little before the record says that it is complete.
    var looksLeft = 25
    return try await interruptible {
      while true {
        // The lock first: what is recorded before it goes is read then.
        let isAttended = store.isAttended(record.id)
        guard let now = try await store.download(record.id) else { break }
        looksLeft = isAttended ? 25 : looksLeft - 1
        if !isAttended, !now.status.isActive || looksLeft == 0 {
          if now.status == .completed { return .ok }
          throw FetchFailure(
            reason: "\(record.file): \(now.status.rawValue): "
              + (now.reason.map(Failure.sentence(ofDownload:)) ?? "interrupted"),
            code: .failure)
        }
        var event = DownloadEvent(.progress)
        (event.file, event.bytes, event.total, event.status) = (now.file, now.bytes, now.total, now.status)
        meter.update(event)
        try await Task.sleep(for: .milliseconds(200))
      }
      throw FetchFailure(reason: "\(record.file): given up", code: .failure)
    }
  }

  /// Runs the download process to its end; Ctrl-C stops it.
  func follow(
    _ arguments: [String], named: [String] = [], _ take: @escaping @MainActor (DownloadEvent) -> Void
  ) async throws {
    guard let launcher = fetchLauncher else { throw FetchFailure.noProcess }
    try directories.prepare()
    // The folder must be there before the process confines itself to it.
    _ = try modelStore()
    let process = try FetchProcess(launcher, fetchOptions(named: named) + ["--follow-input"] + arguments)
    defer { process.stop() }
    try await interruptible {
      await withTaskCancellationHandler {
        for await event in process.events { take(event) }
      } onCancel: {
        process.stop()
      }
      try Task.checkCancellation()
    }
  }

  private func fetchOptions(named: [String]) -> [String] {
    var options = ["--models", directories.models.standardizedFileURL.path]
    for address in named + [environment["HF_ENDPOINT"] ?? ""] where !address.isEmpty {
      // Only what the user typed or configured may be unencrypted or private; the catalogue's own hub needs neither.
      options += ["--named", address]
    }
    // For the tests, and for odd networks: the patience of the download process.
    for (variable, option) in [
      ("ALCOVE_FETCH_STALL", "--stall"), ("ALCOVE_FETCH_FIRST_WAIT", "--first-wait"),
      ("ALCOVE_FETCH_PATIENCE", "--patience"), ("ALCOVE_FETCH_ATTEMPTS", "--attempts"),
      ("ALCOVE_FETCH_LANES", "--lanes"),
    ] {
      if let value = environment[variable] { options += [option, value] }
    }
    return options
  }

  /// Fetches bad blocks of a model again.
  func repair(_ model: ModelRecord, blocks: [Int]) async throws {
    var reason: String?
    try await follow(
      ["repair", model.name, blocks.map(String.init).joined(separator: ",")], named: [model.source]
    ) { event in
      if event.kind == .error { reason = event.reason }
    }
    if let reason { complain("\(model.name) was not repaired: \(reason)") }
  }
}

/// A fetch that did not end well.
struct FetchFailure: Error {
  let reason: String
  let code: ExitCode

  static let noProcess = FetchFailure(
    reason: "the download process cannot be started from here; use `alcove models …` in the shell", code: .failure)
}

/// How far a download is, with its speed and the time left, on one line.
@MainActor
final class TransferMeter {
  private let line: ProgressLine
  private var first: (bytes: Int, at: ContinuousClock.Instant)?

  init(output: OutputChannel, environment: [String: String]) {
    line = ProgressLine(output: output, environment: environment)
  }

  func update(_ event: DownloadEvent) {
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

  func clear() { line.clear() }
}
