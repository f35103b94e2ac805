import ModelFormats

/// Prefixes that an embedder was trained to see before a question and before a passage; often empty.
package struct EmbeddingPrefixes: Sendable, Equatable {
  /// Prefix of a question.
  package var query: String
  /// Prefix of a passage.
  package var passage: String

  /// Makes prefixes; empty where none is given.
  package init(query: String = "", passage: String = "") {
    self.query = query
    self.passage = passage
  }

  /// The prefixes that a model is known for by the names in its file.
  package init(_ header: GGUFHeader) throws(GGUFError) {
    let architecture = try header.string("general.architecture") ?? ""
    let names = [
      try header.string("general.name"), try header.string("general.basename"),
      try header.string("general.base_model.0.name"),
    ]
    let name = names.compactMap { $0 }.joined(separator: " ").lowercased().map {
      $0.isLetter || $0.isNumber ? $0 : "-"
    }
    self = Self.known(name: String(name), architecture: architecture)
  }

  /// Returns the prefixes that the models' own pages give.
  private static func known(name: String, architecture: String) -> EmbeddingPrefixes {
    let instruction = "Represent this sentence for searching relevant passages: "
    if architecture.hasPrefix("nomic-bert") || name.contains("nomic-embed") || name.contains("modernbert-embed") {
      return EmbeddingPrefixes(query: "search_query: ", passage: "search_document: ")
    }
    if name.contains("embeddinggemma") || architecture == "gemma-embedding" {
      return EmbeddingPrefixes(query: "task: search result | query: ", passage: "title: none | text: ")
    }
    if name.contains("qwen3-embedding") {
      return EmbeddingPrefixes(
        query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:")
    }
    if name.contains("e5"), name.contains("instruct") {
      return EmbeddingPrefixes(
        query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ")
    }
    if name.hasPrefix("e5-") || name.contains("-e5-") {
      return EmbeddingPrefixes(query: "query: ", passage: "passage: ")
    }
    if name.contains("arctic-embed") {
      return EmbeddingPrefixes(query: name.contains("v2") ? "query: " : instruction)
    }
    if name.contains("mxbai-embed") || (name.contains("bge-") && name.contains("-en")) {
      return EmbeddingPrefixes(query: instruction)
    }
    return EmbeddingPrefixes()
  }
}
