import Documents
import TestSupport
import Testing

@Suite struct RunningTextTests {
  private func run(_ lines: [String], role: LineRole = .body) -> String {
    RunningText(pages: [DocumentPage(number: 1, lines: lines.map { DocumentLine($0, role: role) })]).text
  }

  @Test(arguments: [
    (["one two", "three"], "one two three"),
    (["for exam-", "ple this"], "for example this"),
    (["for exam\u{ad}", "ple"], "for example"),
    (["soft\u{ad}ware"], "software"),
    (["a well-", "known fact"], "a well-known fact"),
    (["a rule-", "based answer"], "a rule-based answer"),
    (["state-of-the-", "art"], "state-of-the-art"),
    (["Jean-", "Paul"], "Jean-Paul"),
    (["UTF-", "encoded"], "UTF-encoded"),
    (["1990-", "1995"], "1990-1995"),
    (["Vor-", "und Nachteile"], "Vor- und Nachteile"),
    (["a dash -", "and more"], "a dash - and more"),
    (["日本語の", "文章。"], "日本語の文章。"),
    (["日本語", "Swift"], "日本語 Swift"),
    (["한국어", "문장"], "한국어 문장"),
    (["of\u{fb01}ce \u{fb00}x"], "office ffx"),
    (["x\u{b2} and 5\u{bd}"], "x\u{b2} and 5\u{bd}"),
    (["ｆｕｌｌ　１２"], "full 12"),
    (["cafe\u{301}"], "café"),
    (["a  b\t c  ", "  d"], "a b c d"),
    (["in\u{1b}[2Jvoice\u{202e}\u{9b}3"], "in[2Jvoice3"),
    (["one", "", "two"], "one\ntwo"),
    ([], ""),
    (["", "\u{ad}"], ""),
  ])
  func readsLinesAloud(lines: [String], text: String) {
    #expect(run(lines) == text)
  }

  @Test func blocksStandOnLinesOfTheirOwn() {
    let page = DocumentPage(
      number: 1,
      lines: [
        DocumentLine("Title", role: .heading(level: 1), startsBlock: true), DocumentLine("Page 1", role: .running),
        DocumentLine("one", startsBlock: true), DocumentLine("two"), DocumentLine("item", role: .listItem),
        DocumentLine("  let x  =  1", role: .code), DocumentLine("\tlet y", role: .code),
        DocumentLine("secret", isHidden: true),
      ])
    let running = RunningText(pages: [page])
    #expect(running.text == "Title\none two\nitem\n  let x  =  1\n\tlet y\nsecret")
    #expect(running.blocks.map { running[$0.range] } == running.text.split(separator: "\n").map(String.init))
    #expect(running.blocks.map(\.isHidden) == [false, false, false, false, false, true])
    #expect(running.blocks.first?.role == .heading(level: 1))
  }

  @Test func runningLinesDoNotBreakASentenceAcrossPages() {
    let pages = [
      DocumentPage(number: 1, lines: [DocumentLine("It goes on un-"), DocumentLine("1", role: .running)]),
      DocumentPage(number: 2, lines: [DocumentLine("Report", role: .running), DocumentLine("til here.")]),
    ]
    let running = RunningText(pages: pages)
    #expect(running.text == "It goes on until here.")
    let span = running.span(of: 11..<16)
    #expect(span.start == TextPosition(page: 1, line: 1, byte: 11))
    #expect(span.end == TextPosition(page: 2, line: 2, byte: 3))
  }

  @Test func aQuoteIsCutAsPrinted() {
    let lines = ["The of\u{fb01}ce is", "open for exam-", "ple today."]
    let pages = [DocumentPage(number: 3, lines: lines.map { DocumentLine($0) })]
    let running = RunningText(pages: pages)
    #expect(running.text == "The office is open for example today.")
    let span = running.span(of: 4..<30)
    let quote = span.cut(line: { lines[$1 - 1].isEmpty || $0 != 3 ? nil : lines[$1 - 1] }, lineCount: { _ in 3 })
    #expect(quote == "of\u{fb01}ce is\nopen for exam-\nple")
  }

  /// Any part of a running text cites stored bytes that, read aloud again, contain it.
  @Test(arguments: 0..<200)
  func everyPartIsFoundAgain(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pages = RandomPages.make(&random)
    let running = RunningText(pages: pages)
    #expect(running.text.utf8.elementsEqual(RunningText(pages: pages).text.utf8))
    let count = running.text.utf8.count
    #expect(running.span(of: 0..<count).start <= running.span(of: 0..<count).end)
    guard count > 0 else { return }
    for _ in 0..<60 {
      let lower = Int.random(in: 0..<count, using: &random)
      let upper = min(count, lower + Int.random(in: 1...60, using: &random))
      let span = running.span(of: lower..<upper)
      #expect(span.start <= span.end)
      let again = RunningText(pages: pages, span: span).text
      let part = running[whole(running.text, lower..<upper)]
      #expect(
        spaceless(again).utf8.contains(spaceless(part).utf8),
        "\(part.debugDescription) is not in \(again.debugDescription)")
      let quote = span.cut(
        line: { page, line in pages.first { $0.number == page }?.lines[line - 1].text },
        lineCount: { page in pages.first { $0.number == page }?.lines.count ?? 0 })
      #expect(quote != nil)
    }
  }

  private func whole(_ text: String, _ range: Range<Int>) -> Range<Int> {
    let bytes = Array(text.utf8)
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower > 0, bytes[lower] & 0xc0 == 0x80 { lower -= 1 }
    while upper < bytes.count, bytes[upper] & 0xc0 == 0x80 { upper += 1 }
    return lower..<upper
  }

  /// White space at the ends is not found again.
  private func spaceless(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
