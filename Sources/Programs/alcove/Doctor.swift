import Assistant
import Compute
import Foundation
import Ingestion
import ModelStore
import Persistence
import Platform
import Retrieval
import Terminal
import TextGeneration
import Threading

/// Looks at everything Alcove needs and says what is wrong with it, and the way out.
@MainActor
final class Doctor {
  /// How one thing stands.
  enum Status: String, Sendable {
    case ok, warning, failed
  }

  /// One line of the report.
  struct Finding: Sendable {
    let name: String
    let status: Status
    let detail: String
    /// What to do about it.
    var wayOut: String?
  }

  let program: Program
  private(set) var findings: [Finding] = []
  private let report: (Finding) -> Void

  init(_ program: Program, report: @escaping (Finding) -> Void) {
    self.program = program
    self.report = report
  }

  /// Examines all; what is found is told as it is found.
  func examine(hashesModels: Bool) async {
    checkToolchain()
    checkPrograms()
    checkProcessor()
    checkMemory()
    checkDisk()
    checkDatabases()
    await checkIndex()
    await checkModels(hashesModels: hashesModels)
    await checkTextEngine()
    await checkEmbedder()
    await checkPictureEngines()
    checkConfinement()
  }

  func add(_ name: String, _ status: Status, _ detail: String, _ wayOut: String? = nil) {
    let finding = Finding(name: name, status: status, detail: detail, wayOut: wayOut)
    findings.append(finding)
    report(finding)
  }

  func explained(_ error: any Error) -> String { Failure.explain(error).sentence }

  // MARK: The machine

