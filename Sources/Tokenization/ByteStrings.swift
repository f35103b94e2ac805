/// A list of byte strings kept end to end in one buffer, as vocabularies have hundreds of thousands of short ones.
public struct ByteStrings: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list of the UTF-8 bytes of some texts.
  public init(arrayLiteral elements: String...) {
    for element in elements { append(element.utf8) }
  }

  /// Makes room for a number of strings and for all of their bytes together.
  public mutating func reserveCapacity(strings: Int, bytes count: Int) {
    ends.reserveCapacity(strings)
    bytes.reserveCapacity(count)
  }

  /// Appends one string.
  public mutating func append(_ string: some Sequence<UInt8>) {
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
  }

  /// The position of the first string.
  public var startIndex: Int { 0 }
  /// How many strings there are.
  public var endIndex: Int { ends.count }

  /// One string's bytes.
  public subscript(position: Int) -> ArraySlice<UInt8> { bytes[range(of: position)] }

  /// Where one string lies in ``bytes``.
  func range(of position: Int) -> Range<Int> { (position == 0 ? 0 : ends[position - 1])..<ends[position] }
}
