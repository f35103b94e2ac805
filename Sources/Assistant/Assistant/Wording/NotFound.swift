/// Error of a name or number that stands for nothing, with the sentence that says so.
package struct NotFound: Error, Sendable {
  package let sentence: String

  /// Makes the error.
  package init(sentence: String) { self.sentence = sentence }
}
