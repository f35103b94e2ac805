import Documents

/// Request sent to a reader about the file whose descriptor it holds.
package struct ReaderRequest: Sendable, Equatable {
  /// Name of the file without its folders; its extension tells the format.
  package var fileName: String
  /// Password to try where the file is encrypted.
  package var password: String?
  /// Limits on memory, time and the size of the answer.
  package var limits: ReadingLimits

  private static let magic = Array("ALQ1".utf8)
  private static let longestText = 1 << 16

  /// Makes a request.
  package init(fileName: String, password: String? = nil, limits: ReadingLimits = .standard) {
    self.fileName = fileName
    self.password = password
    self.limits = limits
  }

  /// Encodes the request: its length in four bytes, then its fields.
  package func encoded() -> [UInt8] {
    var fields = WireWriter()
    Self.magic.forEach { fields.write($0) }
    fields.write(String(fileName.prefix(Self.longestText / 8)))
    fields.write(optional: password.map { String($0.prefix(Self.longestText / 8)) })
    for number in [
      limits.fileByteCount, limits.pageCount, limits.characterCount, limits.addressSpaceByteCount,
      limits.processorSeconds, limits.wallSeconds,
    ] {
      fields.write(number)
    }
    var message = WireWriter()
    message.write(count: fields.bytes.count)
    return message.bytes + fields.bytes
  }

  /// Decodes a request from the bytes after its length; nil where they are malformed.
  package init?(decoding bytes: [UInt8]) {
    var reader = WireReader(bytes)
    do {
      for expected in Self.magic where try reader.byte() != expected { return nil }
      fileName = try reader.text(most: Self.longestText)
      password = try reader.optionalText(most: Self.longestText)
      limits = ReadingLimits()
      limits.fileByteCount = try reader.number()
      limits.pageCount = try reader.number()
      limits.characterCount = try reader.number()
      limits.addressSpaceByteCount = try reader.number()
      limits.processorSeconds = try reader.number()
      limits.wallSeconds = try reader.number()
    } catch {
      return nil
    }
  }
}
