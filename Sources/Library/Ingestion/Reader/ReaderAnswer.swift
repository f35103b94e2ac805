import Documents

/// Answer of a reader, as it is sent to alcove.
///
/// The reader writes it; the decoder trusts none of it and checks every count against the limits.
package enum ReaderAnswer: Sendable, Equatable {
  case document(ExtractedDocument)
  case failure(ReadingFailure)

  static let magic = Array("ALR1".utf8)
  private static let end = Array("/END".utf8)
  private static let longestTitle = 1 << 16
  private static let mostLines = 4_000_000

  /// Returns the largest size of an answer within limits, in bytes.
  package static func largest(for limits: ReadingLimits) -> Int {
    min(limits.characterCount, 1 << 34) * 4 + 16 << 20
  }

  // MARK: Writing

  /// Encodes the answer in pieces of about 256 KiB.
  package func write(to sink: ([UInt8]) -> Void) {
    var writer = WireWriter()
    Self.magic.forEach { writer.write($0) }
    switch self {
    case .failure(let failure):
      writer.write(UInt8(1))
      Self.write(failure, &writer)
    case .document(let document):
      writer.write(UInt8(0))
      writer.write(document.kind.rawValue)
      writer.write(optional: document.title.map { String($0.prefix(Self.longestTitle / 8)) })
      writer.write(optional: document.author.map { String($0.prefix(Self.longestTitle / 8)) })
      writer.write(optional: document.cut?.rawValue)
      writer.write(count: document.pageCount)
      writer.write(count: document.pages.count)
      for page in document.pages {
        writer.write(count: page.number)
        writer.write(optional: page.label.map { String($0.prefix(Self.longestTitle / 8)) })
        writer.write(count: page.lines.count)
        for line in page.lines {
          writer.write(Self.flags(of: line))
          writer.write(line.text)
        }
        if writer.bytes.count > 1 << 18 { sink(writer.take()) }
      }
    }
    Self.end.forEach { writer.write($0) }
    sink(writer.take())
  }

  private static func flags(of line: DocumentLine) -> UInt8 {
    let role: UInt8 =
      switch line.role {
      case .body: 0
      case .listItem: 1
      case .tableHeader: 2
      case .tableRow: 3
      case .code: 4
      case .running: 5
      case .heading(let level): 7 + UInt8(min(max(level, 1), 6))
      }
    return role | (line.startsBlock ? 0x40 : 0) | (line.isHidden ? 0x80 : 0)
  }

  private static func write(_ failure: ReadingFailure, _ writer: inout WireWriter) {
    var (number, text) = (0, "")
    switch failure {
    case .emptyText(let count): number = count
    case .damaged(let detail), .unsupported(let detail), .unreadable(let detail):
      text = String(detail.prefix(1000))
    case .limit(let limit, let value): (number, text) = (value, limit.rawValue)
    case .timeout(let seconds): number = seconds
    case .crashed(let signal): number = Int(signal)
    case .encrypted, .wrongPassword, .binary: break
    }
    writer.write(failure.name)
    writer.write(number)
    writer.write(text)
  }

  // MARK: Reading

  /// Decodes an answer; nil where it is malformed or exceeds the limits of its request.
  package init?(decoding bytes: [UInt8], limits: ReadingLimits) {
    var reader = WireReader(bytes)
    do {
      for expected in Self.magic where try reader.byte() != expected { return nil }
      switch try reader.byte() {
      case 0: self = .document(try Self.document(&reader, limits))
      case 1:
        guard let failure = try Self.failure(&reader) else { return nil }
        self = .failure(failure)
      default: return nil
      }
      for expected in Self.end where try reader.byte() != expected { return nil }
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }

  private static func document(
    _ reader: inout WireReader, _ limits: ReadingLimits
  ) throws(WireReader.Malformed) -> ExtractedDocument {
    guard let kind = DocumentKind(rawValue: try reader.text(most: 64)) else { throw WireReader.Malformed() }
    let title = try reader.optionalText(most: longestTitle)
    let author = try reader.optionalText(most: longestTitle)
    var cut: ReadingCut?
    if let name = try reader.optionalText(most: 64) {
      guard let known = ReadingCut(rawValue: name) else { throw WireReader.Malformed() }
      cut = known
    }
    let pageCount = try reader.count(most: Int(Int32.max))
    let readCount = try reader.count(most: min(limits.pageCount, pageCount, reader.remaining / 9))
    var pages: [DocumentPage] = []
    pages.reserveCapacity(readCount)
    var budget = (lines: mostLines, bytes: largest(for: limits))
    for _ in 0..<readCount {
      let startsPart = kind.hasPages && kind != .pdf
      let page = try page(&reader, &budget, startsPart: startsPart)
      guard page.number > pages.last?.number ?? 0, page.number <= pageCount else { throw WireReader.Malformed() }
      pages.append(page)
    }
    return ExtractedDocument(
      kind: kind, title: title, author: author, pageCount: pageCount, pages: pages, cut: cut)
  }

  private static func page(
    _ reader: inout WireReader, _ budget: inout (lines: Int, bytes: Int), startsPart: Bool
  ) throws(WireReader.Malformed) -> DocumentPage {
    let number = try reader.count(most: Int(Int32.max))
    let label = try reader.optionalText(most: longestTitle)
    let lineCount = try reader.count(most: min(budget.lines, reader.remaining / 5))
    budget.lines -= lineCount
    var lines: [DocumentLine] = []
    lines.reserveCapacity(lineCount)
    for index in 0..<lineCount {
      let flags = try reader.byte()
      guard let role = role(flags & 0x3f) else { throw WireReader.Malformed() }
      let text = try reader.text(most: budget.bytes)
      budget.bytes -= text.utf8.count
      let startsBlock = flags & 0x40 != 0 || (startsPart && index == 0)
      lines.append(DocumentLine(text, role: role, startsBlock: startsBlock, isHidden: flags & 0x80 != 0))
    }
    return DocumentPage(number: number, label: label, lines: lines)
  }

  private static func role(_ code: UInt8) -> LineRole? {
    switch code {
    case 0: .body
    case 1: .listItem
    case 2: .tableHeader
    case 3: .tableRow
    case 4: .code
    case 5: .running
    case 8...13: .heading(level: Int(code) - 7)
    default: nil
    }
  }

  private static func failure(_ reader: inout WireReader) throws(WireReader.Malformed) -> ReadingFailure? {
    let name = try reader.text(most: 64)
    let number = try reader.number()
    let text = try reader.text(most: 1 << 13)
    switch name {
    case "empty-text": return .emptyText(pageCount: max(number, 0))
    case "encrypted": return .encrypted
    case "wrong-password": return .wrongPassword
    case "damaged": return .damaged(detail: text)
    case "limit": return ReadingLimit(rawValue: text).map { .limit($0, number) }
    case "binary": return .binary
    case "unsupported": return .unsupported(detail: text)
    case "timeout": return .timeout(seconds: number)
    case "crashed": return .crashed(signal: Int32(truncatingIfNeeded: number))
    case "unreadable": return .unreadable(detail: text)
    default: return nil
    }
  }
}
