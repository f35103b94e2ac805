/// What makes vectors, as the library remembers it: vectors of two embedders never meet.
public struct EmbedderDescription: Sendable, Hashable {
  /// Names the vectors it makes: the same for every copy of its file, another for anything that would change a vector.
  public var identity: String
  /// What people call it.
  public var name: String
  /// Where its file was when it was last used.
  public var path: String
  /// What is put before a query.
  public var queryPrefix: String
  /// What is put before a passage.
  public var passagePrefix: String
  /// The number of elements of its vectors.
  public var dimension: Int

  /// Describes an embedder.
  public init(
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
public enum EmbedderRole: String, Sendable, Hashable {
  /// They answer.
  case answering
  /// They are being made, and answer once every passage has its own.
  case next
  /// They are being taken out.
  case leaving
}

/// An embedder and how far its vectors have come.
public struct EmbedderState: Sendable, Hashable {
  /// The embedder.
  public var embedder: EmbedderDescription
  /// What its vectors are to the library.
  public var role: EmbedderRole
  /// Passages that have theirs.
  public var embeddedPassageCount: Int
  /// Passages there are.
  public var passageCount: Int

  /// Whether every passage has its vectors.
  public var isComplete: Bool { embeddedPassageCount >= passageCount }
}

/// A passage that has no vectors yet.
public struct PassageToEmbed: Sendable, Hashable {
  /// The passage.
  public var id: PassageID
  /// The document it is from.
  public var document: DocumentID
  /// Its text.
  public var text: String
  /// The headings it stands under, outermost first.
  public var headings: [String]
  /// The document's title, or its file's name.
  public var title: String
}

/// The vectors of one passage: one for each window; none where the embedder could make nothing of it.
public struct PassageVectors: Sendable, Hashable {
  /// The passage.
  public var passage: PassageToEmbed
  /// Its windows, in order.
  public var windows: [PassageWindow]

  /// Makes the vectors of a passage.
  public init(_ passage: PassageToEmbed, windows: [PassageWindow]) {
    self.passage = passage
    self.windows = windows
  }
}

/// A part of a passage and its vector.
public struct PassageWindow: Sendable, Hashable {
  /// The bytes of the passage's text.
  public var range: Range<Int>
  /// The vector, of length 1.
  public var vector: [Float]

  /// Makes a window.
  public init(range: Range<Int>, vector: [Float]) {
    self.range = range
    self.vector = vector
  }
}

/// A query as an embedder made it.
public struct QueryVector: Sendable, Hashable {
  /// The identity of the embedder: only its own vectors are compared.
  public var embedder: String
  /// The vector, of length 1.
  public var values: [Float]

  /// Makes a query.
  public init(embedder: String, values: [Float]) {
    self.embedder = embedder
    self.values = values
  }
}

/// A passage that means something near to a query.
public struct VectorHit: Sendable, Hashable {
  /// The passage.
  public var passage: PassageID
  /// The bytes of its text whose vector is nearest.
  public var window: Range<Int>
  /// The cosine.
  public var score: Double
}
