import Documents

/// Parts and relationships of an Office file (Open Packaging Conventions, ECMA-376 part 2).
struct OfficePackage {
  /// Relationship of a part: target and last component of its type.
  struct Relationship {
    var target: String
    var type: String
  }

  /// Reads the relationships of a part by id; empty where it has none.
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

  /// Returns the main part of the package.
  static func mainPart(of archive: inout ZipArchive, usual: String) throws(ReadingFailure) -> String {
    let main = try relationships(of: "", in: &archive).values.first { $0.type == "officeDocument" }?.target
    let part = main ?? usual
    guard archive.contains(part) else { throw .damaged(detail: "no \(part)") }
    return part
  }

  /// Resolves a reference against a folder, which ends in a slash.
  static func resolve(_ reference: String, from folder: String) -> String {
    let path = reference.hasPrefix("/") ? reference : folder + reference
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Reads title and author of the package.
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
