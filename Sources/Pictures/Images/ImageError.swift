/// Why a picture cannot be made, stored or read.
package enum ImageError: Error, Sendable, Equatable {
  /// The size is not one that pictures have.
  case badSize(given: String)
  /// Nothing is asked for.
  case emptyPrompt
  /// Another picture is being made.
  case busy
  /// No model for pictures is loaded.
  case noModel
  /// It was stopped.
  case cancelled
  /// The engine made nothing.
  case noOutput
  /// The drawing library refused.
  case drawingFailed(reason: String)
  /// A file of drawings is malformed.
  case badSketchFile(file: String, line: Int, reason: String)
  /// A file could not be written; nothing of it is left.
  case notWritten(path: String, reason: String)
  /// A file could not be read.
  case notRead(path: String, reason: String)
  /// The file is no PNG, or a damaged one.
  case badPicture(reason: String)
  /// The picture does not say how it was made.
  case noParameters
}
