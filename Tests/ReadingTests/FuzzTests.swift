import Documents
import Foundation
import Reading
import TestSupport
import Testing

extension SeededGenerator {
  /// The bytes cut short, or with some of them changed.
  fileprivate mutating func spoil(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.isEmpty || Int.random(in: 0..<3, using: &self) == 0 {
      return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &self)))
    }
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &self) {
      let index = bytes.indices.randomElement(using: &self) ?? 0
      switch Int.random(in: 0..<3, using: &self) {
      case 0: bytes[index] = .random(in: 0...255, using: &self)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      default: bytes[index] = Array("<>&\"'/{}[]=|-\n\0\u{7F}".utf8).randomElement(using: &self) ?? 0
      }
    }
    return bytes
  }
}

@Suite("Spoilt files are read or refused, never a crash")
struct FuzzTests {
  /// `ALCOVE_FUZZ` sets how many spoilt files are made of each sample.
  static let count = ProcessInfo.processInfo.environment["ALCOVE_FUZZ"].flatMap { Int($0) } ?? 150

  static let plain: [(name: String, text: String)] = [
    (
      "a.md",
      "---\ntitle: x\n---\n# A\n\ntext\n\n- a\n  - b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nc\n```\nT\n===\n> q\n"
    ),
    (
      "a.rst",
      "=====\nGuide\n=====\n\nPart\n----\nW::\n\n    l\n\n.. code:: sh\n\n   r\n\n+---+\n| a |\n+===+\n\n== ==\na  b\n== ==\n"
    ),
    ("a.json", #"{"a":[1,2,{"b":"\u00e9\ud83d\ude00","c":null}],"d":{"e":-1.5e10,"f":true}}"#),
    ("a.jsonl", "{\"a\":[1,{\"b\":2}]}\n{\"c\":\"\\n\"}\n"),
    ("a.csv", "a,b,c\n\"x \"\"y\"\"\nz\",2,3\n4,\"5,6\",7\n"),
    ("a.txt", "Größe\r\n=====\n\n1. one\n   two\n\u{C}– three"),
    ("a.py", "#!/usr/bin/python\ndef f():\n\n  pass\n"),
    (
      "a.html",
      "<!doctype html><meta charset=\"utf-8\"><title>T</title><style>x</style><h1>A</h1><p style=\"display:none\">h</p><ul>"
        + "<li>a<ol><li>b</ol></ul><table><tr><th>a<td>b<tr><td>c<td><table><tr><td>x</table></table><pre>a\n b</pre>&amp;&#x41;"
    ),
  ]

  @Test(arguments: plain.indices)
  func text(index: Int) {
    var dice = SeededGenerator(seed: UInt64(index))
    for _ in 0..<Self.count {
      _ = read(dice.spoil(Array(Self.plain[index].text.utf8)), as: Self.plain[index].name)
    }
  }

  /// Packed files are spoilt inside, where no checksum of the packing stands in the way, and outside.
  static let archives: [(name: String, parts: KeyValuePairs<String, String>)] = [
    (
      "a.docx",
      [
        "word/document.xml":
          "<d><p><pPr><pStyle val=\"h\"/><numPr><ilvl val=\"0\"/><numId val=\"1\"/></numPr></pPr><r><t>x &amp; y</t></r></p><tbl><tr><tc><p><r><t>c</t></r></p></tc></tr></tbl></d>",
        "word/_rels/document.xml.rels":
          "<R><Relationship Id=\"a\" Type=\"x/styles\" Target=\"s.xml\"/><Relationship Id=\"b\" Type=\"x/numbering\" Target=\"n.xml\"/></R>",
        "word/s.xml": "<s><style styleId=\"h\"><name val=\"heading 1\"/><basedOn val=\"h\"/></style></s>",
        "word/n.xml":
          "<n><abstractNum abstractNumId=\"0\"><lvl ilvl=\"0\"><start val=\"9\"/><numFmt val=\"upperRoman\"/><lvlText val=\"%1.%2\"/></lvl></abstractNum><num numId=\"1\"><abstractNumId val=\"0\"/></num></n>",
      ]
    ),
    (
      "a.xlsx",
      [
        "xl/workbook.xml": "<w><workbookPr date1904=\"1\"/><sheet name=\"S\" r:id=\"a\"/></w>",
        "xl/_rels/workbook.xml.rels":
          "<R><Relationship Id=\"a\" Type=\"x/worksheet\" Target=\"s.xml\"/><Relationship Id=\"b\" Type=\"x/styles\" Target=\"t.xml\"/></R>",
        "xl/t.xml":
          "<s><numFmt numFmtId=\"170\" formatCode=\"#,##0.0# [$x-1] &quot;a&quot;;(0);0E+0\"/><cellXfs><xf numFmtId=\"170\"/><xf numFmtId=\"22\"/></cellXfs></s>",
        "xl/s.xml":
          "<s><row r=\"3\"><c r=\"AB3\" s=\"0\"><v>-12345.678</v></c><c s=\"1\"><v>46279.75</v></c><c t=\"inlineStr\"><is><t>x</t></is></c></row></s>",
      ]
    ),
    (
      "a.odt",
      [
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml":
          "<c><body><h outline-level=\"1\">A</h><list><list-item><p>b<s c=\"3\"/><note><note-citation>1</note-citation><note-body><p>n</p></note-body></note></p></list-item></list><table><table-row><table-cell number-columns-repeated=\"3\"><p>x</p></table-cell></table-row></table></body></c>",
      ]
    ),
    (
      "a.ods",
      [
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml":
          "<c><body><table name=\"T\"><table-row number-rows-repeated=\"9\"><table-cell number-columns-repeated=\"2\"><p>x</p></table-cell></table-row></table></body></c>",
      ]
    ),
    (
      "a.pptx",
      [
        "ppt/presentation.xml": "<p><sldId id=\"1\" r:id=\"a\"/></p>",
        "ppt/_rels/presentation.xml.rels": "<R><Relationship Id=\"a\" Type=\"x/slide\" Target=\"s.xml\"/></R>",
        "ppt/s.xml":
          "<s><sp><ph type=\"title\"/><p><t>T</t></p></sp><tbl><tr><tc><p><t>c</t></p></tc></tr></tbl></s>",
      ]
    ),
    (
      "a.epub",
      [
        "META-INF/container.xml": "<c><rootfile full-path=\"b.opf\"/></c>",
        "b.opf":
          "<p><title>T</title><item id=\"a\" href=\"a.xhtml\" properties=\"nav\"/><itemref idref=\"a\"/></p>",
        "a.xhtml": "<html><body><nav><a href=\"a.xhtml#b\">A</a></nav><p>text</p></body></html>",
      ]
    ),
  ]

  @Test(arguments: archives.indices)
  func packed(index: Int) {
    let (name, parts) = Self.archives[index]
    var dice = SeededGenerator(seed: UInt64(index + 100))
    let whole = ZipSample(parts)
    #expect(read(whole.bytes, as: name).name == "ok")
    for _ in 0..<Self.count {
      var sample = whole
      let part = sample.parts.indices.randomElement(using: &dice) ?? 0
      sample.parts[part].content = dice.spoil(sample.parts[part].content)
      _ = read(sample.bytes, as: name)
      _ = read(dice.spoil(whole.bytes), as: name)
    }
  }

  @Test func everyLengthOfAnArchive() {
    let bytes = ZipSample.docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>")
    for length in bytes.indices { #expect(read(bytes.prefix(length), as: "a.docx").name != "ok") }
  }
}
