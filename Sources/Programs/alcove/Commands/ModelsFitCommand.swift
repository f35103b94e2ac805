import Assistant
import Terminal

extension Command {
  static let modelsFit = Command(
    name: "fit", summary: "estimate the memory a model takes, part by part, without loading it",
    arguments: [Argument(name: "MODEL", kind: .model)],
    options: [
      Option(
        name: "context", value: ("TOKENS", .integer(1...(1 << 24))), help: "with a context of so many tokens"),
      Option(
        name: "cache", value: ("FORM", .choice(ModelFit.cacheForms)),
        help: "how keys and values are kept"),
      Option(name: "json", help: "write JSON"),
    ]
  ) { invocation, program in
    let fit = try program.models.judge(
      model: invocation.value("MODEL") ?? "", context: invocation.integer("context"),
      cache: invocation.value("cache"))
    if invocation.has("json") {
      program.output.writeLine(fit.json.text)
    } else {
      for line in fit.lines { program.output.writeLine(line) }
    }
    return fit.fits ? .ok : .doesNotFit
  }
}
