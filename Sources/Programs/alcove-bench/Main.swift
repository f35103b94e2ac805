import Assistant
import Foundation

/// The benchmarks: `alcove-bench COMMAND …`. With `--json`, one object a line.
@main
struct Benchmarks {
  /// Every command: its name, what follows it, and what it does.
  static let commands: [Command] = [
    questions,
    retrieval,
    search,
    ingest,
    telemetry,
    decode,
    prefill,
    busy,
    batch,
    load,
    grammar,
    embed,
    diffusion,
    kernels,
    roofline,
  ]

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--help" { return print(usage, terminator: "") }
    guard let name = arguments.first, let command = commands.first(where: { $0.name == name }) else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    arguments.removeFirst()
    guard !arguments.contains("--help") else { return print(command.usage) }
    do {
      try await command.run(Options(arguments, of: command))
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("alcove-bench \(name): \(error.message)\n".utf8))
      exit(2)
    } catch {
      FileHandle.standardError.write(Data("alcove-bench \(name): \(ErrorSentence.describe(error))\n".utf8))
      exit(1)
    }
  }

  static var usage: String {
    "usage:\n" + commands.map { "  \($0.usage)\n" }.joined()
  }
}

/// One benchmark.
struct Command: Sendable {
  var name: String
  var parameters: String
  var run: @Sendable (Options) async throws -> Void

  var usage: String { "alcove-bench \(name) \(parameters)" }

  /// The names of its options, read off `parameters`.
  var options: Set<Substring> { Set(parameters.matches(of: /--([a-z0-9-]+)/).map(\.1)) }
}

/// Mistake of a user on the command line.
struct UsageError: Error { var message: String }

/// The words behind a command: plain ones, and `--name value` or `--name=value`.
struct Options {
  private(set) var plain: [String] = []
  private var named: [String: String] = [:]
  /// Options that take no value.
  static let switches: Set<String> = ["json", "grounded"]

  init(_ arguments: [String], of command: Command) throws {
    let known = command.options
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument.count > 2 else {
        plain.append(argument)
        continue
      }
      let parts = argument.dropFirst(2)
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard known.contains(parts[0][...]) else {
        throw UsageError(message: "there is no --\(parts[0]); usage: \(command.usage)")
      }
      if parts.count == 2 {
        named[parts[0]] = parts[1]
      } else if Options.switches.contains(parts[0]) {
        named[parts[0]] = ""
      } else if let value = rest.popFirst() {
        named[parts[0]] = value
      } else {
        throw UsageError(message: "\(argument) needs a value")
      }
    }
  }

  var isJSON: Bool { named["json"] != nil }

  func text(_ name: String) -> String? { named[name] }

  func number(_ name: String, default value: Double) throws -> Double {
    guard let text = named[name] else { return value }
    guard let number = Double(text) else { throw UsageError(message: "--\(name) needs a number, not \(text)") }
    return number
  }

  func count(_ name: String, default value: Int) throws -> Int {
    let number = try whole(name, default: value)
    guard number > 0 else { throw UsageError(message: "--\(name) needs a count, not \(number)") }
    return number
  }

  /// Reads a count that may be 0. One so large that sums would overflow is refused.
  func whole(_ name: String, default value: Int) throws -> Int {
    guard let text = named[name] else { return value }
    guard let number = Int(text), (0...1 << 40).contains(number) else {
      throw UsageError(message: "--\(name) needs a count, not \(text)")
    }
    return number
  }
}

/// Prints one result: as JSON with sorted keys, or as `name value` pairs on a line.
func report(_ result: KeyValuePairs<String, any Sendable>, json: Bool) throws {
  if json {
    let object = Dictionary(result.map { ($0.key, $0.value as Any) }) { $1 }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    print(String(decoding: data, as: UTF8.self))
  } else {
    print(
      result.map { name, value in
        if let number = value as? Double { return "\(name) \(String(format: "%.4g", number))" }
        return "\(name) \(value)"
      }.joined(separator: "  "))
  }
}

/// A folder that is there while the benchmark runs.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer {
    // A leftover temporary folder harms nothing.
    try? FileManager.default.removeItem(at: folder)
  }
  return try await body(folder)
}
