import Documents

/// Reads the text formats: plain text, markup, code, tables and records.
struct TextFormReader {
  let bytes: UnsafeRawBufferPointer
  let form: DocumentKind
  let limits: ReadingLimits

  func read() throws(ReadingFailure) -> ExtractedDocument {
    if form == .html { return try HTMLReader(bytes: bytes, limits: limits).read() }
    let text = try DecodedText(bytes, limit: limits.characterCount)
    var builder = PageBuilder(limits: limits)
    var title: String?
    builder.beginPage()
    switch form {
    case .markdown: title = MarkdownReader().read(text.lines, into: &builder)
    case .restructuredText: title = RestructuredTextReader().read(text.lines, into: &builder)
    case .sourceCode: SourceCodeReader().read(text, into: &builder)
    case .csv, .tsv: DelimitedReader(isTabbed: form == .tsv).read(text, into: &builder)
    case .json:
      if try !JSONReader(text.utf8).read(into: &builder) {
        builder = PageBuilder(limits: limits)
        SourceCodeReader().read(text, into: &builder)
      }
    case .jsonLines: try JSONLinesReader().read(text, into: &builder)
    default: PlainTextReader().read(text.lines, into: &builder)
    }
    if text.isCut { builder.stop(.characterLimit) }
    return try builder.document(form, title: title)
  }
}
