import Foundation
import ModelStore

/// Downloads of models: resolves a name into files, and runs the process that fetches them.
@MainActor
package final class ModelDownloads {
  /// Events of a download that is watched.
  package enum Event: Sendable {
    /// Another process is at work on it.
    case attended(DownloadRecord)
    /// It goes on in the background.
    case background(DownloadRecord)
    /// Progress of the download, as the download process reports it.
    case progress(DownloadEvent)
    /// It was stopped and can go on.
    case paused(DownloadRecord)
    /// It is here, and all of it is right.
    case completed(file: String, byteCount: Int)
  }

  private let host: ModelHost
  private let launcher: FetchLauncher?
  private let environment: [String: String]

  /// Creates the downloads into a host's folder of models.
  /// - Parameter launcher: starts the download process; nil where the command at hand may not.
  package init(host: ModelHost, launcher: FetchLauncher?, environment: [String: String]) {
    (self.host, self.launcher, self.environment) = (host, launcher, environment)
  }

  // MARK: Requests

  /// Returns the requests that fetch a name of the catalogue, `hf:OWNER/REPO[/FILE]`, or an address.
  /// - Parameters:
  ///   - sha256: the hash the one file must have.
  ///   - name: the one file's name among the models.
  ///   - isForced: whether it is fetched although it seems not to fit.
  package func requests(
    for text: String, sha256: String?, named name: String?, isForced: Bool
  ) async throws -> [DownloadRequest] {
    var requests: [DownloadRequest]
    switch try ModelReference(text) {
    case .catalogue(let name, let quantization): requests = try catalogueRequests(name, quantization)
    case .hub(let repository, let file): requests = try await hubRequests(repository, file)
    case .address(let address):
      // The last part of the path is the file's name, whatever a query behind it says.
      let name = URL(string: address)?.lastPathComponent.removingPercentEncoding ?? ""
      requests = SplitModel.parts(name).map { part in
        DownloadRequest(
          url: address.replacingOccurrences(of: name, with: part), file: part, model: address, title: name)
      }
    }
    for index in requests.indices {
      requests[index].isForced = host.isForced || isForced
      if let sha256, requests.count == 1 { requests[index].sha256 = sha256.lowercased() }
      if let name, requests.count == 1 { requests[index].file = name }
      guard ModelName.isFit(requests[index].file) else {
        throw ModelStoreError.badAddress(text, fault: .noFileName)
      }
    }
    return requests
  }

  private func catalogueRequests(_ name: String, _ quantization: String?) throws -> [DownloadRequest] {
    let catalogue = try host.catalogue()
    guard let entry = catalogue.entry(name), let choice = Catalogue.pick(entry, memory: host.memory()) else {
      throw DownloadError.notInCatalogue(name: name, known: catalogue.entries.map(\.name))
    }
    var file = choice.file
    if let quantization {
      guard let named = entry.files.first(where: { $0.quantization.lowercased() == quantization.lowercased() })
      else {
        throw DownloadError.noSuchForm(
          model: entry.name, forms: entry.files.map(\.quantization), asked: quantization)
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
    let files = try await ask(["list", repository])
    let chosen: HubFile
    if let file {
      guard let named = files.first(where: { $0.file == file || $0.file.lowercased() == file.lowercased() }) else {
        throw DownloadError.notInRepository(repository: repository, file: file)
      }
      chosen = named
    } else {
      guard let best = HubChoice.pick(files, memory: host.memory()) else {
        throw DownloadError.noModelInRepository(repository)
      }
      chosen = best
    }
    return SplitModel.parts(chosen.file).map { part in
      // A part that the list lacks is asked for all the same; the hub's answer says what is wrong.
      let known = files.first { $0.file == part }
      return DownloadRequest(
        url: hub.address(of: part, in: repository), file: URL(filePath: part).lastPathComponent,
        model: repository, title: repository, sha256: known?.sha256 ?? "", total: known?.bytes ?? 0)
    }
  }

  private var hub: Hub { Hub(environment: environment) }

  /// Searches the hub for repositories of models.
  package func search(_ words: [String], top: Int) async throws -> [HubFile] {
    try await ask(["search", "\(top)"] + words)
  }

  /// Asks the hub, through the download process.
  private func ask(_ question: [String]) async throws -> [HubFile] {
    var answer: [HubFile]?
    var failure = FetchFailure.noAnswer
    try await follow(question) { event in
      if event.kind == .found { answer = event.files ?? [] }
      if event.kind == .error, let reason = event.reason { failure = .unanswered(reason: reason) }
    }
    guard let answer else { throw failure }
    return answer
  }

  // MARK: Fetching

  /// Fetches a model file unless it is here already.
  /// - Returns: the model that is here already under the same hash; nil where the file was fetched.
  package func fetch(
    _ request: DownloadRequest, inBackground: Bool, _ tell: @escaping @MainActor (Event) -> Void
  ) async throws -> ModelRecord? {
    let store = try host.store()
    if !request.sha256.isEmpty, let twin = try await store.model(hash: request.sha256), twin.presence == .present {
      return twin
    }
    try await fetch(try await store.begin(request), inBackground: inBackground, tell)
    return nil
  }

  /// Goes on with downloads that pause or were interrupted.
  /// - Parameter id: the one to go on with; nil for all.
  /// - Returns: the number of downloads that waited.
  package func resume(
    _ id: Int64?, inBackground: Bool, _ tell: @escaping @MainActor (Event) -> Void
  ) async throws -> Int {
    let store = try host.store()
    let waiting = try await store.downloads().filter {
      (id == nil ? !$0.status.isOver : $0.id == id && $0.status != .completed) && !store.isAttended($0.id)
    }
    if let id, waiting.isEmpty { throw DownloadError.notWaiting(id) }
    for record in waiting.reversed() {
      try await store.wish(record.id, .run)
      try await fetch(record, inBackground: inBackground, tell)
    }
    return waiting.count
  }

  /// Pauses a download or gives it up.
  /// - Returns: the file's name.
  package func change(_ id: Int64, givesUp: Bool) async throws -> String {
    let store = try host.store()
    guard let record = try await store.download(id), !record.status.isOver else {
      throw DownloadError.notUnderWay(id)
    }
    try await store.wish(id, givesUp ? .cancel : .pause)
    if !store.isAttended(id) {
      if givesUp {
        try await store.discard(id)
      } else {
        try await store.progress(id, bytes: 0, total: 0, status: .paused, reason: DownloadReason.paused.coded)
      }
    }
    return record.file
  }

  private func fetch(
    _ record: DownloadRecord, inBackground: Bool, _ tell: @escaping @MainActor (Event) -> Void
  ) async throws {
    let store = try host.store()
    if store.isAttended(record.id) {
      tell(.attended(record))
      return inBackground ? () : try await attend(record, tell)
    }
    try await store.goesOnAlone(record.id, inBackground)
    if inBackground {
      try startInBackground(record)
      return tell(.background(record))
    }
    var last: DownloadEvent?
    do {
      try await follow(["pull", "\(record.id)"], named: [record.url]) { event in
        tell(.progress(event))
        last = event
      }
    } catch is CancellationError {
      tell(.paused(record))
      throw CancellationError()
    }
    // Announced now, so not again at the next prompt.
    try await store.announced(record.id)
    guard let last else { throw FetchFailure.noResult(file: record.file) }
    guard last.kind == .complete else {
      throw FetchFailure.ended(
        file: record.file, last.status, reason: last.reason, isMemoryRefusal: last.isMemoryRefusal == true)
    }
    tell(.completed(file: record.file, byteCount: last.total))
  }

  /// Starts the download process for a download that nobody waits for.
  private func startInBackground(_ record: DownloadRecord) throws {
    guard let launcher else { throw FetchFailure.noProcess }
    let nowhere = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    _ = try launcher.start(
      options(named: [record.url]) + ["--patience", "86400", "pull", "\(record.id)"], input: nowhere,
      output: nowhere, errors: nowhere)
  }

  /// Follows a download that another process is at work on, to its end.
  private func attend(_ record: DownloadRecord, _ tell: @MainActor (Event) -> Void) async throws {
    let store = try host.store()
    // A file gets its name, and its lock goes, shortly before the record says that it is complete.
    var looksLeft = 25
    while true {
      // The lock is looked at first: everything recorded before it goes is then read.
      let isAttended = store.isAttended(record.id)
      guard let now = try await store.download(record.id) else { break }
      looksLeft = isAttended ? 25 : looksLeft - 1
      if !isAttended, !now.status.isActive || looksLeft == 0 {
        if now.status == .completed { return }
        guard let reason = now.reason else { throw FetchFailure.interrupted(file: record.file, now.status) }
        throw FetchFailure.ended(file: record.file, now.status, reason: reason)
      }
      var event = DownloadEvent(.progress)
      (event.file, event.bytes, event.total, event.status) = (now.file, now.bytes, now.total, now.status)
      tell(.progress(event))
      try await Task.sleep(for: .milliseconds(200))
    }
    throw FetchFailure.givenUp(file: record.file)
  }

  /// Fetches bad blocks of a model again.
  /// - Returns: the reason for which it could not, or nil.
  package func repair(_ model: ModelRecord, blocks: [Int]) async throws -> String? {
    var reason: String?
    try await follow(
      ["repair", model.name, blocks.map(String.init).joined(separator: ",")], named: [model.source]
    ) { event in
      if event.kind == .error { reason = event.reason }
    }
    return reason
  }

  /// Runs the download process to its end; cancelling the task stops it.
  private func follow(
    _ arguments: [String], named: [String] = [], _ take: @escaping @MainActor (DownloadEvent) -> Void
  ) async throws {
    guard let launcher else { throw FetchFailure.noProcess }
    try host.directories.prepare()
    // The folder must be there before the process confines itself to it.
    _ = try host.store()
    let process = try FetchProcess(launcher, options(named: named) + ["--follow-input"] + arguments)
    defer { process.stop() }
    await withTaskCancellationHandler {
      for await event in process.events { take(event) }
    } onCancel: {
      process.stop()
    }
    try Task.checkCancellation()
  }

  private func options(named: [String]) -> [String] {
    var options = ["--models", host.directories.models.standardizedFileURL.path]
    for address in named + [environment["HF_ENDPOINT"] ?? ""] where !address.isEmpty {
      // Only an address that the user typed or configured may be unencrypted or private; the catalogue's own hub needs
      // neither.
      options += ["--named", address]
    }
    // Timeouts of the download process, for the tests and for unusual networks.
    for (variable, option) in [
      ("ALCOVE_FETCH_STALL", "--stall"), ("ALCOVE_FETCH_FIRST_WAIT", "--first-wait"),
      ("ALCOVE_FETCH_PATIENCE", "--patience"), ("ALCOVE_FETCH_ATTEMPTS", "--attempts"),
      ("ALCOVE_FETCH_CONNECTIONS", "--connections"),
    ] {
      if let value = environment[variable] { options += [option, value] }
    }
    return options
  }

  // MARK: At the prompt

  /// The store of models where a download was ever asked for; elsewhere there is nothing to announce, and nothing to
  /// open.
  private var storeWithDownloads: ModelStore? {
    guard FileManager.default.fileExists(atPath: host.directories.models.appending(path: "models.db").path) else {
      return nil
    }
    // A command that needs the store says why it cannot be opened.
    return try? host.store()
  }

  /// Returns, once, sentences about the downloads that ended in the background.
  package func announcements() async -> [String] {
    guard let ended = try? await storeWithDownloads?.takeAnnouncements() else { return [] }
    return ended.map(ErrorSentence.announcement)
  }

  /// Goes on with downloads in the background that a crash or a restart of the machine interrupted.
  /// - Returns: sentences about them and about those that somebody waited for.
  package func resumeInterrupted() async -> [String] {
    // A store that cannot be read here is reported by the commands about models.
    guard launcher != nil, let interrupted = try? await storeWithDownloads?.interrupted() else { return [] }
    let goesOn = (try? host.settings.current().isOn("models.resume")) ?? true
    return interrupted.map { record in
      let isResumed = record.isBackground && goesOn && (try? startInBackground(record)) != nil
      return ErrorSentence.interruption(of: record, goesOn: isResumed)
    }
  }
}
