import Assistant

extension Command {
  /// Work of a command: it takes what was given and the program, and returns the exit code.
  ///
  /// The table describes commands and knows nothing of the program; only this type joins the two.
  typealias Action = @MainActor @Sendable (Invocation, Program) async throws -> ExitCode
}
