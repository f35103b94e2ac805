import Foundation
import ModelStore
import Platform

extension Explanation {
  /// Returns the explanation of an error of the models on this machine; nil for another kind of error.
  static func ofModelStore(_ error: any Error) -> Explanation? {
    guard let error = error as? ModelStoreError else { return nil }
    let (sentence, code) = describe(error)
    return Explanation(sentence, code)
  }

  private static func describe(_ error: ModelStoreError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let path, let call, let code):
      (
        "\(path) cannot be used (\(call)): \(SystemMessage.of(code))",
        code == ENOENT ? .notFound : .failure
      )
    case .database(let error): (ErrorSentence.describe(error), .failure)
    case .catalogue(let path, let fault): ("the catalogue \(path) cannot be read: \(describe(fault))", .failure)
    case .unknown(let name):
      (
        "there is no model '\(name)'; `alcove models list` and `alcove models catalog` show those there are",
        .notFound
      )
    case .exists(let name):
      ("there is a model called \(name) already; `alcove models remove` makes room", .failure)
    case .notAModel(let path, let fault): ("\(path) \(ErrorSentence.describe(fault))", .integrity)
    case .badAddress(let text, let fault): ("'\(text)' cannot be fetched: \(describe(fault))", .usage)
    case .diskFull(let missing, let path):
      ("\(path) lacks \(missing.formatted(.byteCount(style: .memory))) of room", .failure)
    case .wrongHash(let path, let expected, let found):
      ("\(path) has the SHA-256 \(found), not \(expected)", .integrity)
    case .busy(let name): ("\(name) is being fetched by another Alcove from another address", .failure)
    }
  }

  private static func describe(_ fault: CatalogueFault) -> String {
    switch fault {
    case .unknownVersion(let version): "version \(version) is not known"
    case .incompleteEntry(let name): "'\(name)' lacks a size or a file"
    case .unreadable(let detail): detail
    }
  }

  private static func describe(_ fault: AddressFault) -> String {
    switch fault {
    case .empty: "it is empty"
    case .badHubForm: "the form is hf:OWNER/REPO or hf:OWNER/REPO/FILE"
    case .badScheme: "only https addresses, and http ones of hosts you name, can be fetched"
    case .noFileName: "it does not end in a file name; --as NAME gives one"
    }
  }
}
