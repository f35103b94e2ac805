import Foundation
import Platform

extension ErrorSentence {
  /// Says which file Foundation could not read or write, and why in the system's words.
  static func describe(_ error: CocoaError) -> String {
    let reason =
      (error.underlying as? POSIXError).map { SystemMessage.of($0.code.rawValue) }
      ?? (error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
        ? SystemMessage.of(ENOENT) : error.localizedDescription)
    guard let path = error.filePath ?? error.url?.path else { return reason }
    return "\(path) cannot be used: \(reason)"
  }
}
