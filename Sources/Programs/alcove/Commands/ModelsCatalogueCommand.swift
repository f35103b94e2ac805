import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let modelsCatalogue = Command(
    name: "catalog", aliases: ["catalogue"],
    summary: "show models worth fetching, and how each goes with this machine",
    details: """
      The verdict is estimated from each model's own numbers (weights, KV cache of the context, work space) and the \
      memory that is free now, limits of control groups included. The quantization shown is the one that suits this \
      machine; the first model is the one to begin with. A file catalog.json in the settings folder adds entries to the \
      list, or changes those of the same name.
      """,
    options: [
      Option(name: "kind", value: ("KIND", .choice(CatalogueListing.kinds)), help: "only this kind"),
      Option(name: "json", help: "write JSON"),
    ],
    examples: ["alcove models catalog", "alcove models pull qwen2.5-3b"]
  ) { invocation, program in
    let listing = try CatalogueListing(program.models, kind: invocation.value("kind"))
    if invocation.has("json") {
      program.output.writeLine(listing.json.text)
    } else {
      var table = Table(columns: [
        .init("name"), .init("form"), .init("file", isRightAligned: true), .init("at 4k", isRightAligned: true),
        .init("at 16k", isRightAligned: true), .init("verdict"), .init("good for", isFlexible: true),
      ])
      for row in listing.rows { table.add(row) }
      program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
      program.output.writeLine(listing.note)
    }
    return .ok
  }
}
