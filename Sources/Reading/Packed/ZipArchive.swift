import Documents

/// The directory of a zip file.
struct ZipArchive {
  static let localMagic: [UInt8] = [0x50, 0x4B, 3, 4]
  static let endMagic: [UInt8] = [0x50, 0x4B, 5, 6]

  init(_ bytes: UnsafeRawBufferPointer) throws(ReadingFailure) {
  }
}
