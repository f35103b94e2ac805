/// Embedding model as the library remembers it: vectors of two embedders are never compared.
package struct EmbedderDescription: Sendable, Hashable {
  /// Identity of its vectors: the same for every copy of its file, different for anything that would change a vector.
  package var identity: String
  /// Name shown to people.
  package var name: String
  /// Path of its file when it was last used.
  package var path: String
  /// Prefix of a query.
  package var queryPrefix: String
  /// Prefix of a passage.
  package var passagePrefix: String
  /// Number of elements of its vectors.
  package var dimension: Int

  /// Makes a description.
  package init(
    identity: String, name: String, path: String, dimension: Int, queryPrefix: String = "",
    passagePrefix: String = ""
  ) {
    self.identity = identity
    self.name = name
    self.path = path
    self.dimension = dimension
    self.queryPrefix = queryPrefix
    self.passagePrefix = passagePrefix
  }
}

/// Role of an embedder's vectors.
package enum EmbedderRole: String, Sendable, Hashable {
  /// The vectors are searched.
  case answering
  /// The vectors are being made, and are searched once every passage has its own.
  case next
  /// The vectors are being removed.
  case leaving
}

/// Embedder with its progress.
package struct EmbedderState: Sendable, Hashable {
  /// Embedder.
  package var embedder: EmbedderDescription
  /// Role of its vectors.
  package var role: EmbedderRole
  /// Number of passages that have their vectors.
  package var embeddedPassageCount: Int
  /// Number of passages.
  package var passageCount: Int

  /// Indicates whether every passage has its vectors.
  package var isComplete: Bool { embeddedPassageCount >= passageCount }
}

/// Passage that has no vectors yet.
package struct PassageToEmbed: Sendable, Hashable {
  /// Id of the passage.
  package var id: PassageID
  /// Document of the passage.
  package var document: DocumentID
  /// Text to embed.
  package var text: String
  /// Headings above it, outermost first.
  package var headings: [String]
  /// Title of the document, or its file's name.
  package var title: String
}

/// Vectors of one passage, one for each window; none where the embedder could not embed it.
package struct PassageVectors: Sendable, Hashable {
  /// Passage.
  package var passage: PassageToEmbed
  /// Windows, in order.
  package var windows: [PassageWindow]

  /// Makes the vectors of a passage.
  package init(_ passage: PassageToEmbed, windows: [PassageWindow]) {
    self.passage = passage
    self.windows = windows
  }
}

/// Part of a passage and its vector.
package struct PassageWindow: Sendable, Hashable {
  /// Range of the passage's text, in UTF-8 offsets.
  package var range: Range<Int>
  /// Vector of length 1.
  package var vector: [Float]

  /// Makes a window.
  package init(range: Range<Int>, vector: [Float]) {
    self.range = range
    self.vector = vector
  }
}

/// Vector of a query.
package struct QueryVector: Sendable, Hashable {
  /// Identity of the embedder: only its own vectors are compared.
  package var embedder: String
  /// Vector of length 1.
  package var values: [Float]

  /// Makes a query vector.
  package init(embedder: String, values: [Float]) {
    self.embedder = embedder
    self.values = values
  }
}

/// Passage found by its vector.
package struct VectorHit: Sendable, Hashable {
  /// Id of the passage.
  package var passage: PassageID
  /// Range of the nearest window of its text, in UTF-8 offsets.
  package var window: Range<Int>
  /// Cosine.
  package var score: Double
}
