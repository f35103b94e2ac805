import Assistant

/// Matches words against the command table.
struct ArgumentParser {
  /// Request that the words make.
  enum Request {
    case run(Invocation)
    /// The help of a command, or of the program where the path is empty.
    case help([Command])
    case version
    /// The prompt, with the options given.
    case prompt(Invocation)
  }

  private let surface: Surface
  private var invocation: Invocation
  private var path: [Command] = []
  private var positional: [String] = []

  private init(surface: Surface) {
    self.surface = surface
    invocation = Invocation(path: [], surface: surface)
  }

  // MARK: The shell

  /// Reads the program's arguments.
  static func parse(shell words: [String]) throws(UsageError) -> Request {
    var parser = ArgumentParser(surface: .shell)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for word in rest { try parser.take(word) }
        break
      }
      if !word.hasPrefix("-") || word == "-" {
        try parser.take(word)
      } else if word == "--help" || word == "-h" {
        return .help(parser.path)
      } else if word == "--version" && parser.path.isEmpty {
        return .version
      } else {
        try parser.takeOption(word, following: &rest)
      }
    }
    guard !parser.path.isEmpty else { return .prompt(parser.invocation) }
    return .run(try parser.finished())
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if path.isEmpty {
      if let command = CommandTable.command(word, in: .shell) {
        path = [command]
      } else if word.contains(where: \.isWhitespace), let ask = CommandTable.command("ask", in: .shell) {
        path = [ask]
        positional.append(word)
      } else {
        let near = NearestName.of(word, among: CommandTable.visible(in: .shell).map(\.name))
        throw UsageError(message: "there is no command '\(word)'" + Self.suggestion(near))
      }
    } else if positional.isEmpty, let last = path.last, !last.subcommands.isEmpty {
      try takeSubcommand(word, of: last)
    } else {
      positional.append(word)
    }
  }

  private mutating func takeSubcommand(_ word: String, of command: Command) throws(UsageError) {
    let below = command.subcommands.filter { $0.surface.contains(surface) }
    guard let next = below.first(where: { $0.answers(to: word) }) else {
      let near = NearestName.of(word, among: below.map(\.name))
      throw UsageError(
        message: "\(Self.name(path)) has no '\(word)'" + Self.suggestion(near) + " (it has "
          + below.map(\.name).joined(separator: ", ") + ")", path: path)
    }
    path.append(next)
  }

  private mutating func takeOption(_ word: String, following rest: inout ArraySlice<String>) throws(UsageError) {
    var (name, attached) = (word, String?.none)
    if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
      (name, attached) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
    let known = options()
    var option = known.first { "--" + $0.name == name }
    if option == nil, !word.hasPrefix("--") {
      option = known.first { $0.letter == word.dropFirst().first }
      if let letter = option, word.count > 2 {
        guard letter.value != nil else { throw UsageError(message: "'\(word)' is not an option", path: path) }
        attached = String(word.dropFirst(2))
      }
    }
    guard let option else {
      // `-word` leaves a word out of a search, so it belongs to the query.
      if !word.hasPrefix("--"), path.last?.arguments.contains(where: \.isRest) ?? false {
        positional.append(word)
        return
      }
      let near = NearestName.of(String(name.drop { $0 == "-" }), among: known.map(\.name)).map { "--" + $0 }
      let whose = path.isEmpty ? "" : " of \(Self.name(path))"
      throw UsageError(message: "'\(name)' is not an option\(whose)" + Self.suggestion(near), path: path)
    }
    invocation.given.insert(option.name)
    guard let (valueName, kind) = option.value else {
      if attached != nil { throw UsageError(message: "--\(option.name) takes no value", path: path) }
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError(message: "--\(option.name) needs a value (\(valueName))", path: path)
    }
    try Self.check(value, kind, name: "--\(option.name)", path: path)
    invocation.values[option.name, default: []].append(value)
  }

  /// The options that may be given here: those of the commands so far, and those of the program.
  private func options() -> [Option] {
    let own =
      (path.last?.subcommands.isEmpty ?? true ? path : path + [path.last?.subcommands.first].compactMap { $0 })
      .flatMap(\.options)
    return (own + (surface == .shell ? CommandTable.globalOptions : [])).filter { $0.surface.contains(surface) }
  }

  // MARK: The prompt

  /// Reads a line that begins with a slash.
  static func parse(prompt line: String) throws(UsageError) -> Request {
    let words = try PromptWords.split(String(line.dropFirst()))
    var parser = ArgumentParser(surface: .prompt)
    guard let first = words.first else { return .help([]) }
    guard let command = CommandTable.command(first.text, in: .prompt) else {
      let near = NearestName.of(first.text, among: CommandTable.visible(in: .prompt).map(\.name)).map { "/" + $0 }
      throw UsageError(
        message: "there is no command /\(first.text)" + (near.map(suggestion) ?? "; /help lists them"))
    }
    parser.path = [command]
    var index = 1
    var takesOptions = true
    while index < words.count {
      let word = words[index]
      index += 1
      if takesOptions, !word.isQuoted, word.text == "--" {
        takesOptions = false
      } else if takesOptions, !word.isQuoted, word.text == "--help" {
        return .help(parser.path)
      } else if takesOptions, !word.isQuoted, word.text.hasPrefix("--") {
        var rest = words[index...].map(\.text)[...]
        let before = rest.count
        try parser.takeOption(word.text, following: &rest)
        index += before - rest.count
      } else if parser.path.last?.subcommands.isEmpty ?? true,
        parser.path.last?.arguments.dropFirst(parser.positional.count).first?.isRest ?? false
      {
        let end = parser.end(ofTextIn: words, from: index - 1)
        let behind = end < words.count ? words[end].rest.count : 0
        parser.positional.append(String(word.rest.dropLast(behind)).trimmingSpaces())
        try parser.takeOptions(words[end...])
        break
      } else {
        try parser.take(word.text)
      }
    }
    return .run(try parser.finished())
  }

  /// Finds the end of a text that runs to the end of the line: before words that are all options, as in
  /// `/image a red boat --size 512x768`.
  private func end(ofTextIn words: [PromptWords.Word], from start: Int) -> Int {
    let known = options()
    for place in words.indices.dropFirst(start + 1) where !words[place].isQuoted {
      let name = words[place].text.prefix { $0 != "=" }
      let isKnown = known.contains { "--" + $0.name == name || $0.letter.map { "-\($0)" } == String(name) }
      guard isKnown else { continue }
      var trial = self
      do throws(UsageError) { try trial.takeOptions(words[place...]) } catch { continue }
      return place
    }
    return words.count
  }

  /// Takes words that are options and their values.
  private mutating func takeOptions(_ words: ArraySlice<PromptWords.Word>) throws(UsageError) {
    let count = positional.count
    var rest = words.map(\.text)[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else { throw UsageError(message: "'\(word)' is not an option", path: path) }
      try takeOption(word, following: &rest)
    }
    guard positional.count == count else { throw UsageError(message: "words between options", path: path) }
  }

  // MARK: Arguments by place

  private mutating func finished() throws(UsageError) -> Invocation {
    if let first = path.last?.subcommands.first { path.append(first) }
    guard let command = path.last else { return invocation }
    var words = positional[...]
    for argument in command.arguments {
      if argument.isRest {
        if !words.isEmpty { invocation.values[argument.name] = Array(words) }
        words = []
      } else if argument.isRepeated {
        for word in words { try Self.check(word, argument.kind, name: argument.name, path: path) }
        if !words.isEmpty { invocation.values[argument.name] = Array(words) }
        words = []
      } else if let word = words.popFirst() {
        try Self.check(word, argument.kind, name: argument.name, path: path)
        invocation.values[argument.name] = [word]
      }
      if invocation.values[argument.name] == nil, !argument.isOptional {
        throw UsageError(message: "\(Self.name(path)) needs \(argument.name)", path: path)
      }
    }
    if let extra = words.first {
      throw UsageError(message: "'\(extra)' is more than \(Self.name(path)) takes", path: path)
    }
    var result = Invocation(path: path, surface: surface)
    (result.values, result.given) = (invocation.values, invocation.given)
    return result
  }

  private static func check(_ value: String, _ kind: ValueKind, name: String, path: [Command]) throws(UsageError) {
    switch kind {
    case .integer(let range):
      guard let number = Int(value), range.contains(number) else {
        let limits =
          range.upperBound == .max
          ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        throw UsageError(message: "\(name) takes a number \(limits), not '\(value)'", path: path)
      }
    case .choice(let choices):
      if choices.contains(value) { return }
      throw UsageError(
        message: "\(name) takes \(choices.joined(separator: ", ")), not '\(value)'"
          + suggestion(NearestName.of(value, among: choices)), path: path)
    case .citation, .session:
      guard let number = Int(value), number > 0 else {
        throw UsageError(message: "\(name) takes a number, not '\(value)'", path: path)
      }
    default: return
    }
  }

  private static func suggestion(_ near: String?) -> String { near.map { "; did you mean '\($0)'?" } ?? "" }
  static func name(_ path: [Command]) -> String { path.map(\.name).joined(separator: " ") }
}
