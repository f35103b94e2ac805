import Assistant

/// The places a command can be given in.
struct Surface: OptionSet, Sendable {
  let rawValue: Int
  /// At the prompt, as `/name`.
  static let prompt = Surface(rawValue: 1)
  /// In the shell, as `alcove name`.
  static let shell = Surface(rawValue: 2)
  static let both: Surface = [.prompt, .shell]
}

/// Meaning of a value: how it is checked and completed.
enum ValueKind: Sendable, Equatable {
  case text
  case path
  case document
  case session
  case model
  case setting
  /// The value of the setting named by the argument before.
  case settingValue
  /// The number of a citation of the last answer.
  case citation
  case command
  case integer(ClosedRange<Int>)
  case choice([String])
}

/// A value that a command takes by its place.
struct Argument: Sendable {
  /// The name it is shown and asked for by, in capitals.
  let name: String
  let kind: ValueKind
  var isOptional = false
  /// Indicates whether it may be given several times, as the last one.
  var isRepeated = false
  /// Indicates whether it takes all that follows, as it was typed at the prompt.
  var isRest = false
}

/// A value that a command takes by name.
struct Option: Sendable {
  /// The name without its dashes.
  let name: String
  var letter: Character?
  /// Value that follows it: a name in capitals and its kind; nil for a switch.
  var value: (name: String, kind: ValueKind)?
  let help: String
  var surface: Surface = .both

  /// As it is shown: `-n, --top N`.
  var signature: String { (letter.map { "-\($0), " } ?? "") + "--" + name + (value.map { " " + $0.name } ?? "") }
}

/// One thing Alcove can be told to do; the help, the manual, the completions and the parser are made from these.
struct Command: Sendable {
  let name: String
  var aliases: [String] = []
  var surface: Surface = .both
  /// One line, in the imperative.
  let summary: String
  /// More, where a line is not enough; paragraphs are separated by an empty line.
  var details = ""
  var arguments: [Argument] = []
  var options: [Option] = []
  var examples: [String] = []
  /// Commands below this one; the first is what the name alone means.
  var subcommands: [Command] = []
  /// Indicates whether it is left out of help and completions.
  var isHidden = false
  /// Indicates whether it uses the network, through the download process.
  var reachesNetwork = false
  var action: Action = { _, _ in .ok }

  /// The arguments as they are shown.
  var synopsis: String {
    if !subcommands.isEmpty { return subcommands.map(\.name).joined(separator: "|") }
    return arguments.map { argument in
      let name = argument.name + (argument.isRepeated ? "…" : "")
      return argument.isOptional ? "[\(name)]" : name
    }.joined(separator: " ")
  }

  func answers(to name: String) -> Bool { self.name == name || aliases.contains(name) }
}

/// A command with what was given to it.
struct Invocation: Sendable {
  /// The command, after the commands it stands below.
  let path: [Command]
  /// The values by argument or option name.
  var values: [String: [String]] = [:]
  /// The switches given, and the options with values.
  var given: Set<String> = []
  /// Surface it was given on.
  let surface: Surface

  /// The value of an argument or option, the last one where there are several.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an argument or option.
  func list(_ name: String) -> [String] { values[name] ?? [] }

  /// A number that the parser has checked.
  func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

  /// Indicates whether an option was given.
  func has(_ name: String) -> Bool { given.contains(name) }
}

/// Arguments that do not fit, with what is wrong about which.
struct UsageError: Error {
  let message: String
  /// Whose help tells more.
  var path: [Command] = []
}
