import Foundation

/// A picture of the gallery.
package struct StoredPicture: Sendable, Equatable {
  /// Its number, as `/gallery show 3` takes it.
  package let id: Int
  /// The file's name in the folder of pictures.
  package let file: String
  /// The session it was made in; nil where that is gone or there was none.
  package let session: Int?
  /// When it was made.
  package let created: Date
  /// What it shows.
  package let prompt: String
  /// Its size in pixels.
  package let width: Int
  /// Its size in pixels.
  package let height: Int
  /// Its seed.
  package let seed: UInt64
  /// What made it: `sketch`, or a model's name.
  package let model: String
}
