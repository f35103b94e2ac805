import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let inspectRoute = Command(
    name: "route", surface: .shell, summary: "tell where sentences go: chat, documents or image",
    details: """
      Each text is one sentence; - reads them from standard input, one on each line. It is the decision by which the prompt \
      answers, for a first sentence over a library with documents, without a model, unless the options say otherwise.
      """,
    arguments: [Argument(name: "TEXT", kind: .text, isRepeated: true)],
    options: [
      Option(name: "after-picture", help: "as if a picture was made right before"),
      Option(name: "follow-up", help: "as if a question was answered right before"),
      Option(name: "with-model", help: "as if a language model were loaded"),
      Option(name: "json", help: "write JSON: all that is decided"),
    ],
    examples: ["alcove inspect route \"draw me a cat\" \"draw a conclusion\""]
  ) { invocation, program in
    var sentences = invocation.list("TEXT")
    if sentences == ["-"] {
      sentences = String(decoding: try ShellInput.data("-"), as: UTF8.self)
        .split(whereSeparator: \.isNewline).map(String.init)
    }
    var context = RouteContext()
    context.picture = invocation.has("after-picture") ? .last : .none
    context.isFollowUp = invocation.has("follow-up") || invocation.has("after-picture")
    context.hasModel = invocation.has("with-model")
    let router = try Router(Installation(environment: program.environment))
    for sentence in sentences {
      let route = router.route(sentence, context)
      program.output.writeLine(invocation.has("json") ? json(sentence, route).text : route.kind.rawValue)
    }
    return .ok
  }

  private static func json(_ sentence: String, _ route: Route) -> JSON {
    .document(
      "route",
      [
        ("text", .string(sentence)), ("route", .string(route.kind.rawValue)), ("reply", .optional(route.reply)),
        ("fallsBackToChat", .bool(route.fallsBackToChat)),
        ("changesLastPicture", .bool(route.changesLastPicture)),
      ])
  }
}
