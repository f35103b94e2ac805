import Documents
import Ingestion
import TestSupport
import Testing

@Suite struct ReaderAnswerTests {
  private func bytes(of answer: ReaderAnswer) -> [UInt8] {
    var bytes: [UInt8] = []
    answer.write { bytes += $0 }
    return bytes
  }

  private static let document = ExtractedDocument(
    kind: .pdf, title: "A title", author: nil, pageCount: 9,
    pages: [
      DocumentPage(
        number: 2, label: "ii",
        lines: [
          DocumentLine("Heading", role: .heading(level: 3), startsBlock: true), DocumentLine("日本 text"),
          DocumentLine("", role: .running), DocumentLine("x", role: .code, isHidden: true),
          DocumentLine("a\tb", role: .tableHeader), DocumentLine("1\t2", role: .tableRow),
          DocumentLine("- item", role: .listItem, startsBlock: true),
        ]),
      DocumentPage(number: 5, lines: []),
    ],
    cut: .pageLimit)

  private static let failures: [ReadingFailure] = [
    .emptyText(pageCount: 3), .encrypted, .wrongPassword, .damaged(detail: "xref"), .limit(.nesting, 64), .binary,
    .unsupported(detail: "doc"), .timeout(seconds: 30), .crashed(signal: 11), .unreadable(detail: "gone"),
  ]

  @Test func documentsComeBackAsTheyWere() {
    let answer = ReaderAnswer.document(Self.document)
    #expect(ReaderAnswer(decoding: bytes(of: answer), limits: .standard) == answer)
  }

  @Test(arguments: failures)
  func failuresComeBackAsTheyWere(failure: ReadingFailure) {
    let answer = ReaderAnswer.failure(failure)
    #expect(ReaderAnswer(decoding: bytes(of: answer), limits: .standard) == answer)
  }

  @Test func requestsComeBackAsTheyWere() {
    var limits = ReadingLimits.standard
    limits.pageCount = 7
    let request = ReaderRequest(fileName: "ü.pdf", password: "pässwört", limits: limits)
    let bytes = request.encoded()
    #expect(ReaderRequest(decoding: Array(bytes.dropFirst(4))) == request)
    for count in 0..<bytes.count - 4 { #expect(ReaderRequest(decoding: Array(bytes[4...].prefix(count))) == nil) }
  }

  @Test func anAnswerCutOffAnywhereIsRefused() {
    let whole = bytes(of: .document(Self.document))
    for count in 0..<whole.count {
      #expect(ReaderAnswer(decoding: Array(whole.prefix(count)), limits: .standard) == nil)
    }
    #expect(ReaderAnswer(decoding: whole + [0], limits: .standard) == nil)
  }

  /// A hostile reader may answer anything: it is refused or it is a document within the limits, and nothing traps.
  @Test func anAnswerWithFlippedBytesNeverTraps() {
    var random = SeededGenerator(seed: 3)
    let whole = bytes(of: .document(Self.document))
    for _ in 0..<20_000 {
      var changed = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard case .document(let document) = ReaderAnswer(decoding: changed, limits: .standard) else { continue }
      #expect(document.pages.allSatisfy { page in page.lines.allSatisfy { !$0.text.utf8.contains(0x0a) } })
    }
  }

  @Test func morePagesThanAllowedAreRefused() {
    var limits = ReadingLimits.standard
    limits.pageCount = 1
    #expect(ReaderAnswer(decoding: bytes(of: .document(Self.document)), limits: limits) == nil)
  }

  @Test func lineFeedsFromAHostileReaderBecomeSpaces() {
    var document = Self.document
    document.pages = [DocumentPage(number: 1, lines: [DocumentLine("one\ntwo\0three")])]
    guard case .document(let read) = ReaderAnswer(decoding: bytes(of: .document(document)), limits: .standard)
    else {
      Issue.record("not read")
      return
    }
    #expect(read.pages[0].lines[0].text == "one two three")
  }
}
