import Foundation
import ModelStore

/// Arguments of the download process.
struct Options {
  enum Task {
    /// Fetch the download of this number.
    case pull(Int64)
    /// List the files of a repository.
    case list(repository: String)
    /// Search the hub and list what is found.
    case search(words: [String], limit: Int)
    /// Fetch these blocks of a model again.
    case repair(model: String, blocks: [Int])
  }

  var models = ""
  var task = Task.pull(0)
  var policy = RetryPolicy()
  /// Seconds without a byte after which a connection counts as stalled.
  var stall = 30.0
  /// Number of connections, each with a range of its own.
  var connections = 4
  /// Addresses whose hosts the user named.
  var named: [String] = []
  /// Indicates whether to stop when standard input ends: with the one who asked.
  var followsInput = false

  /// Reads the arguments; nil where they make no sense.
  init?(_ arguments: [String]) {
    var words = arguments[...]
    while let word = words.first, word.hasPrefix("--") {
      words.removeFirst()
      if word == "--follow-input" {
        followsInput = true
        continue
      }
      guard let value = words.popFirst() else { return nil }
      switch word {
      case "--models": models = value
      case "--named": named.append(value)
      case "--stall": stall = Double(value) ?? stall
      case "--patience": policy.patience = Double(value) ?? policy.patience
      case "--first-wait": policy.firstWait = Double(value) ?? policy.firstWait
      case "--longest-wait": policy.longestWait = Double(value) ?? policy.longestWait
      case "--attempts": policy.attempts = Int(value) ?? policy.attempts
      case "--connections": connections = max(1, min(16, Int(value) ?? connections))
      default: return nil
      }
    }
    let rest = Array(words.dropFirst())
    switch (words.first, rest.count) {
    case ("pull", 1):
      guard let id = Int64(rest[0]) else { return nil }
      task = .pull(id)
    case ("list", 1): task = .list(repository: rest[0])
    case ("search", 2...):
      guard let limit = Int(rest[0]) else { return nil }
      task = .search(words: Array(rest.dropFirst()), limit: limit)
    case ("repair", 2):
      task = .repair(model: rest[0], blocks: rest[1].split(separator: ",").compactMap { Int($0) })
    default: return nil
    }
    if !models.hasPrefix("/") { return nil }
  }
}
