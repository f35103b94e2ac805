import Assistant
import Foundation
import Terminal

/// Options that change how a model answers one question; each is a setting by another name.
enum AnswerOptions {
  private static let settings: [(option: String, value: String, setting: String, help: String)] = [
    ("system", "TEXT", "model.system", "system text: what the model is told of its part"),
    ("seed", "N", "model.seed", "the same seed gives the same answer"),
    ("max-tokens", "N", "model.max-tokens", "largest number of tokens in the answer"),
    ("temperature", "X", "model.temperature", "sampling temperature; 0 always takes the likeliest token"),
    ("top-k", "N", "model.top-k", "sample from the N likeliest tokens; 0 for all"),
    (
      "top-p", "X", "model.top-p",
      "sample from the likeliest tokens that together reach this probability; 1 for all"
    ),
    ("min-p", "X", "model.min-p", "leave out tokens less likely than this share of the likeliest; 0 for off"),
    ("repeat-penalty", "X", "model.repeat-penalty", "make tokens that were said less likely; 1 for off"),
    ("thinking", "HOW", "model.thinking", "show, hide or off"),
    ("tools", "WHETHER", "model.tools", "auto, on, off or required"),
    ("draft", "FILE", "model.draft", "a small model of the same family, for speculative decoding"),
  ]

  /// Options for the command table.
  static let options = settings.map {
    Option(
      name: $0.option, value: ($0.value, $0.value == "FILE" ? .model : .text), help: $0.help + " (\($0.setting))")
  }

  /// Sets what was given, for this run.
  @MainActor static func apply(_ invocation: Invocation, to program: Program) async throws {
    for entry in settings {
      if let value = invocation.value(entry.option) { try await program.set(entry.setting, to: value) }
    }
  }

  /// Lets the answer fit the schema or the grammar in the file that was given, if any.
  @MainActor static func requireGrammar(of invocation: Invocation, in options: inout TurnOptions) throws {
    func text(_ path: String) throws -> String { String(decoding: try ShellInput.data(path), as: UTF8.self) }
    if let path = invocation.value("schema") {
      try options.require(jsonSchema: text(path))
    } else if let path = invocation.value("grammar") {
      try options.require(gbnf: text(path))
    }
  }
}
