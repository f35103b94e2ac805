import Documents

/// Reads Office files and electronic books.
struct PackedReader {
  let archive: ZipArchive
  /// What the name says; nil where it says nothing.
  let form: DocumentKind?
  let limits: ReadingLimits

  func read() throws(ReadingFailure) -> ExtractedDocument {
    var archive = archive
    let found = try Self.kind(of: &archive)
    guard let found else {
      if form == nil { throw .unsupported(detail: "archive: unpack it first") }
      throw .damaged(detail: "what the name promises is not in it")
    }
    if let form, form != found { throw .damaged(detail: "holds \(found.rawValue), not \(form.rawValue)") }
    switch found {
    case .docx: return try WordReader(limits: limits).read(&archive)
    case .pptx: return try SlidesReader(limits: limits).read(&archive)
    case .xlsx: return try WorkbookReader(limits: limits).read(&archive)
    case .epub: return try BookReader(limits: limits).read(&archive)
    default: return try OpenDocumentReader(kind: found, limits: limits).read(&archive)
    }
  }

  /// What is in the archive, told from its parts.
  private static func kind(of archive: inout ZipArchive) throws(ReadingFailure) -> DocumentKind? {
    if let mimetype = try archive.read("mimetype") {
      let name = String(decoding: mimetype.prefix(100), as: UTF8.self).trimmed
      if name == "application/epub+zip" { return .epub }
      if name.hasPrefix("application/vnd.oasis.opendocument.text") { return .odt }
      if name.hasPrefix("application/vnd.oasis.opendocument.spreadsheet") { return .ods }
      if name.hasPrefix("application/vnd.oasis.opendocument.presentation") { return .odp }
    }
    if archive.contains("META-INF/container.xml"), !archive.contains("content.xml") { return .epub }
    for (prefix, kind) in [("word/", DocumentKind.docx), ("ppt/", .pptx), ("xl/", .xlsx)]
    where archive.members.contains(where: { $0.name.hasPrefix(prefix) }) {
      return kind
    }
    return nil
  }
}

/// The parts of an Office file and how they name each other.
struct OfficePackage {
  /// The relationships of a part: id to target, with the last word of its type.
  struct Relationship {
    var target: String
    var type: String
  }

  /// The relationships that a part names; none where it has no list of them.
  static func relationships(
    of part: String, in archive: inout ZipArchive
  ) throws(ReadingFailure) -> [String: Relationship] {
    let folder = part.lastIndex(of: "/").map { String(part[...$0]) } ?? ""
    let list = folder + "_rels/" + part.dropFirst(folder.count) + ".rels"
    var relationships: [String: Relationship] = [:]
    guard let content = try archive.read(list) else { return relationships }
    var scanner = try XMLScanner(content, part: list)
    while let token = try scanner.next() {
      guard case .start(let element) = token, element.name == "Relationship", let id = element["Id"],
        let target = element["Target"], element["TargetMode"] != "External"
      else { continue }
      let type = element["Type"]?.split(separator: "/").last.map(String.init) ?? ""
      relationships[id] = Relationship(target: resolve(target, from: folder), type: type)
    }
    return relationships
  }

  /// The part that the package names as its main one.
  static func mainPart(of archive: inout ZipArchive, usual: String) throws(ReadingFailure) -> String {
    let main = try relationships(of: "", in: &archive).values.first { $0.type == "officeDocument" }?.target
    let part = main ?? usual
    guard archive.contains(part) else { throw .damaged(detail: "no \(part)") }
    return part
  }

  /// The path that a reference means, seen from a folder (which ends in a slash).
  static func resolve(_ reference: String, from folder: String) -> String {
    let path = reference.hasPrefix("/") ? reference : folder + reference
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Title and author as the package states them.
  static func properties(
    of archive: inout ZipArchive, part: String = "docProps/core.xml"
  ) throws(ReadingFailure) -> (title: String?, author: String?) {
    guard let content = try archive.read(part) else { return (nil, nil) }
    var scanner = try XMLScanner(content, part: part)
    var values: [String: String] = [:]
    var current = ""
    while let token = try scanner.next() {
      switch token {
      case .start(let element): current = element.name
      case .text(let text): if !current.isEmpty { values[current, default: ""] += text }
      case .end: current = ""
      }
    }
    return (values["title"], values["creator"] ?? values["initial-creator"])
  }
}
