import Analysis
import Assistant
import Foundation
import Sketching
import Testing

/// The sentences of `Router/sentences.txt`, and those the design names.
struct RouterTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()

  private static func router() throws -> Router {
    let sketches = root.appending(path: "../../Resources/Sketches").standardizedFileURL
    let replies = root.appending(path: "../../Resources/Rules/replies.txt").standardizedFileURL
    return Router(
      things: try SketchVocabulary(folder: sketches).names,
      conversation: try Conversation(parsing: String(contentsOf: replies, encoding: .utf8)))
  }

  @Test func atLeast118Of120AreRight() throws {
    let router = try Self.router()
    let file = Self.root.appending(path: "Router/sentences.txt")
    let sentences = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    #expect(sentences.count == 120)
    let wrong = sentences.filter { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      return (router.route(String(parts[1])).kind == .image) != (parts[0] == "image")
    }
    #expect(wrong.count <= 2, "\(wrong)")
  }

  @Test(arguments: [
    ("what is Stable Diffusion?", false), ("sketch out a plan", false),
    ("explain the picture of Dorian Gray", false),
    ("illustrate with an example", false), ("imagine a cat on the moon", true),
    ("draw me a lighthouse at dusk", true),
    ("Draw me a lighthouse at dusk.", true),
  ])
  func namedSentencesAreRight(sentence: String, isPicture: Bool) throws {
    #expect(try Self.router().asksForPicture(sentence) == isPicture)
  }

  @Test func oddSentencesAreRouted() throws {
    let router = try Self.router()
    for text in ["", " ", "?", "draw", String(repeating: "draw a ", count: 3000), "\u{0}", "of of of", "…"] {
      _ = router.route(text)
    }
  }
}
