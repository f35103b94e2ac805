import Assistant
import Foundation
import Synchronization
import Terminal

/// The command line's state: where it writes, what it was told, and the parts of the application that it opens when
/// they are needed.
@MainActor
final class Program {
  let environment: [String: String]
  let terminal = TerminalDevice.standard()
  /// Answers and listings.
  let output: OutputChannel
  /// Everything about them.
  let errors: OutputChannel
  let interrupts = InterruptWatcher()
  let directories: Directories
  private let activeSettings: ActiveSettings
  /// Models in memory.
  let models: ModelHost
  /// Models on their way.
  let downloads: ModelDownloads
  /// Vectors that are made while the prompt waits.
  let embedding = BackgroundEmbedding()
  /// Names that completion offers, filled in the background.
  let nameCache = NameCache()
  /// The session asked for by `--session`.
  let requestedSession: Int?
  /// Indicates whether `--continue` was given.
  let continuesLast: Bool
  private(set) var openedWorkspace: Workspace?
  private(set) var openedSession: Session?
  private var openedIllustrator: Illustrator?
  var lastAnswer: AnswerRecord?
  /// Measurements of the model's answers of this run.
  var measured: [AnswerMetrics] = []
  /// The line editor, at the prompt.
  var editor: LineEditor?
  /// Places that the numbers of the last answer or listing stand for.
  var places: [Place] = []
  /// Way in which the terminal shows pictures, once asked.
  var pictureManner: PictureManner?
  /// Set by `/quit`.
  var isLeaving = false

  init(
    _ invocation: Invocation?, environment: [String: String], fetchLauncher: FetchLauncher? = nil
  ) throws(UsageError) {
    self.environment = environment
    directories = Directories(environment: environment)
    requestedSession = invocation?.integer("session")
    continuesLast = invocation?.has("continue") ?? false
    var changes: [(name: String, value: String)] = []
    for change in invocation?.list("set") ?? [] {
      guard let sign = change.firstIndex(of: "=") else {
        throw UsageError(message: "--set takes NAME=VALUE, not '\(change)'")
      }
      changes.append((String(change[..<sign]), String(change[change.index(after: sign)...])))
    }
    let settings = ActiveSettings(
      environment: environment, userFile: directories.settingsFile, changes: changes)
    activeSettings = settings
    weak var program: Program?
    models = ModelHost(
      directories: directories, settings: settings, environment: environment,
      model: invocation?.value("model"), isForced: invocation?.has("force") ?? false,
      record: { try await program?.workspace().store.record($0) })
    downloads = ModelDownloads(host: models, launcher: fetchLauncher, environment: environment)
    // Settings that cannot be read are complained of where they are needed.
    let choice =
      invocation?.value("color").flatMap(ColorChoice.init)
      ?? (try? settings.current()).flatMap { ColorChoice(rawValue: $0.text("terminal.color")) } ?? .auto
    func channel(_ file: Int32) -> OutputChannel {
      let ink = Ink(isColoured: choice.isColoured(isTerminal: isatty(file) == 1, environment: environment))
      return OutputChannel(file: file, ink: ink)
    }
    (output, errors) = (channel(STDOUT_FILENO), channel(STDERR_FILENO))
    program = self
    let progress = ProgressLine(output: errors, environment: environment)
    models.onEvent = { [weak self] event in
      switch event {
      case .loading(let name): progress.update(done: 0, total: 0, label: "loading \(name) …")
      case .ended: progress.clear()
      case .notice(let notice): self?.notice(notice.sentence)
      }
    }
    models.onChange = { [weak self] model in await self?.openedSession?.use(model) }
  }

  // MARK: Settings

  /// The settings in force, read when first asked for.
  func settings() throws -> Settings { try activeSettings.current() }

  /// Changes a setting until the program ends; a model that is loaded heeds it from the next answer on.
  /// - Parameter isRemembered: whether the session keeps it too, for when it is resumed.
  func set(_ name: String, to value: String, isRemembered: Bool = false) async throws {
    let name = try activeSettings.set(name, to: value)
    guard name.hasPrefix("model.") || name.hasPrefix("answer.") else { return }
    if isRemembered { try await openedSession?.remember(name, value) }
    guard models.loadedModel != nil else { return }
    if ["model.context", "model.threads", "model.draft"].contains(name) {
      notice("It holds when the model is loaded again.")
    }
    try await models.refresh()
  }

