/// Reasons for which nothing can be fetched.
package enum DownloadError: Error, Sendable, Equatable {
  /// The catalogue has no model of that name; `known` are those it has.
  case notInCatalogue(name: String, known: [String])
  /// The catalogue's model has no file of that quantization.
  case noSuchForm(model: String, forms: [String], asked: String)
  /// The repository has no file of that name.
  case notInRepository(repository: String, file: String)
  /// The repository has no GGUF file.
  case noModelInRepository(String)
  /// No download of that number waits to go on.
  case notWaiting(Int64)
  /// No download of that number is under way.
  case notUnderWay(Int64)
}
