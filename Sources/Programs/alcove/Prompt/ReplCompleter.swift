import Glibc
import Terminal

/// Completion and hints at the prompt.
struct ReplCompleter {
  let names: CompletionEngine.Names

  /// The ways to go on after a text.
  func complete(_ text: String) -> CompletionSet {
    guard text.hasPrefix("/") else { return CompletionSet(replacing: 0, with: []) }
    let (words, openQuote) = PromptWords.scan(String(text.dropFirst()))
    let isBetweenWords =
      openQuote == nil && (words.isEmpty || (text.last?.isWhitespace ?? false) && !endsEscaped(text))
    let current = isBetweenWords ? nil : words.last
    let before = (isBetweenWords ? words : words.dropLast()).map(\.text)
    let engine = CompletionEngine(surface: .prompt, names: names)
    let offer = engine.offer(after: Array(before), current: current?.text ?? "")
    let isCommand = before.isEmpty
    var completions = offer.candidates.map {
      let word = isCommand ? $0.text : PromptWords.quoted($0.text)
      return Completion(word, label: (isCommand ? "/" : "") + $0.text)
    }
    if offer.wantsFiles { completions += Self.paths(current?.text ?? "") }
    return CompletionSet(replacing: current?.rest.count ?? 0, with: completions)
  }

  /// Hint behind the cursor: the rest of an earlier line, or the arguments of a command.
  func hint(for text: String, history: History) -> Hint? {
    if let earlier = history.entries.last(where: { $0.hasPrefix(text) && $0 != text && !$0.contains("\n") }) {
      return Hint(String(earlier.dropFirst(text.count)), isAcceptable: true)
    }
    guard text.hasPrefix("/"), text.hasSuffix(" ") else { return nil }
    let words = text.dropFirst().split(separator: " ").map(String.init)
    guard words.count == 1, let command = CommandTable.command(words[0], in: .prompt), !command.synopsis.isEmpty
    else { return nil }
    return Hint(command.synopsis, isAcceptable: false)
  }

  private func endsEscaped(_ text: String) -> Bool {
    text.dropLast().reversed().prefix { $0 == "\\" }.count % 2 == 1
  }

  /// The files whose path begins as typed; folders end in a slash, so that one can go on.
  static func paths(_ typed: String) -> [Completion] {
    let slash = typed.lastIndex(of: "/")
    let shownFolder = slash.map { String(typed[...$0]) } ?? ""
    let beginning = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    var folder = shownFolder.isEmpty ? "." : shownFolder
    if folder.hasPrefix("~/"), let home = getenv("HOME") { folder = String(cString: home) + folder.dropFirst() }
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var completions: [Completion] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(beginning), name != ".", name != ".." else { continue }
      if name.hasPrefix("."), !beginning.hasPrefix(".") { continue }
      var facts = stat()
      let isFolder = stat(folder + "/" + name, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      let whole = PromptWords.quoted(shownFolder + name + (isFolder ? "/" : ""))
      // Within a folder with blanks in its name, the closing quote comes with the file.
      let text = isFolder && whole.hasSuffix("\"") ? String(whole.dropLast()) : whole
      completions.append(Completion(text, label: name + (isFolder ? "/" : ""), isWhole: !isFolder))
    }
    return completions.sorted { $0.label < $1.label }
  }
}