  /// Writes a setting's value to the user's settings file.
  /// - Parameter model: the model that it is for; nil for all.
  func save(_ name: String, forModel model: String? = nil) throws {
    try models.save(name, forModel: model)
  }

  /// Takes up the settings that a session was given.
  func applySettings(of session: Session) async throws {
    for (name, value) in try await session.rememberedSettings().sorted(by: { $0.key < $1.key }) {
      // A setting that this version does not know any more is passed over.
      try? await set(name, to: value)
    }
  }

  // MARK: What is opened when it is needed

  /// The workspace: library, sessions, and who answers from them.
  func workspace() async throws -> Workspace {
    if let openedWorkspace { return openedWorkspace }
    let workspace = try await Workspace(
      directories: directories, installation: Installation(environment: environment), settings: settings())
    openedWorkspace = workspace
    return workspace
  }

  /// The conversation: the one that was asked for by `--continue` or `--session`, else a new one.
  func session() async throws -> Session {
    if let openedSession { return openedSession }
    let session = try await workspace().session(
      requestedSession, continuesLast: continuesLast, isInteractive: terminal.isInteractive,
      backend: { [models] in try await models.model() })
    openedSession = session
    await session.draw(with: try illustrator())
    if continuesLast || requestedSession != nil { try await applySettings(of: session) }
    return session
  }

  /// The maker of pictures.
  func illustrator() async throws -> Illustrator {
    if let openedIllustrator { return openedIllustrator }
    let illustrator = try await workspace().illustrator { [weak self] in
      try await self?.models.lendPictureModel(for: $0)
    }
    openedIllustrator = illustrator
    return illustrator
  }

  /// Waits until the library has cleared away what was removed and put its index in order.
  func settle() async {
    output.flush()
    errors.flush()
    guard let workspace = openedWorkspace else { return }
    // The answer is out; who still sees the program run is told why.
    let progress = ProgressLine(output: errors, environment: environment)
    let notice = Task {
      try await Task.sleep(for: .milliseconds(700))
      progress.update(done: 0, total: 0, label: "putting the library in order …")
    }
    defer {
      notice.cancel()
      progress.clear()
    }
    do {
      try await workspace.settle()
    } catch {
      // What was left to do is done by the next start.
      complain(Failure.explain(error).sentence)
      errors.flush()
    }
  }

  /// The places that numbers refer to: of the last answer or listing, else of the session last used.
  func lastPlaces() async throws -> [Place] {
    places.isEmpty ? try await lastSources().map(Place.init) : places
  }

  /// The citations of the last answer: of this run, else of the session last used.
  func lastSources() async throws -> [Source] {
    if let lastAnswer { return lastAnswer.sources }
    let session = await openedSession?.id ?? requestedSession
    return try await workspace().lastSources(ofSession: session)
  }

  /// Makes vectors while the prompt waits.
  func embedInBackground() {
    embedding.start { [self] in
      let workspace = try await workspace()
      return (workspace.library, workspace.embedders)
    }
  }

  /// Looks up, in the background, what completion offers.
  func refreshNames() { Task { await nameCache.refresh(from: self) } }

  // MARK: Forgetting

  /// Takes the text of removed documents out of the sessions and of what is at hand.
  func forget(documents hashes: [String]) async throws {
    try await workspace().store.forget(documents: hashes)
    try models.forgetCaches(of: hashes)
    places.removeAll { hashes.contains($0.documentHash) }
    if let sources = lastAnswer?.sources, sources.contains(where: { hashes.contains($0.documentHash) }) {
      lastAnswer = nil
    }
  }

  /// Takes questions out of the prompt's history.
  func forget(questions: Set<String>, isEverything: Bool) {
    let isForgotten: (String) -> Bool = {
      isEverything || questions.contains($0.trimmingSpaces()) || questions.contains(MultilineQuotes.unwrapped($0))
    }
    if let editor {
      editor.history.remove(where: isForgotten)
    } else {
      var history = History(path: directories.historyFile.path)
      history.remove(where: isForgotten)
    }
  }
}
