/// Finds how a command could go on, for the prompt and for the shells.
struct CompletionEngine {
  /// The names that only the library, the sessions and the settings know.
  struct Names {
    var documents: () -> [String] = { [] }
    var sessions: () -> [(name: String, about: String)] = { [] }
    var models: () -> [String] = { [] }
    var settings: () -> [(name: String, about: String)] = { [] }
    var settingValues: (String) -> [String] = { _ in [] }
    var citations: () -> [(name: String, about: String)] = { [] }
  }

  struct Candidate: Equatable {
    let text: String
    var about = ""
  }

  /// Candidates for a place.
  struct Offer: Equatable {
    var candidates: [Candidate] = []
    /// Indicates whether any file can stand there too.
    var wantsFiles = false
  }

  let surface: Surface
  var names = Names()

  /// Returns the candidates that can follow some words, where `current` has been typed of the next.
  func offer(after words: [String], current: String) -> Offer {
    var path: [Command] = []
    var positional: [String] = []
    var index = 0
    var takesOptions = true
    while index < words.count {
      let word = words[index]
      index += 1
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-"), word != "-" {
        guard let option = option(word, path), option.value != nil, !word.contains("=") else { continue }
        if index == words.count { return values(of: option.value?.kind ?? .text, positional, current) }
        index += 1
      } else if path.isEmpty {
        guard let command = CommandTable.command(word, in: surface) else { return Offer() }
        path = [command]
      } else if positional.isEmpty, let below = below(path).first(where: { $0.answers(to: word) }) {
        path.append(below)
      } else {
        positional.append(word)
      }
    }
    if takesOptions, current.hasPrefix("-") { return self.options(path, current) }
    if path.isEmpty {
      return matching(
        CommandTable.visible(in: surface).map { Candidate(text: $0.name, about: $0.summary) }, current)
    }
    let below = below(path)
    if !below.isEmpty, positional.isEmpty {
      return matching(below.map { Candidate(text: $0.name, about: $0.summary) }, current)
    }
    return argument(path, positional, current)
  }

  private func argument(_ path: [Command], _ positional: [String], _ current: String) -> Offer {
    guard let arguments = path.last?.arguments else { return Offer() }
    let argument =
      positional.count < arguments.count
      ? arguments[positional.count] : arguments.last.flatMap { $0.isRepeated ? $0 : nil }
    return argument.map { values(of: $0.kind, positional, current) } ?? Offer()
  }

  private func values(of kind: ValueKind, _ positional: [String], _ current: String) -> Offer {
    switch kind {
    case .text, .integer: return Offer()
    case .path: return Offer(wantsFiles: true)
    case .document: return matching(names.documents().map { Candidate(text: $0) }, current)
    case .session: return matching(names.sessions().map { Candidate(text: $0.name, about: $0.about) }, current)
    case .model:
      var offer = matching(names.models().map { Candidate(text: $0) }, current)
      offer.wantsFiles = true
      return offer
    case .setting: return matching(names.settings().map { Candidate(text: $0.name, about: $0.about) }, current)
    case .settingValue:
      return matching((positional.first.map(names.settingValues) ?? []).map { Candidate(text: $0) }, current)
    case .citation: return matching(names.citations().map { Candidate(text: $0.name, about: $0.about) }, current)
    case .command:
      return matching(
        CommandTable.visible(in: surface).map { Candidate(text: $0.name, about: $0.summary) }, current)
    case .choice(let choices): return matching(choices.map { Candidate(text: $0) }, current)
    }
  }

  private func options(_ path: [Command], _ current: String) -> Offer {
    var known = (path + below(path).prefix(1)).flatMap(\.options)
    if surface == .shell { known += CommandTable.globalOptions + CommandTable.ownOptions }
    let shown = known.filter { $0.surface.contains(surface) }
    return matching(shown.map { Candidate(text: "--" + $0.name, about: $0.help) }, current)
  }

  private func option(_ word: String, _ path: [Command]) -> Option? {
    let known = (path + below(path).prefix(1)).flatMap(\.options) + CommandTable.globalOptions
    return known.first { "--" + $0.name == word || ($0.letter.map { "-\($0)" == word } ?? false) }
  }

  private func below(_ path: [Command]) -> [Command] {
    path.last?.subcommands.filter { $0.surface.contains(surface) && !$0.isHidden } ?? []
  }

  /// Those that begin as typed; where none does, those that hold it, capitals aside.
  private func matching(_ candidates: [Candidate], _ current: String) -> Offer {
    let exact = candidates.filter { $0.text.hasPrefix(current) }
    if !exact.isEmpty || current.isEmpty { return Offer(candidates: exact) }
    let folded = current.lowercased()
    let begun = candidates.filter { $0.text.lowercased().hasPrefix(folded) }
    return Offer(candidates: begun.isEmpty ? candidates.filter { $0.text.lowercased().contains(folded) } : begun)
  }
}
