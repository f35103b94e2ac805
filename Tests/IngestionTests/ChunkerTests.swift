import Documents
import Ingestion
import TestSupport
import Testing

@Suite struct ChunkerTests {
  private func document(_ lines: [DocumentLine], kind: DocumentKind = .text) -> ExtractedDocument {
    ExtractedDocument(kind: kind, pageCount: 1, pages: [DocumentPage(number: 1, lines: lines)])
  }

  private func chunk(
    _ document: ExtractedDocument, words: Int = 40, overlap: Int = 8
  ) -> [Passage] {
    Chunker(settings: ChunkingSettings(wordCount: words, overlapWordCount: overlap)).passages(of: document)
  }

  private func sentence(_ number: Int, words: Int = 6) -> String {
    "S\(number) " + (1..<words).map { "w\($0)" }.joined(separator: " ") + "."
  }

  @Test func anEmptyDocumentHasNoPassages() {
    #expect(chunk(document([])).isEmpty)
    #expect(chunk(document([DocumentLine(""), DocumentLine("3", role: .running)])).isEmpty)
  }

  @Test func sentencesStayWholeAndPassagesOverlap() {
    let text = (1...40).map { sentence($0) }.joined(separator: " ")
    let passages = chunk(document([DocumentLine(text)]))
    #expect(passages.count > 5)
    for (passage, next) in zip(passages, passages.dropFirst()) {
      #expect(passage.text.hasPrefix("S") && passage.text.hasSuffix("."))
      let shared = next.text.prefix { $0 != "." } + "."
      #expect(passage.text.contains(shared), "no overlap")
    }
  }

  @Test func headingsGiveThePathAndBeginPassages() {
    let body = (1...4).map { sentence($0) }.joined(separator: " ")
    let lines = [
      DocumentLine("# Book", role: .heading(level: 1), startsBlock: true),
      DocumentLine("One", role: .heading(level: 2), startsBlock: true), DocumentLine(body, startsBlock: true),
      DocumentLine("Two", role: .heading(level: 2), startsBlock: true), DocumentLine(body, startsBlock: true),
      DocumentLine("Deep", role: .heading(level: 3), startsBlock: true), DocumentLine(body, startsBlock: true),
    ]
    let passages = chunk(document(lines, kind: .markdown))
    #expect(passages.map(\.headings) == [["Book", "One"], ["Book", "Two"], ["Book", "Two", "Deep"]])
    #expect(passages[0].text.hasPrefix("# Book\nOne\nS1"))
    #expect(passages[1].text.hasPrefix("Two\nS1"))
  }

  @Test func shortSectionsShareAPassage() {
    let lines = (1...3).flatMap { number in
      [
        DocumentLine("Part \(number)", role: .heading(level: 1), startsBlock: true),
        DocumentLine("Short.", startsBlock: true),
      ]
    }
    let passages = chunk(document(lines))
    #expect(passages.count == 1)
    #expect(passages.first?.headings == [])
  }

  @Test func tableRowsKnowTheirHeader() {
    let rows = (1...30).map { DocumentLine("row \($0)\tvalue \($0)", role: .tableRow, startsBlock: true) }
    let header = DocumentLine("name\tamount", role: .tableHeader, startsBlock: true)
    let passages = chunk(document([header] + rows + [DocumentLine("End.", startsBlock: true)], kind: .csv))
    #expect(passages.count > 2)
    #expect(passages[0].headings == [] && passages[0].text.hasPrefix("name\tamount\nrow 1"))
    for passage in passages.dropFirst() {
      #expect(passage.headings == ["name\tamount"])
      #expect(passage.form == .table)
    }
  }

  @Test func slidesAreNeverMixed() {
    let pages = (1...3).map {
      DocumentPage(
        number: $0, label: "Slide \($0)", lines: [DocumentLine("Text of slide \($0).", startsBlock: true)])
    }
    let passages = chunk(ExtractedDocument(kind: .pptx, pageCount: 3, pages: pages))
    #expect(passages.map(\.headings) == [["Slide 1"], ["Slide 2"], ["Slide 3"]])
  }

  @Test func aSentenceGoesOnAcrossPages() {
    let pages = [
      DocumentPage(number: 1, lines: [DocumentLine("It begins here and")]),
      DocumentPage(number: 2, lines: [DocumentLine("Report", role: .running), DocumentLine("ends there.")]),
    ]
    let passages = chunk(ExtractedDocument(kind: .pdf, pageCount: 2, pages: pages))
    #expect(passages.map(\.text) == ["It begins here and ends there."])
    #expect(passages[0].span.start.page == 1 && passages[0].span.end.page == 2)
  }

  @Test(arguments: [
    String(repeating: "x", count: 1 << 20), String(repeating: "word ", count: 200_000),
    String(repeating: "中文", count: 200_000), String(repeating: "。", count: 300_000),
    String(repeating: "ไทย", count: 100_000), String(repeating: "a,", count: 500_000),
    String(repeating: "e\u{301}", count: 300_000), String(repeating: ". ", count: 500_000),
  ])
  func aVeryLongLineIsCut(text: String) {
    let passages = chunk(document([DocumentLine(text)]), words: 400, overlap: 75)
    #expect(passages.count > 20)
    #expect(passages.allSatisfy { $0.text.utf8.count < 40_000 })
  }

  @Test func chineseIsMeasuredByCharacters() {
    let line = String(repeating: "这是一个句子。", count: 500)
    let passages = chunk(document([DocumentLine(line)]), words: 400, overlap: 75)
    #expect((5...9).contains(passages.count))
    #expect(passages.allSatisfy { $0.text.hasSuffix("。") })
  }

  /// Passages read the same from their spans, stand in order, and leave nothing out.
  @Test(arguments: 0..<150)
  func passagesAreWhatTheirSpansSay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pages = RandomDocument.pages(&random)
    let kind = DocumentKind.allCases.randomElement(using: &random) ?? .pdf
    let document = ExtractedDocument(kind: kind, pageCount: pages.count, pages: pages)
    let running = RunningText(pages: pages)
    let passages = chunk(document, words: 30, overlap: 10)
    for passage in passages {
      #expect(RunningText(pages: pages, span: passage.span).text == passage.text)
      #expect(!passage.text.isEmpty)
    }
    for (passage, next) in zip(passages, passages.dropFirst()) {
      #expect(passage.span.start < next.span.start && passage.span.end < next.span.end)
    }
    let numbers = Set(passages.flatMap { $0.text.split { !$0.isNumber } })
    #expect(running.text.split { !$0.isNumber }.allSatisfy(numbers.contains))
  }
}
