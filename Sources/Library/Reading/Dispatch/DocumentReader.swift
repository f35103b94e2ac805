import Documents

/// Reads one file into pages of lines.
///
/// Meant for a process of its own without any access beyond the descriptor: poppler can still crash, hang or exhaust
/// memory.
package enum DocumentReader {
  /// Reads the file behind a descriptor, which is not closed.
  /// - Parameters:
  ///   - descriptor: a regular file, open for reading.
  ///   - fileName: decides the form together with the first bytes; no file is opened by it.
  ///   - password: used only where the file is encrypted.
  /// - Throws: the fault of the file. A limit on pages or characters is no failure; the document is cut.
  package static func read(
    descriptor: CInt, fileName: String, password: String? = nil, limits: ReadingLimits = .standard
  ) throws(ReadingFailure) -> ExtractedDocument {
    let head = try FileHead(descriptor: descriptor, limit: limits.fileByteCount)
    guard head.fileByteCount > 0 else { throw .emptyText(pageCount: 1) }
    let form = try FileForm.detect(fileName: fileName, head: head.bytes)
    if form == .pdf {
      return try PDFReader(descriptor: descriptor, password: password, limits: limits).read()
    }
    let file = try MappedBytes(descriptor: descriptor)
    guard let form, !form.isPacked else {
      if head.bytes.starts(with: FileForm.compoundMagic) {
        throw FileForm.refuseCompound(file.buffer, password: password)
      }
      return try PackedReader(archive: ZipArchive(file.buffer), form: form, limits: limits).read()
    }
    return try TextFormReader(bytes: file.buffer, form: form, limits: limits).read()
  }
}
