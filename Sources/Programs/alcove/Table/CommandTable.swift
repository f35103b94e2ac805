/// Every command and option there is: the one place that help, manual, completions and parser are made from.
enum CommandTable {
  /// The commands, in the order that help shows them.
  static let commands: [Command] = [
    .ask, .add, .search, .scope, .library, .sources, .open, .summarize, .sessions, .resume, .new, .chat, .undo,
    .regenerate, .compact, .image, .gallery, .set, .context, .stats, .models, .quantize, .plan, .tickets,
    .telemetry, .privacy, .doctor, .backup, .restore, .inspect, .help, .completions, .man, .quit, .complete,
  ]

  /// The options that go with every command in the shell.
  static let globalOptions: [Option] = [
    Option(name: "continue", letter: "c", help: "go on with the session last used", surface: .shell),
    Option(name: "session", value: ("ID", .session), help: "go on with this session", surface: .shell),
    Option(
      name: "model", value: ("FILE", .model),
      help: "answer with this model: a GGUF file, or a name among the models",
      surface: .shell),
    Option(name: "force", help: "load a model although it seems not to fit into the memory", surface: .shell),
    Option(
      name: "color", value: ("WHEN", .choice(["auto", "always", "never"])), help: "when to use colour (auto)",
      surface: .shell),
    Option(
      name: "set", value: ("NAME=VALUE", .text), help: "change a setting for this run; may be repeated",
      surface: .shell),
  ]

  /// Options of the program itself, which `alcove --help` shows next to the commands.
  static let ownOptions: [Option] = [
    Option(name: "help", letter: "h", help: "show help; after a command, that command's", surface: .shell),
    Option(name: "version", help: "show the version", surface: .shell),
  ]

  static let version = "0.2.0"
  static let purpose = "a private assistant for your documents"

  /// The keys of the prompt, for the help and the manual.
  static let keys: [(keys: String, meaning: String)] = [
    ("Tab", "complete commands, paths, document names and settings"),
    ("Ctrl-R", "search the lines entered before"),
    ("Ctrl-K, Ctrl-U, Ctrl-W", "cut to the end, to the beginning, the word before"),
    ("Ctrl-Y, Alt-Y", "put back what was cut; what was cut before it"),
    ("Ctrl-_", "undo"),
    ("Alt-Enter or \"\"\"", "begin another line of the same text"),
    ("Ctrl-O", "write the text in $EDITOR"),
    ("Ctrl-C", "clear the line; stop an answer and keep what was said"),
    ("Ctrl-D", "leave"),
  ]

  /// The variables of the environment that are heeded.
  static let environment: [(name: String, meaning: String)] = [
    ("ALCOVE_HOME", "keep everything below this folder instead of the XDG folders"),
    ("ALCOVE_<SETTING>", "a setting, as in ALCOVE_SEARCH_TOP=5"),
    (
      "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
      "where settings, library, sessions and cache go"
    ),
    ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM", "whether colour is used"),
    ("PAGER, VISUAL, EDITOR", "the programs that show and edit texts"),
  ]

  /// The commands of a surface that help shows.
  static func visible(in surface: Surface) -> [Command] {
    commands.filter { $0.surface.contains(surface) && !$0.isHidden }
  }

  /// The command of a name or alias.
  static func command(_ name: String, in surface: Surface) -> Command? {
    commands.first { $0.surface.contains(surface) && $0.answers(to: name) }
  }
}
