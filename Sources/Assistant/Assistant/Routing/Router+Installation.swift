import Analysis
import Foundation
import Images
import Sketching

extension Router {
  /// A router that knows what the sketcher can draw.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``.
  package init(_ installation: Installation) throws(ImageError) {
    self.init(things: try SketchVocabulary(folder: installation.sketches).names)
  }

  /// Where sentences go, small talk told by the installation's rules.
  package func routes(_ sentences: [String], rules installation: Installation) throws -> [Route] {
    let text = try String(contentsOf: installation.rules.appending(path: "replies.txt"), encoding: .utf8)
    let conversation = try Conversation(parsing: text)
    return sentences.map { route($0, isSmallTalk: conversation.reply(to: $0) != nil) }
  }
}
