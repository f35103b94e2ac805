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
  /// There is no session but this one.
  case noEarlierSession
  /// The document has no such page.
  case noPage(Int, document: String)
  /// Nothing was listed that could be opened by its number.
  case nothingListed
  /// The listing has no such number.
  case noNumber(Int, last: Int)
  /// The document was removed since it was cited.
  case removed(name: String)
  /// The file or folder holds no model.
  case noModel(path: String)
  /// The model answers or draws right now.
  case atWork(model: String)
  /// No program that shows pictures is installed; the picture is there.
  case noViewer(picture: String)
}
