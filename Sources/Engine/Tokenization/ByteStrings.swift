/// A list of byte strings kept end to end in one buffer, as vocabularies have hundreds of thousands of short ones.
package struct ByteStrings: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  /// Creates an empty list.
  package init() {}

  /// Creates a list of the UTF-8 bytes of some texts.
  package init(arrayLiteral elements: String...) {
    for element in elements { append(element.utf8) }
  }

  /// Makes room for a number of strings and for all of their bytes together.
  package mutating func reserveCapacity(strings: Int, bytes count: Int) {
    ends.reserveCapacity(strings)
    bytes.reserveCapacity(count)
  }

  /// Appends one string.
  package mutating func append(_ string: some Sequence<UInt8>) {
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
  }

  /// The position of the first string.
  package var startIndex: Int { 0 }
  /// Number of strings.
  package var endIndex: Int { ends.count }

  /// One string's bytes.
  package subscript(position: Int) -> ArraySlice<UInt8> { bytes[range(of: position)] }

  /// Returns the range of one string in ``bytes``.
  func range(of position: Int) -> Range<Int> { (position == 0 ? 0 : ends[position - 1])..<ends[position] }
}
