import CGLib
import Glibc

/// Finds text in invisible rendering mode (`3 Tr`) in the content streams of a PDF; poppler does not report the mode.
struct InvisibleText {
  private static let mostFileBytes = 64 << 20
  private static let mostStreamBytes = 1 << 20
  private static let mostUnpackedBytes = 48 << 20

  /// Indicates whether the file sets such text; false where the file cannot be mapped.
  static func isSet(in descriptor: CInt) -> Bool {
    // Without the mapping only white text is detected, which is no failure.
    guard let file = try? MappedBytes(descriptor: descriptor) else { return false }
    return isSet(in: file.buffer)
  }

  /// Indicates whether a stream of the file sets that mode. Encrypted streams and unknown filters are skipped.
  private static func isSet(in file: UnsafeRawBufferPointer) -> Bool {
    if file.count > mostFileBytes { return false }
    let mark = Array("stream".utf8)
    var (position, unpacked) = (0, 0)
    while unpacked < mostUnpackedBytes, let found = find(mark, in: file, from: position) {
      position = found + mark.count
      guard position + 2 < file.count, file[position] == 10 || file[position] == 13, file[found - 1] != 0x64 else {
        continue  // not followed by a line break, or the end of "endstream"
      }
      let start = file[position] == 13 && file[position + 1] == 10 ? position + 2 : position + 1
      let dictionary = String(decoding: file[max(0, found - 300)..<found], as: UTF8.self)
      let own = dictionary.split(separator: "obj", omittingEmptySubsequences: false).last ?? ""
      if ["/Image", "/ObjStm", "/XRef", "/Length1", "/Type1C", "/CIDFontType0C", "/OpenType"].contains(
        where: own.contains)
      {
        continue
      }
      let content: [UInt8]
      if own.contains("FlateDecode") || own.contains("/Fl ") {
        content = inflate(UnsafeRawBufferPointer(rebasing: file[start...]))
      } else {
        let end = find(Array("endstream".utf8), in: file, from: start) ?? file.count
        content = Array(file[start..<min(end, start + mostStreamBytes)])
      }
      unpacked += content.count
      if content.withUnsafeBytes({ setsMode($0) }) { return true }
    }
    return false
  }

  private static func find(_ mark: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    while position + mark.count <= bytes.count,
      let found = memchr(base + position, CInt(mark[0]), bytes.count - mark.count + 1 - position)
    {
      let index = UnsafeRawPointer(found) - base
      if memcmp(found, mark, mark.count) == 0 { return index }
      position = index + 1
    }
    return nil
  }

  private static func setsMode(_ content: UnsafeRawBufferPointer) -> Bool {
    let mark = Array("3 Tr".utf8)
    var position = 0
    while let found = find(mark, in: content, from: position) {
      position = found + mark.count
      let before = found > 0 ? content[found - 1] : 0x20
      let behind = position < content.count ? content[position] : 0x20
      if before <= 0x20 || before == 0x5D || before == 0x29, behind <= 0x20 || behind == 0x5B || behind == 0x28 {
        return true
      }
    }
    return false
  }

  /// Inflates a stream up to the first error or the limit.
  private static func inflate(_ packed: UnsafeRawBufferPointer) -> [UInt8] {
    guard let inflater = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB) else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(inflater)) }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var consumed = 0
    while output.count < mostStreamBytes {
      var (read, written): (gsize, gsize) = (0, 0)
      let result = g_converter_convert(
        inflater, packed.baseAddress.map { $0 + consumed }, gsize(packed.count - consumed), &chunk,
        gsize(chunk.count), G_CONVERTER_NO_FLAGS, &read, &written, nil)
      guard result != G_CONVERTER_ERROR else { break }
      consumed += Int(read)
      output.append(contentsOf: chunk.prefix(Int(written)))
      if result == G_CONVERTER_FINISHED || (read == 0 && written == 0) { break }
    }
    return output
  }
}
