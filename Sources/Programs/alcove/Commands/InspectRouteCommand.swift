import Assistant
import Foundation
import Terminal

extension Command {
  static let inspectRoute = Command(
    name: "route", surface: .shell, summary: "tell what sentences are taken for: chat, documents or image",
    details: "Each text is one sentence; - reads them from standard input, one on each line.",
    arguments: [Argument(name: "TEXT", kind: .text, isRepeated: true)],
    examples: ["alcove inspect route \"draw me a cat\" \"draw a conclusion\""]
  ) { invocation, program in
    var sentences = invocation.list("TEXT")
    if sentences == ["-"] {
      sentences = String(decoding: try ShellInput.data("-"), as: UTF8.self)
        .split(whereSeparator: \.isNewline).map(String.init)
    }
    let installation = try Installation(environment: program.environment)
    for route in try Router(installation).routes(sentences, rules: installation) {
      program.output.writeLine(route.rawValue)
    }
    return .ok
  }
}
