/// Limits on the resources for one file; `Config/alcove.json` sets these numbers.
///
/// Page and character limits cut a document short and are named in ``ExtractedDocument/cut``; the others refuse the
/// file.
package struct ReadingLimits: Sendable, Hashable, Codable {
  /// Largest file that is opened, in bytes.
  package var fileByteCount = 1 << 28
  /// Largest number of pages read from a file.
  package var pageCount = 5_000
  /// Largest number of characters read from a file; 50,000 would not hold a book.
  package var characterCount = 20_000_000
  /// Address space of the reader, in bytes.
  package var addressSpaceByteCount = 512 << 20
  /// Processor time for one file, in seconds.
  package var processorSeconds = 10
  /// Wall-clock time for one file, in seconds.
  package var wallSeconds = 30

  /// Default limits.
  package static let standard = ReadingLimits()

  /// Makes the default limits.
  package init() {}

  /// Returns the limits for one file: a second of processor time more for each mebibyte, two of wall-clock time.
  package func forFile(byteCount: Int) -> ReadingLimits {
    var limits = self
    let mebibytes = max(byteCount, 0) >> 20
    limits.processorSeconds += mebibytes
    limits.wallSeconds += 2 * mebibytes
    return limits
  }
}
