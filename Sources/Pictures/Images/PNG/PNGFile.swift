import CCairo
import Foundation
import Platform

/// PNG files that carry the generation parameters of their picture.
package enum PNGFile {
  /// Size of the largest file that is read, in bytes.
  package static let maximumByteCount = 256 << 20
  private static let keyword = "parameters"

  /// Encodes a picture; its generation parameters go into a text chunk called `parameters`.
  /// - Throws: ``ImageError/drawingFailed(reason:)``.
  package static func encode(_ image: PixelImage, parameters: ImageParameters?) throws(ImageError) -> [UInt8] {
    let plain = try plainFile(image)
    guard let parameters else { return plain }
    let text = parameters.text
    let latin = text.unicodeScalars.compactMap { $0.value < 256 ? UInt8($0.value) : nil }
    let chunk =
      latin.count == text.unicodeScalars.count
      ? PNGChunks.chunk("tEXt", Array(keyword.utf8) + [0] + latin)
      : PNGChunks.chunk("iTXt", Array(keyword.utf8) + [0, 0, 0, 0, 0] + Array(text.utf8))
    // After the header, which has a fixed length.
    let place = PNGChunks.signature.count + 25
    return Array(plain[..<place]) + chunk + Array(plain[place...])
  }

  /// Reads the generation parameters of a file.
  /// - Throws: ``ImageError/badPicture(reason:)``, ``ImageError/noParameters``.
  package static func parameters(in bytes: [UInt8]) throws(ImageError) -> ImageParameters {
    guard let text = try PNGChunks(bytes).text(keyword) else { throw .noParameters }
    return try ImageParameters(parsing: text)
  }

  /// Reads the size of a picture from its header.
  /// - Throws: ``ImageError/badPicture(reason:)``.
  package static func size(of bytes: [UInt8]) throws(ImageError) -> (width: Int, height: Int) {
    let chunks = try PNGChunks(bytes)
    return (chunks.width, chunks.height)
  }

  /// Decodes the pixels of a file; other chunks are ignored.
  /// - Throws: ``ImageError/badPicture(reason:)``.
  package static func decode(_ bytes: [UInt8]) throws(ImageError) -> PixelImage {
    let file = try PNGChunks(bytes)
    guard file.width * file.height <= 1 << 24 else {
      throw .badPicture(reason: "it is \(file.width) × \(file.height) pixels large")
    }
    var needed = PNGChunks.signature
    for chunk in file.chunks where ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains(chunk.name) {
      needed += bytes[chunk.whole]
    }
    let source = ByteSource(needed)
    let surface = cairo_image_surface_create_from_png_stream(
      { closure, data, count in
        guard let closure, let data else { return CAIRO_STATUS_READ_ERROR }
        return Unmanaged<ByteSource>.fromOpaque(closure).takeUnretainedValue().read(into: data, Int(count))
      }, Unmanaged.passUnretained(source).toOpaque())
    guard let surface else { throw .badPicture(reason: "it cannot be decoded") }
    defer { cairo_surface_destroy(surface) }
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .badPicture(reason: String(cString: cairo_status_to_string(status)))
    }
    // Drawn on white, so that transparent parts are white.
    let canvas = try Canvas(width: file.width, height: file.height)
    canvas.fillWhite()
    canvas.draw(surface)
    return canvas.pixels()
  }

  private static func plainFile(_ image: PixelImage) throws(ImageError) -> [UInt8] {
    let canvas = try Canvas(width: image.width, height: image.height)
    canvas.set(image)
    let sink = ByteSink()
    let status = cairo_surface_write_to_png_stream(
      canvas.surface,
      { closure, data, count in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().bytes += UnsafeBufferPointer(
          start: data, count: Int(count))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(sink).toOpaque())
    guard status == CAIRO_STATUS_SUCCESS, sink.bytes.count > 33 else {
      throw .drawingFailed(reason: String(cString: cairo_status_to_string(status)))
    }
    return sink.bytes
  }

  // MARK: Files

  /// Writes a file atomically: to a temporary name, synced to the disk, then renamed.
  /// - Throws: ``ImageError/notWritten(path:reason:)``; nothing is left then.
  package static func write(_ bytes: [UInt8], to path: String, replacing: Bool = true) throws(ImageError) {
    let folder = (path as NSString).deletingLastPathComponent
    let temporary = (folder as NSString).appendingPathComponent(".alcove-\(UUID().uuidString).part")
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .notWritten(path: path, reason: SystemMessage.of(errno)) }
    var failure: Int32 = 0
    var rest = bytes[...]
    while !rest.isEmpty, failure == 0 {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
    }
    if failure == 0, fsync(file) != 0 { failure = errno }
    if Glibc.close(file) != 0, failure == 0 { failure = errno }
    if failure == 0 {
      // A link refuses to replace a file, a rename does not.
      if replacing ? rename(temporary, path) != 0 : link(temporary, path) != 0 { failure = errno }
    }
    if failure != 0 || !replacing { unlink(temporary) }
    guard failure == 0 else { throw .notWritten(path: path, reason: SystemMessage.of(failure)) }
    let directory = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If the folder cannot be opened, the name reaches the disk with the next sync.
    if directory >= 0 {
      fsync(directory)
      Glibc.close(directory)
    }
  }

  /// Reads the bytes of a file.
  /// - Throws: ``ImageError/notRead(path:reason:)``, also for one larger than ``maximumByteCount``.
  package static func read(_ path: String) throws(ImageError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .notRead(path: path, reason: SystemMessage.of(errno)) }
    defer { Glibc.close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw .notRead(path: path, reason: "it is not a regular file")
    }
    guard facts.st_size <= maximumByteCount else { throw .notRead(path: path, reason: "it is larger than 256 MB") }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .notRead(path: path, reason: SystemMessage.of(errno)) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }
}

private final class ByteSink {
  var bytes: [UInt8] = []
}

private final class ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> cairo_status_t {
    guard count >= 0, rest.count >= count else { return CAIRO_STATUS_READ_ERROR }
    for (index, byte) in rest.prefix(count).enumerated() { target[index] = byte }
    rest = rest.dropFirst(count)
    return CAIRO_STATUS_SUCCESS
  }
}
