/// Joins lines into running text and records the map back.
struct RunningTextWriter {
  private var output: [UInt8] = []
  private var map = TextMap()
  private var blocks: [RunningBlock] = []
  /// Previous line, where it was not blank.
  private var previous: (line: DocumentLine, edge: LineEdge)?
  /// Block whose first character is still to come.
  private var opening: RunningBlock?
  /// Beginning of white space that is written once something follows it.
  private var space: TextPosition?
  /// Hyphen at a line's end that is written unless the next line completes the word.
  private var hyphen: (bytes: [UInt8], place: TextPosition)?
  /// Place behind the last character written.
  private var written = TextPosition(page: 1, line: 1, byte: 0)

  mutating func append(_ piece: LineCursor.Piece) {
    let line = piece.line
    if line.role == .running { return }
    var text = line.text
    text.withUTF8 { bytes in
      let edge = LineEdge(bytes)
      guard !edge.isBlank else {
        previous = nil
        return
      }
      join(line, edge, page: piece.page)
      var wanted = bytes.wholeCharacters(piece.bytes)
      if let place = edge.hyphen, place.lowerBound >= wanted.lowerBound, place.upperBound <= wanted.upperBound {
        wanted = wanted.lowerBound..<place.lowerBound
        hyphen = (Array(bytes[place]), TextPosition(page: piece.page, line: piece.number, byte: place.lowerBound))
      }
      var reader = LineReader(bytes: bytes, page: piece.page, number: piece.number, role: line.role)
      reader.read(wanted, into: &self)
      previous = (line, edge)
    }
  }

  mutating func finish() -> (String, [RunningBlock], TextMap) {
    closeBlock()
    return (String(decoding: output, as: UTF8.self), blocks, map)
  }

  // MARK: Joining

  private mutating func join(_ line: DocumentLine, _ edge: LineEdge, page: Int) {
    guard let previous, !line.startsBlock, line.role == previous.line.role, line.role != .code,
      line.isHidden == previous.line.isHidden
    else {
      closeBlock()
      opening = RunningBlock(range: 0..<0, page: page, role: line.role, isHidden: line.isHidden)
      return
    }
    let joint = previous.edge.joint(to: edge)
    if joint == .mended { hyphen = nil } else { flushHyphen() }
    if joint != .space { space = nil } else if space == nil { space = written }
  }

  private mutating func closeBlock() {
    flushHyphen()
    space = nil
    opening = nil
    if let last = blocks.indices.last { blocks[last].range = blocks[last].range.lowerBound..<output.count }
  }

  private mutating func flushHyphen() {
    guard let (bytes, place) = hyphen else { return }
    hyphen = nil
    // A soft hyphen is never written.
    guard bytes != [0xc2, 0xad] else { return }
    bytes.withUnsafeBufferPointer { write(exactly: $0[...], at: place) }
  }

  // MARK: Writing

  /// Records white space that begins at a place.
  mutating func writeSpace(at place: TextPosition) {
    if space == nil { space = place }
  }

  /// Writes stored bytes unchanged.
  mutating func write(exactly bytes: Slice<UnsafeBufferPointer<UInt8>>, at place: TextPosition) {
    prepare(for: place)
    var end = place
    end.byte += bytes.count
    map.append(.init(offset: output.count, start: place, end: end, isExact: true))
    output.append(contentsOf: bytes)
    written = end
  }

  /// Writes the replacement of the stored bytes from one place to another.
  mutating func write(_ text: String, from start: TextPosition, to end: TextPosition) {
    prepare(for: start)
    map.append(.init(offset: output.count, start: start, end: end, isExact: false))
    output.append(contentsOf: text.utf8)
    written = end
  }

  private mutating func prepare(for place: TextPosition) {
    if var block = opening {
      opening = nil
      space = nil
      if !output.isEmpty {
        map.append(.init(offset: output.count, start: written, end: written, isExact: false))
        output.append(0x0a)
      }
      block.range = output.count..<output.count
      blocks.append(block)
    } else if let start = space {
      let isOnLine = start.page == place.page && start.line == place.line
      map.append(
        .init(
          offset: output.count, start: start, end: isOnLine ? place : start,
          isExact: isOnLine && place.byte == start.byte + 1))
      output.append(0x20)
    }
    space = nil
  }
}

/// Reads one line character by character.
private struct LineReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let page: Int
  let number: Int
  let role: LineRole

  /// Largest number of marks on a character; more are taken in pieces.
  private static let mostMarks = 32

  private func place(_ byte: Int) -> TextPosition { TextPosition(page: page, line: number, byte: byte) }

  mutating func read(_ wanted: Range<Int>, into writer: inout RunningTextWriter) {
    let end = wanted.upperBound
    var offset = wanted.lowerBound
    while offset < end, let (scalar, length) = bytes.scalar(at: offset) {
      let form = CharacterForm(scalar)
      switch form {
      case .plain:
        let stop = plainEnd(from: offset, to: end)
        if stop > offset {
          writer.write(exactly: bytes[offset..<stop], at: place(offset))
          offset = stop
          continue
        }
        offset = readUnit(from: offset, to: end, into: &writer)
      case .space where keepsSpace(bytes[offset]):
        writer.write(exactly: bytes[offset..<offset + 1], at: place(offset))
        offset += 1
      case .space:
        writer.writeSpace(at: place(offset))
        offset += length
      case .dropped: offset += length
      case .mark, .other: offset = readUnit(from: offset, to: end, into: &writer)
      }
    }
  }

  private func keepsSpace(_ byte: UInt8) -> Bool {
    switch role {
    case .code: byte == 0x20 || byte == 0x09
    case .tableHeader, .tableRow: byte == 0x09
    default: false
    }
  }

  /// Returns the end of a run of plain characters, with single spaces between them and no mark behind the last.
  private func plainEnd(from start: Int, to end: Int) -> Int {
    var offset = start
    var lastStart = start
    while offset < end {
      let byte = bytes[offset]
      if byte &- 0x21 < 0x5e {
        lastStart = offset
        offset += 1
      } else if byte == 0x20, offset > start, offset + 1 < end, bytes[offset - 1] != 0x20,
        bytes[offset + 1] != 0x20,
        isPlain(at: offset + 1)
      {
        offset += 1
      } else if byte >= 0x80, let (scalar, length) = bytes.scalar(at: offset) {
        let form = CharacterForm(scalar)
        if form == .mark { return lastStart }
        if form != .plain { break }
        lastStart = offset
        offset += length
      } else {
        break
      }
    }
    return offset
  }

  private func isPlain(at offset: Int) -> Bool {
    bytes.scalar(at: offset).map { CharacterForm($0.scalar) == .plain } ?? false
  }

  private func readUnit(from start: Int, to end: Int, into writer: inout RunningTextWriter) -> Int {
    var stop = start + (bytes.scalar(at: start)?.length ?? 1)
    var count = 0
    while stop < end, count < Self.mostMarks, let (scalar, length) = bytes.scalar(at: stop),
      CharacterForm(scalar) == .mark
    {
      stop += length
      count += 1
    }
    stop = min(stop, end)
    let unit = String(decoding: bytes[start..<stop], as: UTF8.self)
    let expanded = CharacterForm.expanded(unit)
    if expanded.utf8.elementsEqual(unit.utf8) {
      writer.write(exactly: bytes[start..<stop], at: place(start))
    } else {
      writer.write(expanded, from: place(start), to: place(stop))
    }
    return stop
  }
}