  private func checkPrograms() {
    do {
      let installation = try Installation(environment: program.environment)
      for name in ["alcove-reader", "alcove-fetch"] {
        let path = installation.programs.appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
          add("program \(name)", .failed, "not at \(path)", "run ./run install again")
          continue
        }
        let missing = Self.missingLibraries(of: path)
        if missing.isEmpty {
          add("program \(name)", .ok, path)
        } else {
          add(
            "program \(name)", .failed, "lacks \(missing.joined(separator: ", "))",
            "install these libraries with your system's package manager")
        }
      }
      add("resources", .ok, installation.root.path)
    } catch {
      add("resources", .failed, explained(error), "run ./run install again, or set ALCOVE_SHARE")
    }
    add("SQLite", .ok, Database.libraryVersion)
    do {
      _ = try program.settings()
      add("settings", .ok, program.directories.settingsFile.path)
    } catch {
      add("settings", .failed, explained(error), "mend or remove \(program.directories.settingsFile.path)")
    }
  }

  /// The libraries that the loader does not find.
  private static func missingLibraries(of path: String) -> [String] {
    let environment = ProcessInfo.processInfo.environment.merging(["LD_TRACE_LOADED_OBJECTS": "1"]) { $1 }
    guard let (_, text) = ChildOutput.of(path, environment: environment) else {
      return ["a loader that can start it"]
    }
    return text.split(separator: "\n").filter { $0.contains("not found") }.map {
      String($0.split(separator: " ").first ?? "").trimmingCharacters(in: .whitespaces)
    }
  }

  private func checkProcessor() {
    let set = InstructionSet.best
    let cores = ProcessorCount.usable
    let isSlow = "\(set)" == "scalar"
    add(
      "processor", isSlow ? .warning : .ok, "\(set) kernels on \(cores) core\(cores == 1 ? "" : "s")",
      isSlow ? "models will be slow: this processor has none of the vector instructions that the kernels use" : nil
    )
    let power = PowerCondition(root: program.environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    if !power.strains.isEmpty {
      add(
        "power and heat", .warning, power.strains.map(Self.text).joined(separator: ", "),
        "models run with less context and fewer threads meanwhile (power.step-down)")
    } else {
      add("power and heat", .ok, "nothing strains the machine")
    }
  }

  private static func text(_ strain: PowerCondition.Strain) -> String {
    switch strain {
    case .battery(let percent): "the battery is at \(percent) %"
    case .lowPowerProfile: "the low-power profile is on"
    case .throttled: "the processor is throttled for heat"
    }
  }

  private func checkMemory() {
    let memory = program.models.memory()
    let limit = memory.limitedBy.map { ", limited by \($0)" } ?? ""
    let detail = "\(Program.size(memory.available)) of \(Program.size(memory.total)) free\(limit)"
    add(
      "memory", memory.available < 1 << 30 ? .warning : .ok, detail,
      memory.available < 1 << 30 ? "close other programs before a model is loaded" : nil)
  }

  private func checkDisk() {
    for (name, folder) in [("data", program.directories.data), ("state", program.directories.state)] {
      do {
        try program.directories.prepare()
        let values = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (values[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        let status: Status = free < 64 << 20 ? .failed : free < 1 << 30 ? .warning : .ok
        add(
          "disk of \(name)", status, "\(Program.size(free)) free at \(folder.path)",
          status == .ok ? nil : "free some space; `alcove models list` shows what models take")
      } catch {
        add("disk of \(name)", .failed, explained(error), "set ALCOVE_HOME to a folder of your own")
      }
    }
  }

  // MARK: What is stored

  private func checkDatabases() {
    let places = [
      ("library", program.directories.libraryDatabase),
      ("sessions, tickets, telemetry", program.directories.stateDatabase),
      ("models", program.directories.models.appending(path: "models.db")),
    ]
    for (name, url) in places {
      switch Database.examine(url) {
      case nil: add("database of \(name)", .ok, "not there yet")
      case let problems? where problems.isEmpty:
        add("database of \(name)", .ok, "sound (quick_check, foreign keys)")
      case let problems?:
        add(
          "database of \(name)", .failed, problems.prefix(3).joined(separator: "; "),
          "restore a backup (`alcove restore FILE`), or move \(url.path) away to begin anew")
      }
    }
  }

  private func checkIndex() async {
    guard FileManager.default.fileExists(atPath: program.directories.libraryDatabase.path) else {
      return add("index", .ok, "there is no library yet")
    }
    do {
      let library = try await program.workspace().library
      let repaired = try await library.verify()
      add(
        "index", repaired == 0 ? .ok : .warning,
        repaired == 0
          ? "it goes with the documents" : "\(repaired) damaged segments were made anew from the documents")
      let isSound = try await library.vectorSegmentsAreSound()
      add(
        "vectors", isSound ? .ok : .warning,
        isSound ? "as they were written" : "damaged files of vectors are made anew by the next search")
    } catch {
      add("index", .failed, explained(error), "restore a backup (`alcove restore FILE`)")
    }
  }

  private func checkModels(hashesModels: Bool) async {
    do {
      let store = try program.models.store()
      let models = try await store.models()
      if models.isEmpty { add("models", .ok, "none; `alcove models catalog` shows some") }
      for model in models {
        switch model.presence {
        case .gone:
          add(
            "model \(model.name)", .failed, "gone from \(model.path)",
            "`alcove models remove \(model.name)`, and fetch or import it again")
          continue
        case .changed:
          add(
            "model \(model.name)", .warning, "changed since it came",
            "`alcove models verify \(model.name) --repair`")
          continue
        case .present: break
        }
        do {
          _ = try ModelFile(at: model.path)
          if hashesModels {
            let check = try await program.check(model, in: store)
            if let fault = check.fault {
              add("model \(model.name)", .failed, fault, "`alcove models verify \(model.name) --repair`")
              continue
            }
          }
          add(
            "model \(model.name)", .ok,
            hashesModels ? "present, readable, as it came" : "present and readable; --hash reads it whole")
        } catch {
          add("model \(model.name)", .failed, explained(error), "`alcove models verify \(model.name) --repair`")
        }
      }
    } catch {
      add("models", .failed, explained(error), "look at \(program.directories.models.path)")
    }
  }

  // MARK: The engines

  private func checkTextEngine() async {
    do {
      guard let model = try await program.models.model() else {
        return add("text engine", .ok, "no model is chosen; the rule-based analysis answers")
      }
      var settings = LanguageModelBackend.Settings(
        try program.settings(),
        texts: try PromptTexts(folder: Installation(environment: program.environment).prompts))
      settings.tokenLimit = 10
      var metrics: AnswerMetrics?
      for try await output in model.with(settings).answer(LocalRequest(history: [], question: "Count to ten.")) {
        if case .finished(let found) = output { metrics = found }
      }
      guard let metrics, metrics.generatedTokens > 0 else {
        return add(
          "text engine", .warning, "\(model.name) says nothing", "try another model (`alcove models use`)")
      }
      let speed = metrics.decodeTokensPerSecond.formatted(.number.precision(.fractionLength(1)))
      let first = metrics.timeToFirstToken.formatted(.number.precision(.fractionLength(2)))
      let isSlow = metrics.timeToFirstToken > 2
      add(
        "text engine", isSlow ? .warning : .ok,
        "\(model.name): \(metrics.generatedTokens) tokens, the first after \(first) s, \(speed) a second",
        isSlow ? "a smaller quantization is faster; heat and other programs slow it down" : nil)
    } catch {
      add(
        "text engine", .failed, explained(error),
        "choose another model (`alcove models use`), or none (`alcove models off`)")
    }
  }

  private func checkEmbedder() async {
    do {
      let installation = try Installation(environment: program.environment)
      let named = try program.settings().text("embedder.file")
      guard named != "off" else { return add("embedder", .ok, "off; search goes by words") }
      let path = named.isEmpty ? installation.embedder.path : program.absolutePath(named)
      let started = ContinuousClock.now
      let embedder = try TextEmbedder(path: path)
      let embedding = try await embedder.embed(["Where is the spare key?"])
      let norm = embedding.first.map { $0.vector.reduce(0) { $0 + $1 * $1 } } ?? 0
      let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
      let isSound = norm.isFinite && norm > 0.5
      add(
        "embedder", isSound ? .ok : .failed,
        "\(embedder.name ?? path): \(embedder.dimension) numbers a text, loaded and used in \(milliseconds) ms",
        isSound ? nil : "choose another embedder (`/set embedder.file`)")
    } catch {
      add("embedder", .failed, explained(error), "choose another embedder, or `off` (`/set embedder.file`)")
    }
  }

  // MARK: Confinement

  private func checkConfinement() {
    let open = NetworkLock.probe().filter { $0.error == 0 }.map(\.attempt)
    if open.isEmpty {
      add("seccomp", .ok, "internet sockets are refused to this process")
    } else {
      add(
        "seccomp", .failed, "allowed: \(open.joined(separator: ", "))",
        "`alcove privacy` shows what is refused; this kernel refuses too little")
    }
    guard let reader = try? Installation(environment: program.environment).reader else { return }
    let environment = ProcessInfo.processInfo.environment
    guard
      let (status, text) = ChildOutput.of(reader.path, [ReaderDescriptors.trialArgument], environment: environment)
    else { return add("reader's confinement", .failed, "it cannot be started", "run ./run install again") }
    let lines = text.split(separator: "\n")
    let allowed = lines.filter { $0.hasSuffix("allowed") }
    if !allowed.isEmpty || status != 0 {
      add(
        "reader's confinement", .failed, allowed.joined(separator: "; "),
        "foreign files are read with less protection")
    } else if lines.contains(where: { $0.contains("no Landlock") }) {
      add(
        "Landlock", .warning, "this kernel has none: readers can open any file of yours",
        "Linux 5.13 or newer has it")
    } else {
      add("Landlock", .ok, "readers of files are confined, tried just now")
    }
  }
}
