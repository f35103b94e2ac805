import Assistant
import Foundation
import ModelStore
import Terminal

/// What every command works with: where it writes, what it was told, and the parts it opens when it needs them.
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
  private let settingChanges: [String]
  private var loadedSettings: Settings?
  let nameCache = NameCache()
  var openedWorkspace: Workspace?
  var openedSession: Session?
  /// The session asked for by `--session`.
  let requestedSession: Int?
  /// The model asked for by `--model`.
  let requestedModel: String?
  /// The model that answers, once loaded.
  var loadedModel: LanguageModelBackend?
  /// What starts the download process, where the command at hand may use it.
  let fetchLauncher: FetchLauncher?
  /// The models on this machine, once asked for.
  var openedModelStore: ModelStore?
  /// What is loaded, and what would go first.
  var residency = Residency()
  /// How models of a kind but the one that answers are unloaded.
  var unloaders: [Residency.Kind: @MainActor () async -> Void] = [:]
  /// Whether a model is loaded although it seems not to fit.
  var isForced: Bool
  /// Whether `--continue` was given.
  let continuesLast: Bool
  var lastAnswer: AnswerRecord?
  /// The session and the documents that the model's cache comes from; nil where nothing of it may be kept.
  var stateOrigins: Set<String>?
  /// What the model's answers of this run took.
  var measured: [AnswerMetrics] = []
  /// The line editor, at the prompt.
  var editor: LineEditor?
  /// What the numbers of the last answer or listing stand for.
  var places: [Place] = []
  /// Whether a command or an answer is at work, at the prompt.
  var isBusy = false
  /// What makes vectors while the prompt waits.
  var embeddingTask: Task<Void, Never>?
  /// The picture made last, which "draw it again" means.
  var lastPicture: PictureReport?
  /// What keeps and makes pictures, once needed.
  var openedIllustrator: Illustrator?
  /// The model for pictures asked for by `image --model`.
  var requestedPictureModel: String?
  /// The model that makes pictures, once opened.
  var openedPictureModel: OpenedPictureModel?
  /// What lets go of it after a while.
  var pictureUnloading: Task<Void, any Error>?
  /// What tells requests for pictures from questions, once needed.
  var openedRouter: Router?
  /// How the terminal shows pictures, once asked.
  var pictureManner: PictureManner?
  /// Set by `/quit`.
  var isLeaving = false

  init(
    _ invocation: Invocation?, environment: [String: String], fetchLauncher: FetchLauncher? = nil
  ) throws(UsageError) {
    self.environment = environment
    self.fetchLauncher = fetchLauncher
    directories = Directories(environment: environment)
    settingChanges = invocation?.list("set") ?? []
    requestedSession = invocation?.integer("session")
    requestedModel = invocation?.value("model")
    continuesLast = invocation?.has("continue") ?? false
    isForced = invocation?.has("force") ?? false
    let choice = Self.colorChoice(invocation, directories: directories, environment: environment)
    func channel(_ file: Int32) -> OutputChannel {
      let ink = Ink(isColoured: choice.isColoured(isTerminal: isatty(file) == 1, environment: environment))
      return OutputChannel(file: file, ink: ink)
    }
    (output, errors) = (channel(STDOUT_FILENO), channel(STDERR_FILENO))
  }

  /// The flag, else the setting. Settings that cannot be read are complained of where they are needed.
  private static func colorChoice(
    _ invocation: Invocation?, directories: Directories, environment: [String: String]
  ) -> ColorChoice {
    if let choice = invocation?.value("color").flatMap(ColorChoice.init) { return choice }
    guard let installation = try? Installation(environment: environment),
      let settings = try? Settings(
        declarations: installation.defaults, userFile: directories.settingsFile, environment: environment)
    else { return .auto }
    return ColorChoice(rawValue: settings.text("terminal.color")) ?? .auto
  }

  /// The settings in force, read when first asked for.
  func settings() throws -> Settings {
    if let loadedSettings { return loadedSettings }
    var settings = try Settings(
      declarations: Installation(environment: environment).defaults, userFile: directories.settingsFile,
      environment: environment)
    for change in settingChanges {
      guard let sign = change.firstIndex(of: "=") else {
        throw UsageError(message: "--set takes NAME=VALUE, not '\(change)'")
      }
      try settings.set(String(change[..<sign]), to: String(change[change.index(after: sign)...]), origin: .flag)
    }
    loadedSettings = settings
    return settings
  }

  /// Changes a setting until the program ends; a model that is loaded heeds it from the next answer on.
  /// - Parameter isRemembered: whether the session keeps it too, for when it is resumed.
  func set(_ name: String, to value: String, isRemembered: Bool = false) async throws {
    var settings = try settings()
    try settings.set(name, to: value, origin: .session)
    loadedSettings = settings
    let name = settings.canonical(name) ?? name
    if isRemembered, name.hasPrefix("model.") || name.hasPrefix("answer.") {
      try await openedSession?.remember(name, value)
    }
    guard name.hasPrefix("model.") || name.hasPrefix("answer."), loadedModel != nil else { return }
    if ["model.context", "model.threads", "model.draft"].contains(name) {
      notice("It holds when the model is loaded again.")
    }
    try await refreshModel()
  }

  /// Lets the loaded model answer by the settings in force.
  func refreshModel() async throws {
    guard let model = loadedModel else { return }
    let texts = try PromptTexts(folder: Installation(environment: environment).prompts)
    let changed = model.with(LanguageModelBackend.Settings(try settings(), texts: texts))
    loadedModel = changed
    await openedSession?.use(changed)
  }

  /// Takes up the settings that a session was given.
  func applySettings(of session: Session) async throws {
    for (name, value) in try await session.rememberedSettings().sorted(by: { $0.key < $1.key }) {
      // A setting that this version does not know any more is passed over.
      try? await set(name, to: value)
    }
  }

  /// Lets the settings that were kept for a model hold.
  func useSettings(ofModel name: String) async throws {
    var settings = try settings()
    settings.use(model: name)
    loadedSettings = settings
    try await refreshModel()
  }

  /// Whether thoughts are shown as they come.
  var showsThinking: Bool { (try? settings().text("model.thinking")) == "show" }

  /// The columns that text for people is laid out in.
  var width: Int { min(output.columns ?? 80, 100) }

  /// Help as it reads on this output.
  func help(_ surface: Surface) -> HelpText { HelpText(ink: output.ink, width: width, surface: surface) }

  /// Says on stderr what went wrong.
  func complain(_ message: String) {
    output.flush()
    errors.writeLine(errors.ink("alcove: ", .failure) + TextSanitizer.text(message))
  }

  /// Says something beside the answer, where a person may read it.
  func notice(_ message: String) {
    guard errors.isTerminal else { return }
    output.flush()
    errors.writeLine(errors.ink(TextSanitizer.text(message), .dim))
  }

  /// Runs a command, with what goes wrong told and turned into an exit code.
  func run(_ invocation: Invocation) async -> ExitCode {
    guard let command = invocation.path.last else { return .usage }
    defer {
      output.flush()
      errors.flush()
    }
    do {
      return try await command.action(invocation, self)
    } catch let error as UsageError {
      return complain(error, surface: invocation.surface)
    } catch is CancellationError {
      return .interrupted
    } catch {
      let (sentence, code) = Failure.explain(error)
      complain(sentence)
      return code
    }
  }

  /// Says what is wrong with the arguments and where to read more.
  func complain(_ error: UsageError, surface: Surface) -> ExitCode {
    complain(error.message)
    let name = ArgumentParser.name(error.path)
    let more = surface == .prompt ? "/help \(name)" : "alcove \(name)\(name.isEmpty ? "" : " ")--help"
    if surface == .shell || !error.path.isEmpty { errors.writeLine("(\(more.trimmingSpaces()) tells more)") }
    return .usage
  }

  /// Does something that the first Ctrl-C stops by cancelling it.
  func interruptible<Value: Sendable>(_ work: @escaping @MainActor @Sendable () async throws -> Value) async throws
    -> Value
  {
    let task = Task { try await work() }
    let outer = interrupts.onInterrupt { task.cancel() }
    defer { interrupts.onInterrupt(outer) }
    return try await task.value
  }
}
