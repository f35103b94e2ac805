import Images

/// What comes of a request for a picture, in the order it happens.
package enum PictureEvent: Sendable, Equatable {
  /// A language model describes the picture more richly first.
  case describing
  /// Another picture is made first: this is what it shows.
  case waiting(for: String)
  /// No preview is left for the model, so the sketcher draws.
  case sketching(consumed: Int, allowance: Int)
  /// The engine gets ready.
  case loading
  /// So many of the steps are done.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// The picture is being stored.
  case saving
  /// The picture is in the gallery.
  case finished(PictureReport)
}
