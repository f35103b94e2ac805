import Documents

/// Reads CSV and TSV (RFC 4180 and variants): one line for each record, at the line of the file where the record
/// begins.
struct DelimitedReader {
  let isTabbed: Bool

  func read(_ text: DecodedText, into builder: inout PageBuilder) {
    let delimiter = Self.delimiter(of: text.utf8, isTabbed: isTabbed)
    var parser = RecordParser(bytes: text.utf8, delimiter: delimiter)
    var (line, isFirst) = (1, true)
    var pending: (cells: [String], line: Int)?
    func emit(_ record: (cells: [String], line: Int), isHeader: Bool) {
      while line < record.line {
        builder.add("")
        line += 1
      }
      let isBlank = record.cells.allSatisfy { $0.trimmed.isEmpty }
      builder.add(
        isBlank ? "" : TableText.row(record.cells), role: isBlank ? .body : isHeader ? .tableHeader : .tableRow,
        startsBlock: !isBlank)
      line += 1
    }
    while let record = parser.next(), !builder.isFull {
      if let waiting = pending {
        let isHeader = isFirst && TableText.isHeader(waiting.cells, next: record.cells)
        emit(waiting, isHeader: isHeader)
        isFirst = false
      }
      pending = record
    }
    if let pending { emit(pending, isHeader: false) }
  }

  /// Detects the delimiter that gives the first records the most even number of cells, and more than one.
  private static func delimiter(of bytes: [UInt8], isTabbed: Bool) -> UInt8 {
    let order: [UInt8] = isTabbed ? [0x09, 0x2C, 0x3B, 0x7C] : [0x2C, 0x3B, 0x09, 0x7C]
    var best: (delimiter: UInt8, score: Double) = (order[0], 0)
    let sample = Array(bytes.prefix(64 << 10))
    for delimiter in order {
      var parser = RecordParser(bytes: sample, delimiter: delimiter)
      var counts: [Int: Int] = [:]
      var total = 0
      while total < 30, let record = parser.next() {
        if record.cells.count == 1, record.cells[0].isEmpty { continue }
        counts[record.cells.count, default: 0] += 1
        total += 1
      }
      guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), usual.key > 1 else {
        continue
      }
      let score = Double(usual.value) / Double(total) + 0.001 * Double(min(usual.key, 50))
      if score > best.score { best = (delimiter, score) }
    }
    return best.delimiter
  }
}

/// Splits delimited text into records. A quote that never closes ends with its line.
struct RecordParser {
  private let bytes: [UInt8]
  private let delimiter: UInt8
  private var index = 0
  private var line = 1

  init(bytes: [UInt8], delimiter: UInt8) {
    (self.bytes, self.delimiter) = (bytes, delimiter)
  }

  /// Returns the next record's cells and the line where it begins.
  mutating func next() -> (cells: [String], line: Int)? {
    guard index < bytes.count else { return nil }
    let start = line
    var cells: [String] = []
    while true {
      cells.append(cell())
      guard index < bytes.count else { break }
      if bytes[index] == delimiter {
        index += 1
        if index == bytes.count { cells.append("") }
        if index < bytes.count { continue }
        break
      }
      endLine()
      break
    }
    return (cells, start)
  }

  private mutating func endLine() {
    if index + 1 < bytes.count, bytes[index] == 13, bytes[index + 1] == 10 { index += 1 }
    index += 1
    line += 1
  }

  private mutating func cell() -> String {
    var first = index
    while first < bytes.count, bytes[first] == 0x20 { first += 1 }
    if first < bytes.count, bytes[first] == 0x22, let quoted = quotedCell(from: first + 1) { return quoted }
    let start = index
    while index < bytes.count, bytes[index] != delimiter, bytes[index] != 10, bytes[index] != 13 { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Returns the text up to the closing quote; nil, with nothing consumed, where none follows within a limit.
  private mutating func quotedCell(from start: Int) -> String? {
    var (position, lineCount) = (start, 0)
    var content: [UInt8] = []
    let most = min(bytes.count, start + (1 << 20))
    while position < most {
      let byte = bytes[position]
      if byte == 0x22 {
        if position + 1 < bytes.count, bytes[position + 1] == 0x22 {
          content.append(0x22)
          position += 2
          continue
        }
        position += 1
        // Text behind the closing quote belongs to the cell unchanged.
        while position < bytes.count, bytes[position] != delimiter, bytes[position] != 10, bytes[position] != 13 {
          content.append(bytes[position])
          position += 1
        }
        index = position
        line += lineCount
        return String(decoding: content, as: UTF8.self)
      }
      if byte == 10 || (byte == 13 && !(position + 1 < bytes.count && bytes[position + 1] == 10)) {
        lineCount += 1
      }
      content.append(byte)
      position += 1
    }
    return nil
  }
}
