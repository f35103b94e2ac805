import Documents

/// Reads one file into pages of lines.
///
/// Meant for a process of its own that may touch nothing else: poppler can still crash, hang or swallow memory.
package enum DocumentReader {
  /// Reads the file behind a descriptor, which stays the caller's.
  /// - Parameters:
  ///   - descriptor: a regular file, open for reading.
  ///   - fileName: tells the form together with the first bytes; nothing is opened by it.
  ///   - password: tried only where the file asks for one.
  /// - Throws: what is wrong with the file. A limit on pages or characters is no failure but a cut.
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
