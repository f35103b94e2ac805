import Images

/// Content of a picture's file.
package struct PictureContent: Sendable {
  package let bytes: [UInt8]
  package let image: PixelImage
  /// Text in the file that says how it was made; empty where it says nothing.
  package let parameters: String
}

extension Gallery {
  /// Reads and decodes a picture's file.
  /// - Throws: `ImageError`
  package func content(of picture: StoredPicture) throws -> PictureContent {
    let bytes = try bytes(of: picture)
    // A picture from elsewhere need not say how it was made.
    let parameters = (try? PNGFile.parameters(in: bytes))?.text ?? ""
    return PictureContent(bytes: bytes, image: try PNGFile.decode(bytes), parameters: parameters)
  }
}
