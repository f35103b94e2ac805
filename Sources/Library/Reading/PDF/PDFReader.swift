import CGLib
import CPoppler
import Documents

/// Reads PDFs through poppler.
struct PDFReader {
  let descriptor: CInt
  let password: String?
  let limits: ReadingLimits

  /// Reads the document, its lines in reading order with their roles.
  func read() throws(ReadingFailure) -> ExtractedDocument {
    let budget = ProcessorTimeBudget(limit: limits.processorSeconds)
    let file = try PopplerFile(descriptor: descriptor, password: password)
    if file.pageCount <= 0 { throw .damaged(detail: "no pages") }
    var reading = readPages(of: file, budget: budget)
    if reading.pages.allSatisfy({ $0.lines.isEmpty }) {
      if reading.cut == .pageLimit || reading.cut == .timeLimit { throw .limit(.pages, reading.pages.count) }
      throw .emptyText(pageCount: file.pageCount)
    }
    let outline = PDFOutline(file)
    RunningLines.mark(&reading.pages)
    if outline.mark(&reading.pages) < 2 { PrintedHeadings(pages: reading.pages).mark(&reading.pages) }
    PDFParagraphs(pages: reading.pages).mark(&reading.pages)
    return ExtractedDocument(
      kind: .pdf, title: file.title, author: file.author, pageCount: file.pageCount,
      pages: reading.pages.map(Self.page), cut: reading.cut)
  }

  private static func page(_ printed: PrintedPage) -> DocumentPage {
    var lines = printed.lines.map {
      DocumentLine($0.text, role: $0.role, startsBlock: $0.startsBlock, isHidden: $0.isHidden)
    }
    LineEnds.separateFields(&lines)
    return DocumentPage(number: printed.number, label: printed.label, lines: lines)
  }

  private func readPages(
    of file: borrowing PopplerFile, budget: ProcessorTimeBudget
  ) -> (pages: [PrintedPage], cut: ReadingCut?) {
    var (pages, cut) = ([PrintedPage](), ReadingCut?.none)
    var characters = 0
    let mayBeInvisible = InvisibleText.isSet(in: descriptor)
    for index in 0..<file.pageCount {
      if index == limits.pageCount { return (pages, .pageLimit) }
      if characters >= limits.characterCount { return (pages, .characterLimit) }
      if budget.isNearlySpent { return (pages, .timeLimit) }
      let errors = PopplerLog.errorCount
      guard let page = poppler_document_get_page(file.document, CInt(index)) else {
        cut = .damagedPages
        continue
      }
      defer { g_object_unref(UnsafeMutableRawPointer(page)) }
      var printed = PageTextReader(page: page).read(number: index + 1)
      if !budget.isHalfSpent { printed.markHidden(on: page, mayBeInvisible: mayBeInvisible) }
      if printed.lines.isEmpty, PopplerLog.errorCount > errors { cut = .damagedPages }
      for line in printed.lines.indices {
        characters += printed.lines[line].text.utf8.count { $0 & 0xC0 != 0x80 }
        guard characters > limits.characterCount else { continue }
        printed.lines.removeSubrange(max(line, pages.isEmpty ? 1 : 0)...)
        if !printed.lines.isEmpty { pages.append(printed) }
        return (pages, .characterLimit)
      }
      pages.append(printed)
    }
    return (pages, cut)
  }
}
