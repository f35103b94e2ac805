import Assistant
import Foundation
import ModelStore
import Platform
import Terminal

extension Failure {
  /// Says what is wrong with the models on this machine, or nil for another kind of error.
  static func explainModelStore(_ error: any Error) -> (sentence: String, code: ExitCode)? {
    switch error {
    case let error as ModelHostError: (ErrorSentence.describe(error), code(error))
    case let error as DownloadError: (ErrorSentence.describe(error), .notFound)
    case let error as WorkspaceError: (ErrorSentence.describe(error), .notFound)
    case let error as ModelStoreError: explain(error)
    case let error as FetchFailure: (error.reason, error.isMemoryRefusal ? .doesNotFit : .failure)
    default: nil
    }
  }

  private static func code(_ error: ModelHostError) -> ExitCode {
    switch error {
    case .noModelFile, .noPictureModel: .notFound
    case .tooLarge, .noRoom: .doesNotFit
    }
  }

  private static func explain(_ error: ModelStoreError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let path, let call, let code):
      ("\(path) cannot be used (\(call)): \(SystemMessage.of(code))", code == ENOENT ? .notFound : .failure)
    case .database(let error): (ErrorSentence.describe(error), .failure)
    case .catalogue(let path, let reason): ("the catalogue \(path) cannot be read: \(reason)", .failure)
    case .unknown(let name):
      (
        "there is no model '\(name)'; `alcove models list` and `alcove models catalog` show those there are",
        .notFound
      )
    case .exists(let name):
      ("there is a model called \(name) already; `alcove models remove` makes room", .failure)
    case .notAModel(let path, let fault): ("\(path) \(ErrorSentence.describe(fault))", .integrity)
    case .badAddress(let text, let reason): ("'\(text)' cannot be fetched: \(reason)", .usage)
    case .diskFull(let missing, let path):
      ("\(path) lacks \(missing.formatted(.byteCount(style: .memory))) of room", .failure)
    case .wrongHash(let path, let expected, let found):
      ("\(path) has the SHA-256 \(found), not \(expected)", .integrity)
    case .busy(let name): ("\(name) is being fetched by another Alcove from another address", .failure)
    }
  }
}
