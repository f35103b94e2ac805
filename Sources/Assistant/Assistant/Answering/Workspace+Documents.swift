import Documents
import Retrieval

extension Workspace {
  /// Returns the document that a name, a path or an id stands for.
  /// - Parameter path: the name as an absolute path.
  /// - Throws: ``NotFound`` where there is none, or where several fit equally well; what the library throws.
  package func document(named name: String, path: String) async throws -> LibraryDocument {
    if let id = Int64(name.hasPrefix("#") ? String(name.dropFirst()) : name),
      let document = try await library.document(DocumentID(rawValue: id))
    {
      return document
    }
    let found = try await library.documents(matching: name)
    if let exact = try await library.documents().first(where: { $0.paths.contains(path) }) { return exact }
    let lowered = name.lowercased()
    let named = found.filter { $0.name.lowercased() == lowered || $0.title?.lowercased() == lowered }
    if let only = named.count == 1 ? named.first : found.count == 1 ? found.first : nil { return only }
    if found.isEmpty {
      let near = try await NearestName.of(name, among: library.documents().map(\.name))
      throw NotFound(
        sentence: "no document is called '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    let several = (named.isEmpty ? found : named).prefix(5).map { "\($0.id.rawValue) \($0.path)" }
    throw NotFound(
      sentence: "'\(name)' fits several documents: " + several.joined(separator: ", ") + "; use the id")
  }

  /// Returns how much the library holds.
  /// - Throws: what the library throws.
  package func librarySize() async throws -> (documents: Int, pages: Int, passages: Int) {
    let size = try await library.size()
    return (size.documentCount, size.pageCount, size.passageCount)
  }
}
