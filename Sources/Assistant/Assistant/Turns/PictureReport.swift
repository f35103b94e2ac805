import Images

/// A picture that was made.
package struct PictureReport: Sendable, Equatable {
  /// Its entry in the gallery.
  package var picture: StoredPicture
  /// Its file.
  package var path: String
  /// Its pixels.
  package var image: PixelImage
  /// What it was made from.
  package var parameters: ImageParameters
  /// Words of the prompt that were not understood.
  package var notUnderstood: [String]
  /// What was understood and drawn otherwise.
  package var notes: [String]
  /// How long it took.
  package var duration: Duration
  /// How many previews are left, where this one was counted.
  package var previewsLeft: Int?
}
