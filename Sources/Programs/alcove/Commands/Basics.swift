import Assistant
import Terminal

extension Command {
  static let help = Command(
    name: "help", aliases: ["?"], summary: "show what can be done, or how one command works",
    arguments: [Argument(name: "COMMAND", kind: .command, isOptional: true, isRepeated: true)]
  ) { invocation, program in
    var path: [Command] = []
    for name in invocation.list("COMMAND") {
      let bare = name.hasPrefix("/") ? String(name.dropFirst()) : name
      let next =
        path.last.map { $0.subcommands.first { $0.answers(to: bare) } }
        ?? CommandTable.command(bare, in: invocation.surface)
      guard let next else {
        let near = NearestName.of(bare, among: CommandTable.visible(in: invocation.surface).map(\.name))
        throw UsageError(message: "there is no command '\(bare)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      path.append(next)
    }
    Pager(environment: program.environment).show(
      program.help(invocation.surface).command(path), on: program.output)
    return .ok
  }

  static let quit = Command(
    name: "quit", aliases: ["exit", "q"], surface: .prompt, summary: "leave (so does Ctrl-D)"
  ) { _, program in
    program.isLeaving = true
    return .ok
  }

  static let man = Command(
    name: "man", surface: .shell, summary: "write the manual page",
    details: "The page is in the format of man(7).", examples: ["alcove man | man -l -"]
  ) { _, program in
    program.output.write(ManPage.text())
    return .ok
  }

  static let completions = Command(
    name: "completions", surface: .shell, summary: "write the completion script of a shell",
    details: ShellCompletions.allCases.map(\.instructions).joined(separator: "\n\n"),
    arguments: [Argument(name: "SHELL", kind: .choice(ShellCompletions.allCases.map(\.rawValue)))]
  ) { invocation, program in
    let shell = invocation.value("SHELL").flatMap(ShellCompletions.init)
    program.output.write(shell?.script ?? "")
    return .ok
  }

  /// Question of the shells' scripts: the words after `alcove`, the last one unfinished.
  static let complete = Command(
    name: "complete", surface: .shell, summary: "write completions of some words",
    arguments: [Argument(name: "WORD", kind: .text, isOptional: true, isRepeated: true)], isHidden: true
  ) { invocation, program in
    let words = invocation.list("WORD")
    await program.nameCache.refresh(from: program)
    let engine = CompletionEngine(surface: .shell, names: program.completionNames())
    let offer = engine.offer(after: words.dropLast(), current: words.last ?? "")
    if offer.wantsFiles { program.output.writeLine(":files") }
    for candidate in offer.candidates where !candidate.text.contains(where: { $0.isNewline || $0 == "\t" }) {
      program.output.writeLine(candidate.text + "\t" + TextSanitizer.line(candidate.about))
    }
    return .ok
  }
}
