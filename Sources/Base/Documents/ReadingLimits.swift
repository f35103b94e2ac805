/// How much one file may cost; `Config/alcove.json` carries these numbers.
///
/// Page and character limits cut a document short and are named in ``ExtractedDocument/cut``; the others refuse the file.
package struct ReadingLimits: Sendable, Hashable, Codable {
  /// The largest file that is opened, in bytes.
  package var fileByteCount = 1 << 28
  /// How many pages of a file are read.
  package var pageCount = 5_000
  /// How many characters of a file are read; 50,000 would not hold a book.
  package var characterCount = 20_000_000
  /// The reader's address space, in bytes.
  package var addressSpaceByteCount = 512 << 20
  /// The processor time of one file, in seconds.
  package var processorSeconds = 10
  /// The time from start to end of one file, in seconds.
  package var wallSeconds = 30

  /// The limits that hold where nothing else is said.
  package static let standard = ReadingLimits()

  /// Makes the standard limits.
  package init() {}

  /// The limits for one file: a second of processor time more for each mebibyte, two of the clock's.
  package func forFile(byteCount: Int) -> ReadingLimits {
    var limits = self
    let mebibytes = max(byteCount, 0) >> 20
    limits.processorSeconds += mebibytes
    limits.wallSeconds += 2 * mebibytes
    return limits
  }
}
