/// Errors in a rules file.
package enum AnalysisError: Error, Sendable, Equatable {
  /// A line of the rules, counted from 1, that cannot be parsed.
  case badRule(file: String, line: Int)
  /// A required phrase that the file lacks.
  case missingPhrase(file: String, key: String)
  /// A topic without a pattern or without a reply.
  case incompleteTopic(file: String, topic: String)
}
