import Images

/// A picture that was made.
package struct PictureReport: Sendable, Equatable {
  /// Its entry in the gallery.
  package var picture: StoredPicture
  /// Its file.
  package var path: String
  /// Its pixels.
  package var image: PixelImage
  /// Parameters it was made with.
  package var parameters: ImageParameters
  /// Words of the prompt that were not understood.
  package var notUnderstood: [String]
  /// Notes on parts of the prompt that were understood and drawn differently.
  package var notes: [String]
  /// Time that it took.
  package var duration: Duration
  /// Number of previews left, where this picture used one.
  package var previewsLeft: Int?
}
