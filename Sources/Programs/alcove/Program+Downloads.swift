import Assistant
import Foundation
import ModelStore

/// What the prompt does about downloads that go on without it.
extension Program {
  /// The store of models where a download was ever asked for; elsewhere there is nothing to tell, and nothing to open.
  private var storeWithDownloads: ModelStore? {
    guard FileManager.default.fileExists(atPath: directories.models.appending(path: "models.db").path) else {
      return nil
    }
    // Where the store cannot be opened, the command that needs it says why.
    return try? modelStore()
  }

  /// Tells, once, of downloads that ended in the background.
  func announceDownloads() async {
    guard let ended = try? await storeWithDownloads?.takeAnnouncements() else { return }
    for record in ended {
      notice(
        record.status == .completed
          ? "\(record.file) is here: `/models use \(record.file)` lets it answer."
          : "\(record.file) could not be fetched: "
            + (record.reason.map(Failure.sentence(ofDownload:)) ?? "no reason given"))
    }
  }

  /// Goes on with downloads in the background that a crash or a restart of the machine interrupted, and names those that
  /// somebody waited for.
  func resumeDownloads() async {
    // What cannot be read here is told of by the commands about models.
    guard fetchLauncher != nil, let interrupted = try? await storeWithDownloads?.interrupted() else { return }
    let goesOn = (try? settings().isOn("models.resume")) ?? true
    for record in interrupted {
      let share = record.total > 0 ? " at \(record.bytes * 100 / record.total) %" : ""
      if record.isBackground, goesOn, (try? startInBackground(record)) != nil {
        notice("\(record.file) was interrupted\(share) and goes on; `/models pause \(record.id)` stops it.")
      } else {
        notice("\(record.file) was interrupted\(share); `/models resume \(record.id)` goes on.")
      }
    }
  }
}
