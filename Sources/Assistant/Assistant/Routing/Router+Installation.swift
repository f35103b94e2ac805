import Analysis
import Foundation
import Images
import Sketching

extension Router {
  /// Creates a router from the installation's rules of conversation and the things that the sketcher can draw.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``, `AnalysisError`, or Foundation's error of an
  ///   unreadable file.
  package init(_ installation: Installation) throws {
    try self.init(installation, things: SketchVocabulary(folder: installation.sketches).names)
  }

  /// Creates a router from the installation's rules of conversation.
  init(_ installation: Installation, things: some Sequence<String>) throws {
    let text = try String(contentsOf: installation.rules.appending(path: "replies.txt"), encoding: .utf8)
    self.init(things: things, conversation: try Conversation(parsing: text))
  }
}
