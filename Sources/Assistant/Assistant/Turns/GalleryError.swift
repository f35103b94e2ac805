/// Reasons for which the gallery cannot do something.
package enum GalleryError: Error, Sendable, Equatable {
  /// There is no picture of that number.
  case noPicture(Int)
}
