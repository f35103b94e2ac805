import Assistant
import Platform
import Terminal

/// Explains errors by ``Explanation``, and the few that only this program knows itself.
enum Failure {
  static func explain(_ error: any Error) -> (sentence: String, code: ExitCode) {
    switch error {
    case let error as TerminalError: (sentence(error), .failure)
    default: (Explanation.of(error).sentence, Explanation.of(error).code)
    }
  }

  private static func sentence(_ error: TerminalError) -> String {
    switch error {
    case .modeRefused(let number): "the terminal's mode could not be set: \(SystemMessage.of(number))"
    case .inputOutput(let number): "reading or writing failed: \(SystemMessage.of(number))"
    case .programFailed(let command, let status): "'\(command)' ended with status \((status >> 8) & 0xFF)"
    }
  }
}
