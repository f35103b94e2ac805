import Documents
import Foundation

/// Stored form of a page's lines: for each a byte of role and flags, the length (LEB128), and the bytes as printed.
enum PageCoding {
  private static let startsBlock: UInt8 = 0x40
  private static let isHidden: UInt8 = 0x80

  static func encode(_ lines: [DocumentLine]) -> Data {
    var bytes = Data()
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.text.utf8.count + 3 })
    for line in lines {
      bytes.append(code(line.role) | (line.startsBlock ? startsBlock : 0) | (line.isHidden ? isHidden : 0))
      var count = line.text.utf8.count
      while count > 0x7f {
        bytes.append(UInt8(truncatingIfNeeded: count) | 0x80)
        count >>= 7
      }
      bytes.append(UInt8(count))
      bytes.append(contentsOf: line.text.utf8)
    }
    return bytes
  }

  /// Returns the lines, or nil where the bytes are not what ``encode(_:)`` writes.
  static func decode(_ data: Data) -> [DocumentLine]? {
    let bytes = [UInt8](data)
    var lines: [DocumentLine] = []
    var place = 0
    while place < bytes.count {
      let head = bytes[place]
      place += 1
      var (count, shift) = (0, 0)
      while true {
        guard place < bytes.count, shift < 56 else { return nil }
        let byte = bytes[place]
        place += 1
        count |= Int(byte & 0x7f) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      guard count <= bytes.count - place, let role = role(head & 0x3f),
        let text = String(validating: bytes[place..<place + count], as: UTF8.self)
      else { return nil }
      place += count
      lines.append(
        DocumentLine(text, role: role, startsBlock: head & startsBlock != 0, isHidden: head & isHidden != 0))
    }
    return lines
  }

  private static func code(_ role: LineRole) -> UInt8 {
    switch role {
    case .body: 0
    case .heading(let level): UInt8(min(max(level, 1), 6))
    case .listItem: 7
    case .tableHeader: 8
    case .tableRow: 9
    case .code: 10
    case .running: 11
    }
  }

  private static func role(_ code: UInt8) -> LineRole? {
    switch code {
    case 0: .body
    case 1...6: .heading(level: Int(code))
    case 7: .listItem
    case 8: .tableHeader
    case 9: .tableRow
    case 10: .code
    case 11: .running
    default: nil
    }
  }
}
