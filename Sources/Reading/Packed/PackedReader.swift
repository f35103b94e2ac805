import Documents

/// Reads Office files and electronic books.
struct PackedReader {
  let archive: ZipArchive
  let form: DocumentKind?
  let limits: ReadingLimits

  func read() throws(ReadingFailure) -> ExtractedDocument {
    throw .unsupported(detail: "archive: unpack it first")
  }
}
