/// What makes vectors, as the library remembers it: vectors of two embedders never meet.
package struct EmbedderDescription: Sendable, Hashable {
  /// Names the vectors it makes: the same for every copy of its file, another for anything that would change a vector.
  package var identity: String
  /// What people call it.
  package var name: String
  /// Where its file was when it was last used.
  package var path: String
  /// What is put before a query.
  package var queryPrefix: String
  /// What is put before a passage.
  package var passagePrefix: String
  /// The number of elements of its vectors.
  package var dimension: Int

  /// Describes an embedder.
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

/// What an embedder's vectors are to the library.
package enum EmbedderRole: String, Sendable, Hashable {
  /// They answer.
  case answering
  /// They are being made, and answer once every passage has its own.
  case next
  /// They are being taken out.
  case leaving
}

/// An embedder and how far its vectors have come.
package struct EmbedderState: Sendable, Hashable {
  /// The embedder.
  package var embedder: EmbedderDescription
  /// What its vectors are to the library.
  package var role: EmbedderRole
  /// Passages that have theirs.
  package var embeddedPassageCount: Int
  /// Passages there are.
  package var passageCount: Int

  /// Whether every passage has its vectors.
  package var isComplete: Bool { embeddedPassageCount >= passageCount }
}

/// A passage that has no vectors yet.
package struct PassageToEmbed: Sendable, Hashable {
  /// The passage.
  package var id: PassageID
  /// The document it is from.
  package var document: DocumentID
  /// Its text.
  package var text: String
  /// The headings it stands under, outermost first.
  package var headings: [String]
  /// The document's title, or its file's name.
  package var title: String
}

/// The vectors of one passage: one for each window; none where the embedder could make nothing of it.
package struct PassageVectors: Sendable, Hashable {
  /// The passage.
  package var passage: PassageToEmbed
  /// Its windows, in order.
  package var windows: [PassageWindow]

  /// Makes the vectors of a passage.
  package init(_ passage: PassageToEmbed, windows: [PassageWindow]) {
    self.passage = passage
    self.windows = windows
  }
}

/// A part of a passage and its vector.
package struct PassageWindow: Sendable, Hashable {
  /// The bytes of the passage's text.
  package var range: Range<Int>
  /// The vector, of length 1.
  package var vector: [Float]

  /// Makes a window.
  package init(range: Range<Int>, vector: [Float]) {
    self.range = range
    self.vector = vector
  }
}

/// A query as an embedder made it.
package struct QueryVector: Sendable, Hashable {
  /// The identity of the embedder: only its own vectors are compared.
  package var embedder: String
  /// The vector, of length 1.
  package var values: [Float]

  /// Makes a query.
  package init(embedder: String, values: [Float]) {
    self.embedder = embedder
    self.values = values
  }
}

/// A passage that means something near to a query.
package struct VectorHit: Sendable, Hashable {
  /// The passage.
  package var passage: PassageID
  /// The bytes of its text whose vector is nearest.
  package var window: Range<Int>
  /// The cosine.
  package var score: Double
}
