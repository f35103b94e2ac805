import Terminal

/// Help, made from the command table.
struct HelpText {
  let ink: Ink
  let width: Int
  let surface: Surface

  private var mark: String { surface == .prompt ? "/" : "" }

  /// The whole program's help.
  func overview() -> String {
    var text = ""
    if surface == .shell {
      text += ink("alcove", .bold) + ": \(CommandTable.purpose)\n\n"
      text += "  alcove [OPTION…]                  open the prompt\n"
      text += "  alcove COMMAND [ARGUMENT…]        do one thing\n"
      text += "  alcove \"QUESTION\"                 the same as alcove ask\n\n"
    } else {
      text += "Ask a question, or give a command:\n\n"
    }
    let commands = CommandTable.visible(in: surface)
    text += section(surface == .shell ? "Commands" : nil, commands.map { (usage(of: [$0]), $0.summary) })
    if surface == .shell {
      text += section(
        "Options", (CommandTable.globalOptions + CommandTable.ownOptions).map { ($0.signature, $0.help) })
      text += "alcove COMMAND --help tells more; alcove man shows the manual.\n"
    } else {
      text += section("Keys", CommandTable.keys.map { ($0.keys, $0.meaning) })
      text += "/help COMMAND tells more.\n"
    }
    return text
  }

  /// One command's help.
  func command(_ path: [Command]) -> String {
    guard let command = path.last else { return overview() }
    let prefix = surface == .shell ? "alcove " : mark
    var text = ink(prefix + usage(of: path).drop { $0 == "/" }, .bold) + "\n\n"
    text += paragraphs(command.summary.capitalizedFirst() + ".")
    if !command.details.isEmpty { text += "\n" + paragraphs(command.details) }
    text += "\n"
    let below = command.subcommands.filter { $0.surface.contains(surface) }
    text += section("Commands", below.map { (usage(of: [$0]).drop { $0 == "/" }.description, $0.summary) })
    let options = (path.flatMap(\.options) + below.flatMap(\.options)).filter { $0.surface.contains(surface) }
    text += section("Options", Self.unique(options).map { ($0.signature, $0.help) })
    if !command.aliases.isEmpty {
      text += "Also: " + command.aliases.map { mark + $0 }.joined(separator: ", ") + "\n\n"
    }
    if !command.examples.isEmpty, surface == .shell {
      text += ink("Examples", .bold) + "\n" + command.examples.map { "  \($0)\n" }.joined() + "\n"
    }
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }

  private func usage(of path: [Command]) -> String {
    let synopsis = path.last?.synopsis ?? ""
    return mark + ArgumentParser.name(path) + (synopsis.isEmpty ? "" : " " + synopsis)
  }

  private static func unique(_ options: [Option]) -> [Option] {
    var seen: Set<String> = []
    return options.filter { seen.insert($0.name).inserted }
  }

  private func section(_ title: String?, _ rows: [(String, String)]) -> String {
    if rows.isEmpty { return "" }
    let widest = min(rows.map { CharacterWidth.columns(of: $0.0) }.max() ?? 0, 34)
    var text = title.map { ink($0, .bold) + "\n" } ?? ""
    for (name, meaning) in rows {
      let columns = CharacterWidth.columns(of: name)
      let gap = columns > widest ? "\n" + spaces(widest + 4) : spaces(widest - columns + 2)
      let lines = WordWrap.lines(meaning, columns: max(width - widest - 4, 20))
      text += "  " + name + gap + lines.joined(separator: "\n" + spaces(widest + 4)) + "\n"
    }
    return text + "\n"
  }

  private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { WordWrap.lines(String($0), columns: width) }.map { $0 + "\n" }.joined()
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}

extension String {
  /// The text with its first letter as a capital.
  func capitalizedFirst() -> String { prefix(1).uppercased() + dropFirst() }
}
