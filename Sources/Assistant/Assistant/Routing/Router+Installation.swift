import Analysis
import Foundation
import Images
import Sketching

extension Router {
  /// Creates a router from the installation's rules of conversation and the things that the sketcher can draw.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``, `AnalysisError`, or Foundation's error of an
  ///   unreadable file.
  package init(_ installation: Installation) throws {
    let text = try String(contentsOf: installation.rules.appending(path: "replies.txt"), encoding: .utf8)
    self.init(
      things: try SketchVocabulary(folder: installation.sketches).names,
      conversation: try Conversation(parsing: text))
  }
}
