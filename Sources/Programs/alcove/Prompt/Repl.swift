import Assistant
import Terminal

/// The prompt: reads lines, runs commands, answers questions.
@MainActor
struct Repl {
  let program: Program
  private let editor: LineEditor

  init(program: Program, history: History) {
    self.program = program
    editor = LineEditor(terminal: program.terminal, history: history, environment: program.environment)
    let ink = program.errors.ink
    editor.dim = { ink($0, .dim) }
    editor.isKept = { !$0.contains("--password") }
    program.editor = editor
  }

  /// Reads and does until the user leaves.
  func run() async -> ExitCode {
    if program.continuesLast || program.requestedSession != nil {
      do { _ = try await program.session() } catch {
        let (sentence, code) = Failure.explain(error)
        program.complain(sentence)
        return code
      }
    }
    program.notice(
      "Alcove \(CommandTable.version). Ask about your documents, add some with /add PATH, or see /help.")
    Task { [program] in
      await program.nameCache.refresh(from: program)
      program.embedInBackground()
    }
    let completer = ReplCompleter(names: program.completionNames())
    editor.completer = completer.complete
    editor.hinter = { [editor] in completer.hint(for: $0, history: editor.history) }
    let ink = program.errors.ink
    var wasInterrupted = false
    for sentence in await program.downloads.resumeInterrupted() { program.notice(sentence) }
    while !program.isLeaving {
      for sentence in await program.downloads.announcements() { program.notice(sentence) }
      do {
        let prompt = Prompt(await program.scopeMark() + "> ") { ink($0, .prompt) }
        switch try editor.readLine(prompt: prompt) {
        case .endOfInput:
          await program.models.keepCache()
          return .ok
        case .interrupted:
          // One more Ctrl-C on the empty line leaves.
          if wasInterrupted { return .interrupted }
          wasInterrupted = true
          program.notice("Ctrl-C again, Ctrl-D or /quit leaves.")
        case .line(let line):
          wasInterrupted = false
          program.embedding.isPaused = true
          await handle(line)
          program.embedding.isPaused = false
        }
      } catch {
        program.complain(Failure.explain(error).sentence)
        return .failure
      }
    }
    await program.models.keepCache()
    return .ok
  }

  private func handle(_ line: String) async {
    let text = line.trimmingSpaces()
    if text.isEmpty { return }
    guard text.hasPrefix("/"), !text.hasPrefix("//") else {
      await answer(text.hasPrefix("//") ? String(text.dropFirst()) : text)
      return
    }
    do {
      switch try ArgumentParser.parse(prompt: text) {
      case .run(let invocation), .prompt(let invocation): _ = await program.run(invocation)
      case .help(let path): program.output.write(program.help(.prompt).command(path))
      case .version: break
      }
    } catch {
      _ = program.complain(error, surface: .prompt)
    }
  }

  private func answer(_ question: String) async {
    do {
      _ = try await program.answer(question, in: program.session())
    } catch {
      program.complain(Failure.explain(error).sentence)
    }
    program.refreshNames()
  }
}
