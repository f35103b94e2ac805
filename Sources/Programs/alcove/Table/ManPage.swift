import Assistant

/// The manual page in roff (man(7)), made from the command table.
enum ManPage {
  static func text() -> String {
    var page = """
      .TH ALCOVE 1 "" "Alcove \(CommandTable.version)" "User Commands"
      .SH NAME
      alcove \\- \(escaped(CommandTable.purpose))
      .SH SYNOPSIS
      .B alcove
      [\\fIOPTION\\fR]...
      .br
      .B alcove
      \\fICOMMAND\\fR [\\fIARGUMENT\\fR]...
      .SH DESCRIPTION
      Alcove reads your documents and answers questions about them, with citations of page and lines.
      It opens no network connection.
      Without a command it opens a prompt, where commands begin with a slash.
      .SH OPTIONS

      """
    page += (CommandTable.globalOptions + CommandTable.ownOptions).map(entry).joined()
    page += ".SH COMMANDS\n" + CommandTable.visible(in: .shell).map { section([$0], mark: "") }.joined()
    page +=
      ".SH AT THE PROMPT\n"
      + CommandTable.visible(in: .prompt)
      .map { item("/" + $0.name + " " + $0.synopsis, $0.summary.capitalizedFirst() + ".") }.joined()
    page += ".SS Keys\n" + CommandTable.keys.map { item($0.keys, $0.meaning) }.joined()
    page += ".SH ENVIRONMENT\n" + CommandTable.environment.map { item($0.name, $0.meaning) }.joined()
    page += ".SH EXIT STATUS\n" + ExitCode.meanings.map { item("\($0.code.rawValue)", $0.meaning) }.joined()
    page += ".SH FILES\n" + files.map { item($0.0, $0.1) }.joined()
    return page
  }

  private static let files = [
    ("$XDG_CONFIG_HOME/alcove/config.json", "settings"),
    ("$XDG_DATA_HOME/alcove/library.db", "the library: documents, passages and their index"),
    ("$XDG_STATE_HOME/alcove/state.db", "sessions"),
    ("$XDG_STATE_HOME/alcove/history", "the lines entered at the prompt"),
  ]

  private static func section(_ path: [Command], mark: String) -> String {
    guard let command = path.last else { return "" }
    let below = command.subcommands.filter { $0.surface.contains(.shell) }
    if !below.isEmpty {
      return item(ArgumentParser.name(path), command.summary.capitalizedFirst() + ". " + command.details)
        + ".RS\n" + below.map { section(path + [$0], mark: mark) }.joined() + ".RE\n"
    }
    var text = item(
      (ArgumentParser.name(path) + " " + command.synopsis).trimmingSpaces(),
      command.summary.capitalizedFirst() + ".")
    if !command.details.isEmpty {
      for paragraph in command.details.split(separator: "\n\n") {
        text += ".IP\n" + escaped(String(paragraph)) + "\n"
      }
    }
    let options = command.options.filter { $0.surface.contains(.shell) }
    if !options.isEmpty { text += ".RS\n" + options.map(entry).joined() + ".RE\n" }
    if !command.examples.isEmpty {
      text += ".IP\n.EX\n" + command.examples.map { escaped($0) + "\n" }.joined() + ".EE\n"
    }
    return text
  }

  private static func entry(_ option: Option) -> String {
    item(option.signature, option.help.capitalizedFirst() + ".")
  }

  private static func item(_ term: String, _ meaning: String) -> String {
    ".TP\n.B \(escaped(term))\n\(escaped(meaning))\n"
  }

  /// Text in which roff sees no request and no escape.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let plain = line.map { character in
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "\"": "\\(dq"
        case _ where character.isASCII: String(character)
        default: character.unicodeScalars.map { "\\[u\(hexadecimal($0.value))]" }.joined()
        }
      }.joined()
      return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }.joined(separator: "\n")
  }
}

extension ManPage {
  /// At least four digits, as roff names characters.
  fileprivate static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  func trimmingSpaces() -> String {
    var text = self[...]
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
