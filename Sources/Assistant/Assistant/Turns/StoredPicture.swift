import Foundation

/// A picture of the gallery.
package struct StoredPicture: Sendable, Equatable {
  /// Number of the picture, as `/gallery show 3` takes it.
  package let id: Int
  /// The file's name in the folder of pictures.
  package let file: String
  /// The session it was made in; nil where that is gone or there was none.
  package let session: Int?
  /// Date of its creation.
  package let created: Date
  /// Its prompt.
  package let prompt: String
  /// Its width in pixels.
  package let width: Int
  /// Its height in pixels.
  package let height: Int
  /// Its seed.
  package let seed: UInt64
  /// Its maker: `sketch`, or a model's name.
  package let model: String
}
