import Documents

/// Reads zip archives: Office files and electronic books.
struct PackedReader {
  let archive: ZipArchive
  /// Form by the file's name; nil where the name says nothing.
  let form: DocumentKind?
  let limits: ReadingLimits

  func read() throws(ReadingFailure) -> ExtractedDocument {
    var archive = archive
    let found = try Self.kind(of: &archive)
    guard let found else {
      if form == nil { throw .unsupported(detail: "archive: unpack it first") }
      throw .damaged(detail: "what the name promises is not in it")
    }
    if let form, form != found { throw .damaged(detail: "holds \(found.rawValue), not \(form.rawValue)") }
    switch found {
    case .docx: return try WordReader(limits: limits).read(&archive)
    case .pptx: return try SlidesReader(limits: limits).read(&archive)
    case .xlsx: return try WorkbookReader(limits: limits).read(&archive)
    case .epub: return try BookReader(limits: limits).read(&archive)
    default: return try OpenDocumentReader(kind: found, limits: limits).read(&archive)
    }
  }

  /// Detects the form of the archive from its members.
  private static func kind(of archive: inout ZipArchive) throws(ReadingFailure) -> DocumentKind? {
    if let mimetype = try archive.read("mimetype") {
      let name = String(decoding: mimetype.prefix(100), as: UTF8.self).trimmed
      if name == "application/epub+zip" { return .epub }
      if name.hasPrefix("application/vnd.oasis.opendocument.text") { return .odt }
      if name.hasPrefix("application/vnd.oasis.opendocument.spreadsheet") { return .ods }
      if name.hasPrefix("application/vnd.oasis.opendocument.presentation") { return .odp }
    }
    if archive.contains("META-INF/container.xml"), !archive.contains("content.xml") { return .epub }
    for (prefix, kind) in [("word/", DocumentKind.docx), ("ppt/", .pptx), ("xl/", .xlsx)]
    where archive.members.contains(where: { $0.name.hasPrefix(prefix) }) {
      return kind
    }
    return nil
  }
}
