/// Byte strings with a number each, found by their bytes.
///
/// Open addressing with hashes that differ from process to process, so that no file can be made to collide.
struct ByteStringTable: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var starts: [Int] = [0]
  /// Each slot holds a hash's upper half and a number plus one, or zero.
  private var slots: [UInt64]
  private var mask: Int

  var count: Int { starts.count - 1 }

  /// - Parameter capacity: how many strings are expected; more make it grow.
  init(capacity: Int, bytes byteCapacity: Int) {
    var slotCount = 64
    while slotCount < capacity * 2 { slotCount *= 2 }
    slots = [UInt64](repeating: 0, count: slotCount)
    mask = slotCount - 1
    starts.reserveCapacity(capacity + 1)
    bytes.reserveCapacity(byteCapacity)
  }

  func range(of number: Int) -> Range<Int> { starts[number]..<starts[number + 1] }

  /// Gives a string the next number, even if it is there already; the first of equals is the one that is found.
  mutating func append(_ string: UnsafeBufferPointer<UInt8>) {
    let number = count
    let hash = Self.hash(string)
    bytes.append(contentsOf: string)
    starts.append(bytes.count)
    if find(string, hash: hash) == nil { insert(number: number, hash: hash) }
    if count * 2 > slots.count { grow() }
  }

  /// The number of a string, which is given one where it has none.
  mutating func intern(_ string: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(string)
    if let found = find(string, hash: hash) { return found }
    let number = count
    bytes.append(contentsOf: string)
    starts.append(bytes.count)
    insert(number: number, hash: hash)
    if count * 2 > slots.count { grow() }
    return number
  }

  /// The number of a string.
  @inline(__always)
  func find(_ string: UnsafeBufferPointer<UInt8>) -> Int? { find(string, hash: Self.hash(string)) }

  private func find(_ string: UnsafeBufferPointer<UInt8>, hash: Int) -> Int? {
    let tag = UInt64(UInt(bitPattern: hash) >> 32)
    return slots.withUnsafeBufferPointer { slots in
      var slot = hash & mask
      while slots[slot] != 0 {
        if slots[slot] >> 32 == tag {
          let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
          if equals(string, number: number) { return number }
        }
        slot = (slot + 1) & mask
      }
      return nil
    }
  }

  @inline(__always)
  private func equals(_ string: UnsafeBufferPointer<UInt8>, number: Int) -> Bool {
    let range = range(of: number)
    guard range.count == string.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for offset in 0..<string.count where bytes[range.lowerBound + offset] != string[offset] { return false }
      return true
    }
  }

  private mutating func insert(number: Int, hash: Int) {
    var slot = hash & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt64(UInt(bitPattern: hash) >> 32) << 32 | UInt64(number + 1)
  }

  private mutating func grow() {
    slots = [UInt64](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for number in 0..<count {
      let range = range(of: number)
      let (hash, found) = bytes.withUnsafeBufferPointer { bytes in
        let string = UnsafeBufferPointer(rebasing: bytes[range])
        let hash = Self.hash(string)
        return (hash, find(string, hash: hash))
      }
      if found == nil { insert(number: number, hash: hash) }
    }
  }

  /// Eight bytes at a time, each folded in by a wide multiplication (after Wang Yi's wyhash).
  @inline(__always)
  private static func hash(_ string: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(string)
    var hash = seed ^ UInt64(truncatingIfNeeded: raw.count)
    var position = 0
    while position + 8 <= raw.count {
      hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    var rest: UInt64 = 0
    while position < raw.count {
      rest = rest << 8 | UInt64(raw[position])
      position += 1
    }
    return Int(truncatingIfNeeded: mix(hash ^ rest))
  }

  private static let seed = UInt64.random(in: .min ... .max)

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: seed | 1)
    return product.high ^ product.low
  }
}
