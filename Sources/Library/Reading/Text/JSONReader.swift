import Documents

/// Formats JSON as lines: a record of plain values is one line, any other value a line with its path. A line stands
/// where its value begins in the file, as long as there is one line of the file for each.
struct JSONReader {
  private let bytes: [UInt8]
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Longest record on one line, in bytes of UTF-8; a longer one takes a line for each value.
  private static let widest = 400

  /// - Returns: false where the text is not JSON.
  func read(into builder: inout PageBuilder) throws(ReadingFailure) -> Bool {
    var parser = JSONParser(bytes)
    do throws(JSONParser.Fault) {
      var reader = self
      reader.write(try parser.parse(), path: "", startsBlock: true, into: &builder)
      return true
    } catch {
      if error == .tooDeep { throw .limit(.nesting, JSONParser.maximumDepth) }
      return false
    }
  }

  private mutating func write(
    _ value: JSONValue, path: String, startsBlock: Bool, into builder: inout PageBuilder
  ) {
    if builder.isFull { return }
    if let text = Self.oneLine(value, path: path) {
      while line < value.line {
        builder.add("")
        line += 1
      }
      builder.add(text, startsBlock: startsBlock)
      line += 1
      return
    }
    switch value.content {
    case .leaf: break
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        write(element, path: "\(path)[\(index)]", startsBlock: element.leaf == nil || index == 0, into: &builder)
      }
    case .object(let members):
      for (index, member) in members.enumerated() {
        let path = path.isEmpty ? member.key : path + "." + member.key
        write(
          member.value, path: path, startsBlock: index == 0 ? startsBlock : member.value.leaf == nil,
          into: &builder)
      }
    }
  }

  /// Returns the value in one line: a leaf, a list of leaves, or a record of leaves inside a larger value; nil for
  /// others.
  private static func oneLine(_ value: JSONValue, path: String) -> String? {
    let name = path.isEmpty ? "" : path + ": "
    switch value.content {
    case .leaf(let text): return name + TableText.cell(text)
    case .array(let elements):
      let leaves = elements.compactMap(\.leaf)
      guard leaves.count == elements.count else { return nil }
      let text = name + leaves.map(TableText.cell).joined(separator: ", ")
      return text.utf8.count <= widest || elements.isEmpty ? text : nil
    case .object(let members):
      if members.isEmpty { return name }
      guard !path.isEmpty, members.allSatisfy({ $0.value.leaf != nil }) else { return nil }
      let text = name + record(members)
      return text.utf8.count <= widest ? text : nil
    }
  }

  /// Formats the members as `key: value; key: value`.
  static func record(_ members: [(key: String, value: JSONValue)]) -> String {
    members.map { "\($0.key): \(TableText.cell($0.value.leaf ?? ""))" }.joined(separator: "; ")
  }
}

/// Reads JSON Lines: each line of the file is a record, written as `key: value; key: value`; a malformed one stays as
/// it is.
struct JSONLinesReader {
  func read(_ text: DecodedText, into builder: inout PageBuilder) throws(ReadingFailure) {
    var isTooDeep = false
    text.forEachLine { line in
      var parser = JSONParser(Array(line.utf8))
      do throws(JSONParser.Fault) {
        if line.trimmed.isEmpty {
          builder.add("")
        } else {
          var members: [(key: String, value: String)] = []
          Self.flatten(try parser.parse(), path: "", into: &members)
          builder.add(
            members.map { $0.key.isEmpty ? $0.value : "\($0.key): \($0.value)" }.joined(separator: "; "),
            startsBlock: true)
        }
      } catch {
        isTooDeep = isTooDeep || error == .tooDeep
        builder.add(line, startsBlock: true)
      }
      return !builder.isFull && !isTooDeep
    }
    if isTooDeep { throw .limit(.nesting, JSONParser.maximumDepth) }
  }

  private static func flatten(_ value: JSONValue, path: String, into members: inout [(key: String, value: String)])
  {
    switch value.content {
    case .leaf(let text): members.append((path, TableText.cell(text)))
    case .array(let elements):
      let leaves = elements.compactMap(\.leaf)
      if leaves.count == elements.count {
        members.append((path, leaves.map(TableText.cell).joined(separator: ", ")))
      } else {
        for (index, element) in elements.enumerated() {
          flatten(element, path: "\(path)[\(index)]", into: &members)
        }
      }
    case .object(let fields):
      for field in fields {
        flatten(field.value, path: path.isEmpty ? field.key : "\(path).\(field.key)", into: &members)
      }
    }
  }
}
