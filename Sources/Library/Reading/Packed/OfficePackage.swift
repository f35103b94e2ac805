import Documents

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
