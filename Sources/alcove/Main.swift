import Foundation

/// The program's entry: a prompt that answers `/help` and leaves on `/quit`.
@main
struct Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--version") {
      print("alcove 0.1.0")
      return
    }
    if arguments.contains("--help") {
      print(help)
      return
    }
    if let unknown = arguments.first {
      FileHandle.standardError.write(Data("alcove: unknown argument '\(unknown)' (see alcove --help)\n".utf8))
      exit(2)
    }
    converse()
  }

  private static let help = """
    alcove: a private assistant for your documents
      /help   this text
      /quit   leave
    """

  private static func converse() {
    let isTerminal = isatty(STDIN_FILENO) == 1
    while true {
      if isTerminal { FileHandle.standardError.write(Data("> ".utf8)) }
      guard let line = readLine() else { return }
      switch line.trimmingCharacters(in: .whitespaces) {
      case "": continue
      case "/quit": return
      case "/help": print(help)
      case let other where other.hasPrefix("/"):
        FileHandle.standardError.write(Data("unknown command \(other); /help lists them\n".utf8))
      default: print("There are no documents yet, so there is nothing to answer from.")
      }
    }
  }
}
