/// Reasons for which something that a person named cannot be found.
package enum WorkspaceError: Error, Sendable, Equatable {
  /// No document is called that; `known` are the names there are.
  case noDocument(name: String, known: [String])
  /// Several documents fit the name, each given as its number and path.
  case severalDocuments(name: String, fitting: [String])
  /// The text is empty.
  case noText(name: String)
  /// There is no session to go on with.
  case nothingToContinue
}
