import Foundation
import ModelStore
import Persistence
import Retrieval

/// Checks of the databases, the index and the models.
extension Doctor {
  func checkDatabases() {
    let places = [
      ("library", access.directories.libraryDatabase),
      ("sessions, tickets, telemetry", access.directories.stateDatabase),
      ("models", access.directories.models.appending(path: "models.db")),
    ]
    for (name, url) in places {
      switch Database.examine(url) {
      case nil: add("database of \(name)", .ok, "not there yet")
      case let problems? where problems.isEmpty:
        add("database of \(name)", .ok, "sound (quick_check, foreign keys)")
      case let problems?:
        add(
          "database of \(name)", .failed, problems.prefix(3).joined(separator: "; "),
          "restore a backup (`alcove restore FILE`), or move \(url.path) away to start with an empty one")
      }
    }
  }

  func checkIndex() async {
    guard FileManager.default.fileExists(atPath: access.directories.libraryDatabase.path) else {
      return add("index", .ok, "there is no library yet")
    }
    do {
      let library = try await access.workspace().library
      let repaired = try await library.verify()
      add(
        "index", repaired == 0 ? .ok : .warning,
        repaired == 0
          ? "it agrees with the documents" : "\(repaired) damaged segments were rebuilt from the documents")
      let isSound = try await library.vectorSegmentsAreSound()
      add(
        "vectors", isSound ? .ok : .warning,
        isSound ? "undamaged" : "the next search rebuilds damaged files of vectors")
    } catch {
      add("index", .failed, Explanation.of(error).sentence, "restore a backup (`alcove restore FILE`)")
    }
  }

  func checkModels(hashesModels: Bool) async {
    do {
      let store = try access.models.store()
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
            if let fault = try await access.models.check(model).fault?.sentence {
              add("model \(model.name)", .failed, fault, "`alcove models verify \(model.name) --repair`")
              continue
            }
          }
          add(
            "model \(model.name)", .ok,
            hashesModels ? "present, readable, as it came" : "present and readable; --hash reads it whole")
        } catch {
          add(
            "model \(model.name)", .failed, Explanation.of(error).sentence,
            "`alcove models verify \(model.name) --repair`")
        }
      }
    } catch {
      add("models", .failed, Explanation.of(error).sentence, "look at \(access.directories.models.path)")
    }
  }
}
