import Assistant
import Foundation
import Terminal

extension Program {
  /// Indicates whether thoughts are shown as they come.
  var showsThinking: Bool { (try? settings().text("model.thinking")) == "show" }

  /// The columns that text for people is laid out in.
  var width: Int { min(output.columns ?? 80, 100) }

  /// Help as it reads on this output.
  func help(_ surface: Surface) -> HelpText { HelpText(ink: output.ink, width: width, surface: surface) }

  /// Says on stderr what went wrong.
  func complain(_ message: String) {
    output.flush()
    errors.writeLine(errors.ink("alcove: ", .failure) + TextSanitizer.text(message))
  }

  /// Says something about the answer, where a person may read it.
  func notice(_ message: String) {
    guard errors.isTerminal else { return }
    output.flush()
    errors.writeLine(errors.ink(TextSanitizer.text(message), .dim))
  }

  /// Runs a command; errors become a sentence and an exit code.
  func run(_ invocation: Invocation) async -> ExitCode {
    guard let command = invocation.path.last else { return .usage }
    defer {
      output.flush()
      errors.flush()
    }
    do {
      return try await command.action(invocation, self)
    } catch let error as UsageError {
      return complain(error, surface: invocation.surface)
    } catch is CancellationError {
      return .interrupted
    } catch {
      let (sentence, code) = Failure.explain(error)
      complain(sentence)
      return code
    }
  }

  /// Says what is wrong with the arguments and where to read more.
  func complain(_ error: UsageError, surface: Surface) -> ExitCode {
    complain(error.message)
    let name = ArgumentParser.name(error.path)
    let more = surface == .prompt ? "/help \(name)" : "alcove \(name)\(name.isEmpty ? "" : " ")--help"
    if surface == .shell || !error.path.isEmpty { errors.writeLine("(\(more.trimmingSpaces()) tells more)") }
    return .usage
  }

  /// Does something that the first Ctrl-C stops by cancelling it.
  func interruptible<Value: Sendable>(_ work: @escaping @MainActor @Sendable () async throws -> Value) async throws
    -> Value
  {
    let task = Task { try await work() }
    let outer = interrupts.onInterrupt { task.cancel() }
    defer { interrupts.onInterrupt(outer) }
    return try await task.value
  }

  /// Asks a question and shows the answer as it comes, until it ends or the first Ctrl-C stops it; what was said by
  /// then is kept.
  func answer(
    _ question: String, in session: Session, options: TurnOptions = TurnOptions(), isJSON: Bool = false
  ) async throws -> ExitCode {
    var options = options
    options.enrichesPictures = try settings().isOn("image.enhance")
    options.previewInterval = try settings().integer("image.preview")
    let view = AnswerView(program: self, question: question, isJSON: isJSON)
    // Typing meanwhile neither shows nor is lost: it waits for the prompt.
    let listens = terminal.isInteractive && terminal.canMoveCursor
    if listens { try terminal.setMode(.listening) }
    defer {
      // The terminal is put back at the end of the process too; a refusal here changes nothing.
      if listens { try? terminal.setMode(.ordinary) }
    }
    interrupts.onInterrupt { Task { await session.stop() } }
    defer { interrupts.onInterrupt(nil) }
    models.cacheOrigins = nil
    // A model that answers is not unloaded for a picture that it asks for.
    models.markModel(isInUse: true)
    defer { models.markModel(isInUse: false) }
    do {
      for try await event in try await session.respond(to: question, options: options) { view.take(event) }
    } catch {
      view.end()
      throw error
    }
    view.end()
    if view.record.summary?.route == .image { return view.record.exitCode }
    places = view.record.sources.map(Place.init)
    lastAnswer = view.record
    if let metrics = view.record.summary?.metrics {
      measured.append(metrics)
      models.cacheOrigins = try await session.origins()
    }
    return view.record.exitCode
  }
}

extension Program {
  /// A number of bytes for people.
  nonisolated static func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
}
