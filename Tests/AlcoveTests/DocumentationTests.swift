import Foundation
import TestSupport
import Testing

/// The README and the Guide show only commands, options and settings that exist.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL
  static let pages = ["README.md", "Documentation/Guide.md"]

  private static func text(_ page: String) throws -> String {
    try String(contentsOf: root.appending(path: page), encoding: .utf8)
  }

  /// Returns the lines of a page's code blocks: those between fences, and those indented by four spaces.
  private static func codeLines(_ text: String) -> [String] {
    var isFenced = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.hasPrefix("```") {
        isFenced.toggle()
        return nil
      }
      if isFenced { return String(line) }
      return line.hasPrefix("    ") ? String(line.dropFirst(4)) : nil
    }
  }

  /// Returns what a shell would hand to `alcove` on a line; nil where the line does not start it.
  static func arguments(_ line: String) -> [String]? {
    // A line typed at the prompt.
    if line.hasPrefix("> ") { return nil }
    var commands: [[String]] = [[]]
    var (word, isWord, quote) = ("", false, Character?.none)
    var takesWord = true
    func finish() {
      if isWord, takesWord { commands[commands.count - 1].append(word) }
      (word, isWord) = ("", false)
    }
    scan: for character in line {
      switch (character, quote) {
      case (let sign, .some(let open)) where sign == open: quote = nil
      case (_, .some): word.append(character)
      case ("'", nil), ("\"", nil): (quote, isWord) = (character, true)
      case (" ", nil): finish()
      case ("#", nil) where !isWord: break scan
      case ("|", nil), (";", nil), ("&", nil):
        finish()
        commands.append([])
        takesWord = true
      case (">", nil), ("<", nil):
        // What comes in or goes out is a file's, and no argument.
        finish()
        takesWord = false
      default:
        word.append(character)
        isWord = true
      }
    }
    finish()
    let found = commands.compactMap { words in
      // The shell's own prompt, and variables for this command.
      let words = words.drop { $0 == "$" || $0.contains("=") && !$0.hasPrefix("-") }
      return words.first == "alcove" ? Array(words.dropFirst()) : nil
    }
    return found.first
  }

  private static func commandLines(_ page: String) throws -> [(line: String, arguments: [String])] {
    try codeLines(text(page)).compactMap { line in arguments(line).map { (line, $0) } }
  }

  @Test func linesAreSplitAsAShellDoes() {
    #expect(
      Self.arguments("$ alcove ask 'when is it due?' --in \"my files\"  # a remark")
        == ["ask", "when is it due?", "--in", "my files"])
    #expect(Self.arguments("cat notes.txt | alcove ask \"due?\" - > out.txt") == ["ask", "due?", "-"])
    #expect(Self.arguments("alcove") == [])
    #expect(Self.arguments("alcove: stopped") == nil)
    #expect(Self.arguments("> alcove add") == nil)
  }

  /// In a folder where nothing can be kept, a command gets as far as its arguments and no further.
  @Test(arguments: pages)
  func everyCommandLineIsUnderstood(page: String) throws {
    let lines = try Self.commandLines(page)
    #expect(!lines.isEmpty)
    let folder = try TemporaryFolder()
    for (line, arguments) in lines {
      let process = Process()
      process.executableURL = Programs.folder.appending(path: "alcove")
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.environment = ProcessInfo.processInfo.environment.merging(["ALCOVE_HOME": "/proc/nothing"]) { $1 }
      let errors = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = errors
      try process.run()
      let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus != 2, "\(page): \(line)\n\(complaint)")
    }
  }

  @Test(arguments: pages)
  func everyCommandOfThePromptExists(page: String) throws {
    let names = try Self.codeLines(Self.text(page)).compactMap { line in
      line.wholeMatch(of: /> \/([a-z]+)( .*)?/).map { String($0.1) }
    }
    let folder = try TemporaryFolder()
    let outcome = try Programs.run(
      "alcove", [], environment: ["ALCOVE_HOME": folder.url.path],
      input: Set(names).sorted().map { "/help \($0)\n" }.joined() + "/quit\n")
    #expect(!outcome.errors.contains("there is no command"), "\(page): \(outcome.errors)")
  }

  @Test(arguments: pages)
  func everySettingExists(page: String) throws {
    let declared = try JSONSerialization.jsonObject(
      with: Data(contentsOf: Self.root.appending(path: "Config/alcove.json")))
    let settings = Set(try #require(declared as? [String: Any]).keys)
    let text = try Self.text(page)
    let named = text.matches(of: /`([^`\n]+)`/).map { String($0.1) }
    let given =
      try Self.commandLines(page).flatMap(\.arguments)
      + Self.codeLines(text).filter { $0.hasPrefix("> /set ") }.flatMap {
        $0.split(separator: " ").map(String.init)
      }
    let names = (named + given).map { $0.split(separator: "=").first.map(String.init) ?? "" }.filter {
      $0.wholeMatch(of: /[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*/) != nil
        && !Self.suffixes.contains(($0 as NSString).pathExtension)
    }
    for name in Set(names).sorted() { #expect(settings.contains(name), "\(page): \(name)") }
  }

  /// Endings of files' names, which look like the last part of a setting.
  private static let suffixes: Set<String> = [
    "backup", "csv", "db", "docx", "gbnf", "gguf", "index", "json", "jsonl", "md", "pdf", "png", "safetensors",
    "svg", "swift", "txt", "xlsx",
  ]
}
