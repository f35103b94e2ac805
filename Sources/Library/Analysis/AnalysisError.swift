/// What is wrong with a file of rules.
package enum AnalysisError: Error, Sendable, Equatable {
  /// A line of the rules that cannot be read, counted from 1.
  case badRule(file: String, line: Int)
  /// A phrase that the analysis needs and the file lacks.
  case missingPhrase(file: String, key: String)
  /// A topic with no pattern or nothing to say.
  case incompleteTopic(file: String, topic: String)
}
