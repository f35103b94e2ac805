/// Reasons for which a picture cannot be made, stored or read.
package enum ImageError: Error, Sendable, Equatable {
  /// Size that pictures cannot have; see ``ImageSize``.
  case badSize(given: String)
  /// Prompt without a letter or digit.
  case emptyPrompt
  /// Engine that is making another picture.
  case busy
  /// No diffusion model is loaded.
  case noModel
  /// Generation stopped by the user.
  case cancelled
  /// Stream of an engine that ended without a picture.
  case noOutput
  /// Failure reported by cairo.
  case drawingFailed(reason: String)
  /// Malformed file of drawings.
  case badSketchFile(file: String, line: Int, reason: String)
  /// File that could not be written; nothing of it is left.
  case notWritten(path: String, reason: String)
  /// File that could not be read.
  case notRead(path: String, reason: String)
  /// File that is not a PNG file, or a damaged one.
  case badPicture(reason: String)
  /// Picture without a text chunk of generation parameters.
  case noParameters
}
