import Documents

/// Detects the form of a file from its name and its first bytes.
enum FileForm {
  /// - Parameters:
  ///   - head: the first bytes of the file, up to 4096.
  /// - Returns: the form; nil for a zip archive or compound file whose content must decide.
  /// - Throws: `.damaged` where the content contradicts the name, `.unsupported` or `.binary` for other known forms.
  static func detect(fileName: String, head: [UInt8]) throws(ReadingFailure) -> DocumentKind? {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    if head.starts(with: Array("{\\rtf".utf8)) {
      throw .unsupported(detail: FileNames.unsupported["rtf"] ?? "RTF")
    }
    if suffix == "pdf" || head.prefix(5).elementsEqual("%PDF-".utf8) { return .pdf }
    if let packed = FileNames.packed[suffix] {
      if head.starts(with: ZipArchive.localMagic) || head.starts(with: ZipArchive.endMagic) { return packed }
      if !head.starts(with: compoundMagic) { throw .damaged(detail: "not a zip file") }
    }
    if head.starts(with: compoundMagic) { return nil }
    if let reason = FileNames.unsupported[suffix] { throw .unsupported(detail: reason) }
    if head.starts(with: ZipArchive.localMagic) || head.starts(with: ZipArchive.endMagic) { return nil }
    if FileNames.binaryMagics.contains(where: { head.starts(with: $0) }) { throw .binary }
    if let kind = FileNames.kinds[suffix] ?? FileNames.wholeNames[name] { return kind }
    if head.starts(with: Array("#!".utf8)) { return .sourceCode }
    let start = String(decoding: head.prefix(256), as: UTF8.self).trimmed.lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
    return .text
  }

  /// Magic bytes of compound files (MS-CFB): old Office formats and encrypted new ones.
  static let compoundMagic: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

  /// Makes the failure for a compound file, none of which can be read.
  static func refuseCompound(_ bytes: UnsafeRawBufferPointer, password: String?) -> ReadingFailure {
    let mark = "EncryptedPackage".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let isEncrypted = bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let window = bytes.prefix(16 << 20)
      return window.indices.dropLast(mark.count - 1).contains { index in
        window[index] == mark[0] && window[index...].starts(with: mark)
      }
    }
    guard isEncrypted else { return .unsupported(detail: FileNames.unsupported["doc"] ?? "") }
    return password == nil
      ? .encrypted : .unsupported(detail: "encrypted Office files: save a copy without a password")
  }
}

extension DocumentKind {
  /// Indicates whether files of this kind are zip archives.
  var isPacked: Bool {
    switch self {
    case .docx, .odt, .epub, .pptx, .odp, .xlsx, .ods: true
    default: false
    }
  }
}
