/// Circumstances of a sentence that decide, besides its words, where it goes.
package struct RouteContext: Sendable, Equatable {
  /// Places of a picture in the conversation.
  package enum Picture: Sendable, Equatable {
    /// No picture was made yet.
    case none
    /// A picture was made, and other turns followed it.
    case earlier
    /// The last thing that happened is a picture.
    case last
  }

  /// Indicates whether a turn was answered before this one.
  package var isFollowUp = false
  /// Position of the conversation's newest picture.
  package var picture = Picture.none
  /// Indicates whether a language model is loaded.
  package var hasModel = false
  /// Indicates whether the part of the library that is searched holds any text.
  package var hasDocuments = true
  /// Indicates whether pictures can be drawn here.
  package var canDraw = true
  /// Indicates whether the model itself is asked and the documents are left aside (`--chat`).
  package var isChat = false
  /// Indicates whether a document is summarized; the sentence is then only what the session remembers.
  package var isSummary = false

  /// Creates the context of a first sentence over a library with text, without a model.
  package init() {}
}
