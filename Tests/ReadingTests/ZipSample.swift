import Foundation

/// Writes zip files for the tests, stored, not packed.
struct ZipSample {
  var parts: [(name: String, content: [UInt8])] = []

  init(_ parts: KeyValuePairs<String, String>) {
    self.parts = parts.map { ($0.key, Array($0.value.utf8)) }
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    var (file, directory) = ([UInt8](), [UInt8]())
    for part in parts {
      let (name, size, offset) = (Array(part.name.utf8), part.content.count, file.count)
      let common =
        Self.little(20, 2) + Self.little(0, 2) + Self.little(0, 2) + Self.little(0, 4) + Self.little(0, 4)
        + Self.little(size, 4) + Self.little(size, 4) + Self.little(name.count, 2) + Self.little(0, 2)
      file += [0x50, 0x4B, 3, 4] + common + name + part.content
      directory +=
        [0x50, 0x4B, 1, 2] + Self.little(20, 2) + common + Self.little(0, 10) + Self.little(offset, 4) + name
    }
    let end =
      Self.little(0, 4) + Self.little(parts.count, 2) + Self.little(parts.count, 2)
      + Self.little(directory.count, 4) + Self.little(file.count, 4) + Self.little(0, 2)
    return file + directory + [0x50, 0x4B, 5, 6] + end
  }

  private static func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
  }

  /// A DOCX of that body.
  static func docx(_ body: String, _ others: KeyValuePairs<String, String> = [:]) -> [UInt8] {
    var sample = ZipSample([
      "[Content_Types].xml": "<Types/>",
      "word/document.xml":
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>\(body)</w:body></w:document>",
    ])
    sample.parts += others.map { ($0.key, Array($0.value.utf8)) }
    return sample.bytes
  }

  /// The list of relationships of a part.
  static func relationships(_ list: KeyValuePairs<String, (type: String, target: String)>) -> String {
    "<Relationships>"
      + list.map {
        "<Relationship Id=\"\($0.key)\" Type=\"http://x/\($0.value.type)\" Target=\"\($0.value.target)\"/>"
      }
      .joined() + "</Relationships>"
  }
}
