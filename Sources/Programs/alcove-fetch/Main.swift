import Foundation
import ModelStore
import Platform

/// The download process: the one program of Alcove that may use the network. It can write below the folder of models
/// and see nothing of the library, the sessions or the telemetry.
@main
struct Main {
  static func main() async {
    umask(0o077)
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      say("alcove-fetch is started by alcove; to fetch a model, see `alcove models pull --help`")
      exit(2)
    }
    signal(SIGPIPE, SIG_IGN)
    // What the memory is must be read before it is out of sight.
    let memory = MachineMemory(root: ProcessInfo.processInfo.environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    // The session keeps folders of its own for caches and cookies, whether used or not; they must lie where it can
    // write.
    let home = options.models + "/.partial/session-\(getpid())"
    for variable in ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] { setenv(variable, home, 1) }
    let refusal = Confinement.enter(models: options.models)
    guard refusal == 0 else {
      say("alcove-fetch: the sandbox could not be set up: \(SystemMessage.of(refusal))")
      exit(1)
    }
    let code = await run(options, memory: memory)
    // What a killed process leaves of it is empty, and goes with the next that ends well.
    clearSessions(options.models + "/.partial")
    exit(code)
  }

  private static func run(_ options: Options, memory: MachineMemory) async -> Int32 {
    let events = EventWriter()
    do throws(DownloadReason) {
      switch options.task {
      case .pull(let id): return try await pull(id, options, memory, events)
      case .list(let repository):
        tell(try await HubQueries(hub: hub, options: options).files(of: repository), events)
      case .search(let words, let limit):
        tell(try await HubQueries(hub: hub, options: options).search(words, limit: limit), events)
      case .repair(let model, let blocks):
        let repairer = Repairer(store: try openStore(options), options: options, events: events)
        if let reason = await repairer.run(model, blocks: blocks) { throw reason }
        var event = DownloadEvent(.complete)
        (event.file, event.status) = (model, .completed)
        events.write(event)
      }
      return 0
    } catch {
      events.write(error: error, of: nil)
      return 1
    }
  }

  private static var hub: Hub { Hub(environment: ProcessInfo.processInfo.environment) }

  private static func openStore(_ options: Options) throws(DownloadReason) -> ModelStore {
    do { return try ModelStore(at: URL(filePath: options.models, directoryHint: .isDirectory)) } catch {
      throw DownloadReason(error)
    }
  }

  private static func pull(
    _ id: Int64, _ options: Options, _ memory: MachineMemory, _ events: EventWriter
  ) async throws(DownloadReason) -> Int32 {
    let store = try openStore(options)
    let record: DownloadRecord?
    do { record = try await store.download(id) } catch { throw DownloadReason(error) }
    guard let record else {
      events.write(error: .noDownload(id), of: nil)
      return 3
    }
    switch await Puller(store: store, record: record, options: options, memory: memory, events: events).run() {
    case .completed: return 0
    case .doesNotFit: return 7
    case .stopped: return 1
    }
  }

  private static func tell(_ files: [HubFile], _ events: EventWriter) {
    var event = DownloadEvent(.found)
    event.status = .completed
    event.files = files
    events.write(event)
  }

  /// Removes the session folders of processes that are gone, and of this one.
  private static func clearSessions(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix("session-") {
      guard let process = Int32(name.dropFirst("session-".count)) else { continue }
      if process == getpid() || kill(process, 0) != 0 {
        // Empty folders that stay harm nothing.
        try? FileManager.default.removeItem(atPath: folder + "/" + name)
      }
    }
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
