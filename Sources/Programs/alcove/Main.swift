import Assistant
import Foundation
import Platform
import Terminal

/// The program's entry.
@main
@MainActor
struct Main {
  static func main() async {
    umask(0o077)
    let words = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    // The one way to the network, for the commands that fetch: a process that starts `alcove-fetch` and nothing else.
    let launcher = mayNeedNetwork(words) ? FetchLauncher() : nil
    // Before anything else: from here on no internet socket can be opened, by this process or by what it starts.
    let networkRefusal = NetworkLock.close()
    if networkRefusal != 0 {
      FileHandle.standardError.write(
        Data("alcove: the network could not be locked out: \(SystemMessage.of(networkRefusal))\n".utf8))
      exit(ExitCode.failure.rawValue)
    }
    let code: ExitCode
    do {
      try TerminalDevice.watchSignals()
      code = try await run(ArgumentParser.parse(shell: words), launcher, environment: environment)
    } catch {
      code = fail(error, environment: environment)
    }
    exit(code.rawValue)
  }

  /// Indicates whether these words may ask for the network: at the prompt, and for `models pull` and its like.
  private static func mayNeedNetwork(_ words: [String]) -> Bool {
    guard let request = try? ArgumentParser.parse(shell: words) else { return false }
    switch request {
    case .prompt: return true
    case .run(let invocation):
      guard let command = invocation.path.last, invocation.path.first?.name == "models" else { return false }
      return command.reachesNetwork && (command.name != "verify" || invocation.has("repair"))
    case .help, .version: return false
    }
  }

  private static func run(
    _ request: ArgumentParser.Request, _ launcher: FetchLauncher?, environment: [String: String]
  ) async throws -> ExitCode {
    switch request {
    case .version:
      let program = try Program(nil, environment: environment)
      program.output.writeLine("alcove \(CommandTable.version)")
      return .ok
    case .help(let path):
      let program = try Program(nil, environment: environment)
      program.output.write(program.help(.shell).command(path))
      return .ok
    case .run(let invocation):
      let program = try Program(invocation, environment: environment, fetchLauncher: launcher)
      let code = await program.run(invocation)
      await program.settle()
      return code
    case .prompt(let invocation):
      let program = try Program(invocation, environment: environment, fetchLauncher: launcher)
      try program.directories.prepare()
      // Settings that cannot be read are complained of by the first command that needs them.
      let limit = (try? program.settings().integer("history.lines")) ?? 2000
      let history = History(path: program.directories.historyFile.path, limit: limit)
      let code = await Repl(program: program, history: history).run()
      await program.settle()
      return code
    }
  }

  private static func fail(_ error: any Error, environment: [String: String]) -> ExitCode {
    guard let program = try? Program(nil, environment: environment) else { return .failure }
    if let error = error as? UsageError { return program.complain(error, surface: .shell) }
    let (sentence, code) = Failure.explain(error)
    program.complain(sentence)
    return code
  }
}
