/// How much one file may cost; `Config/alcove.json` carries these numbers.
///
/// Page and character limits cut a document short and are named in ``ExtractedDocument/cut``; the others refuse the file.
public struct ReadingLimits: Sendable, Hashable, Codable {
  /// The largest file that is opened, in bytes.
  public var fileByteCount = 1 << 28
  /// How many pages of a file are read.
  public var pageCount = 5_000
  /// How many characters of a file are read; 50,000 would not hold a book.
  public var characterCount = 20_000_000
  /// The reader's address space, in bytes.
  public var addressSpaceByteCount = 512 << 20
  /// The processor time of one file, in seconds.
  public var processorSeconds = 10
  /// The time from start to end of one file, in seconds.
  public var wallSeconds = 30

  /// The limits that hold where nothing else is said.
  public static let standard = ReadingLimits()

  /// Makes the standard limits.
  public init() {}

  /// The limits for one file: a second of processor time more for each mebibyte, two of the clock's.
  public func forFile(byteCount: Int) -> ReadingLimits {
    var limits = self
    let mebibytes = max(byteCount, 0) >> 20
    limits.processorSeconds += mebibytes
    limits.wallSeconds += 2 * mebibytes
    return limits
  }
}
