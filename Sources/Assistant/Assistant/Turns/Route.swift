/// Destination of a sentence, with what the router decided along with it.
package struct Route: Sendable, Equatable {
  /// Kinds of turns, as answers in JSON and telemetry name them.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case chat, documents, image
  }

  /// Kind of turn.
  package var kind: Kind
  /// Reply that rules settle (small talk, arithmetic); a model that is loaded may answer in its place. Nil where no
  /// rule applies.
  package var reply: String?
  /// Indicates whether a model answers by itself where the documents hold no evidence.
  package var fallsBackToChat = false
  /// Indicates whether the picture asked for is a change of the picture before it.
  package var changesLastPicture = false

  /// Creates a route.
  package init(
    _ kind: Kind, reply: String? = nil, fallsBackToChat: Bool = false, changesLastPicture: Bool = false
  ) {
    (self.kind, self.reply) = (kind, reply)
    (self.fallsBackToChat, self.changesLastPicture) = (fallsBackToChat, changesLastPicture)
  }
}
