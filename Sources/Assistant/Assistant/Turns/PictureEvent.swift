import Images

/// Events of a request for a picture, in the order they happen.
package enum PictureEvent: Sendable, Equatable {
  /// A language model describes the picture more richly first.
  case describing
  /// Another picture, with this prompt, is made first.
  case waiting(for: String)
  /// No preview is left for the model, so the sketcher draws.
  case sketching(consumed: Int, allowance: Int)
  /// The engine gets ready.
  case loading
  /// The engine has finished this step of the total.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// The picture is being stored.
  case saving
  /// The picture is in the gallery.
  case finished(PictureReport)
}
