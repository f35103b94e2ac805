import Analysis
import ChatTemplates
import Compute
import Diffusion
import Documents
import Entitlements
import Foundation
import Grammars
import Images
import ModelFormats
import ModelStore
import Persistence
import Platform
import Retrieval
import TextGeneration

/// Errors as a person reads them: what happened, to which file, and the way out.
package enum ErrorSentence {
  /// Returns the sentence for any error of this package; for a foreign one, its own description.
  package static func describe(_ error: any Error) -> String {
    switch error {
    case let error as DatabaseError: describe(error)
    case let error as LibraryError: describe(error)
    case let error as DirectoryError: describe(error)
    case let error as InstallationError: describe(error)
    case let error as AnalysisError: describe(error)
    case let error as SessionError: describe(error)
    case let error as SettingError: describe(error)
    case let error as ModelHostError: describe(error)
    case let error as DownloadError: describe(error)
    case let error as DownloadReason: describe(error)
    case let error as FetchFailure: describe(error)
    case let error as WorkspaceError: describe(error)
    case let error as ReadingFailure: describe(error)
    case let error as ImageError: describe(error)
    case let error as DiffusionError: describe(error)
    case GalleryError.noPicture(let id): "there is no picture \(id) in the gallery"
    case TicketError.ledger(let error): describe(error)
    case TicketError.access(let error): describe(error)
    case let error as LocalModelAccessError: describe(error)
    case ContextError.doesNotFit(let needed, let room):
      "the question takes \(needed) tokens, but the model's window leaves room for \(room); shorten it, or "
        + "raise model.context"
    case ContextError.leftOut(let parts): describe(parts) + "; shorten it, or raise model.context"
    case let error as TextGenerationError: describe(error)
    case let error as ComputeError: describe(error)
    case let error as GGUFError: describe(error)
    case let error as SafetensorsError: describe(error)
    case let error as GrammarError: describe(error)
    case let error as SchemaError: describe(error)
    case let error as TemplateError: "the model's chat template cannot be used: \(error)"
    case let error as CocoaError: describe(error)
    case let error as POSIXError: SystemMessage.of(error.code.rawValue)
    default: "\(error)"
    }
  }

  /// Says what did not fit into a model's context window.
  package static func describe(_ parts: [LeftOut]) -> String {
    let names = parts.map { part in
      switch part {
      case .passagesOfTurns(let count): "the passages of \(count) earlier \(count == 1 ? "answer" : "answers")"
      case .turns(let count): count == 1 ? "the oldest turn" : "the \(count) oldest turns"
      case .passages(let count): "\(count) of the passages found"
      case .beginning(let tokens, let all): "the first \(tokens) of \(all) tokens of the question"
      }
    }
    return "the model's window does not hold " + names.joined(separator: ", and ")
  }

  static func describe(_ error: DatabaseError) -> String {
    switch error {
    case .failed(_, let message, let sql):
      if error.isFull { return "the disk is full; free some space and try again (nothing was lost)" }
      if error.isBusy { return "another Alcove has held the database for ten seconds; close it or try again" }
      return "the database refused: \(message) (in \(sql.prefix(60)))"
    case .newer(let found, let known, let path):
      return
        "\(path) was made by a newer Alcove (format \(found), this one knows \(known)); it is left as it is. "
        + "Update Alcove."
    case .malformed(let column, let value):
      return
        "the database holds something unexpected in \(column): '\(value.prefix(60))'; `alcove doctor` checks it"
    }
  }

  private static func describe(_ error: DirectoryError) -> String {
    switch error {
    case .notCreated(let path, let reason): "the directory \(path) cannot be used: \(reason)"
    case .foreignOwner(let path, let owner):
      "\(path) belongs to user \(owner), not to you; Alcove does not keep private things there. Set "
        + "ALCOVE_HOME to a place of your own."
    case .foreignLink(let path, let owner):
      "\(path) is a symbolic link that user \(owner) controls; Alcove does not follow it. Set ALCOVE_HOME to "
        + "a place of your own."
    }
  }

  private static func describe(_ error: InstallationError) -> String {
    switch error {
    case .resourcesMissing(let looked):
      "Alcove's own files (Resources, Config) are not where they should be. Looked in: "
        + "\(looked.prefix(3).joined(separator: ", ")). Run ./run install again, or set ALCOVE_SHARE."
    }
  }

  private static func describe(_ error: AnalysisError) -> String {
    let (file, fault) =
      switch error {
      case .badRule(let file, let line): (file, "line \(line) is no rule")
      case .missingPhrase(let file, let key): (file, "the phrase \(key) is missing")
      case .incompleteTopic(let file, let topic): (file, "the topic \(topic) has no pattern or nothing to say")
      }
    return "Alcove's own file Rules/\(file) is not sound: \(fault). Mend it, or run ./run install again."
  }

  private static func describe(_ error: SessionError) -> String {
    switch error {
    case .blocked(let consumed, let allowance):
      "no local run is left on this plan (\(consumed) of \(allowance) used); `alcove plan` shows the ways on"
    case .noModel: "no local model is loaded; name one with --model FILE"
    case .busy: "an answer is still under way"
    case .nothingToUndo: "there is nothing to take back in this session"
    case .nothingToCompact: "there is too little in this session to sum up"
    case .noSession(let id): "there is no session \(id); /sessions lists them"
    }
  }

  private static func describe(_ error: LocalModelAccessError) -> String {
    switch error {
    case .previewsExhausted(let consumed, let reserved, let allowance):
      "all \(allowance) previews of this plan are taken (\(consumed) used, \(reserved) under way); `alcove "
        + "plan` shows the ways on"
    }
  }

  /// Says why a file was not read.
  package static func describe(_ failure: ReadingFailure) -> String {
    switch failure {
    case .emptyText(let pages) where pages > 1:
      "it has no text on any of its \(pages) pages; if it is a scan, run it through OCR first"
    case .emptyText: "it holds no text; if it is a scan, run it through OCR first"
    case .encrypted: "it is protected by a password; give it with --password"
    case .wrongPassword: "the password does not open it"
    case .damaged(let detail): "it is damaged: \(detail)"
    case .limit(let limit, let number): describe(limit, number)
    case .binary: "it is not text, and in no form that can be read"
    case .unsupported(let detail): detail
    case .timeout(let seconds):
      "its reader was still at work after \(seconds) seconds and was ended (limits.wall-seconds)"
    case .crashed(let signal): "its reader crashed (signal \(signal)); the file may be damaged"
    case .unreadable(let detail): "it cannot be opened: \(detail)"
    }
  }

  private static func describe(_ limit: ReadingLimit, _ number: Int) -> String {
    let size = ByteCountFormatter.string(fromByteCount: Int64(number), countStyle: .memory)
    return switch limit {
    case .fileBytes: "it is larger than \(size) (limits.file-bytes)"
    case .pages: "it has more than \(number) pages (limits.pages)"
    case .characters: "it has more than \(number) characters (limits.characters)"
    case .memory: "reading it takes more than \(size) of memory (limits.memory-bytes)"
    case .processorTime: "reading it takes more than \(number) seconds of processor time (limits.cpu-seconds)"
    case .unpackedBytes: "it unpacks to more than \(size), far more than a document needs"
    case .members: "it packs more than \(number) files"
    case .nesting: "its marks nest deeper than \(number)"
    }
  }
}
