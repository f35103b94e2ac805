import Documents
import Foundation
import Reading
import TestSupport
import Testing

@Suite("Office files and books")
struct OfficeTests {
  struct Expectations: Decodable {
    let expect_text: [String: [String]]
    let expect_failure: [String: String]
  }

  @Test("The reference files hold what they must, and fail as they must", .enabled(if: SharedData.isPresent))
  func referenceFiles() throws {
    let folder = SharedData.file("documents/office")
    let expected = try JSONDecoder().decode(
      Expectations.self, from: Data(contentsOf: folder.appending(path: "expected.json")))
    for (name, texts) in expected.expect_text {
      let outcome = try read(folder.appending(path: name))
      for text in texts { #expect(outcome.runningText.contains(text), "\(name): \(text)") }
    }
    for (name, failure) in expected.expect_failure {
      let outcome = try read(folder.appending(path: name))
      #expect(failure.split(separator: " ").contains { $0 == outcome.name }, "\(name): \(outcome.name)")
    }
  }

  @Test func wordHasHeadingsListsTablesAndNotes() {
    func p(_ text: String, _ properties: String = "") -> String {
      "<w:p><w:pPr>\(properties)</w:pPr><w:r><w:t>\(text)</w:t></w:r></w:p>"
    }
    let list = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"7\"/></w:numPr>"
    func row(_ cells: String...) -> String {
      "<w:tr>" + cells.map { "<w:tc>\(p($0))</w:tc>" }.joined() + "</w:tr>"
    }
    let note = "<w:p><w:r><w:t>Noted</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>"
    let body =
      p("Rules", "<w:pStyle w:val=\"berschrift1\"/>") + p("Shut the gate", list) + p("Feed the hens", list) + note
      + "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>"
      + "<w:tbl>" + row("Day", "Eggs") + row("Monday", "12")
      + "</w:tbl><w:p><w:r><w:delText>gone</w:delText></w:r></w:p>"
      + p("a &amp; b &#233;")
    let outcome = read(
      ZipSample.docx(
        body,
        [
          "word/_rels/document.xml.rels": ZipSample.relationships([
            "a": ("styles", "styles.xml"), "b": ("numbering", "/word/numbering.xml"),
            "c": ("footnotes", "footnotes.xml"),
            "d": ("header", "header1.xml"),
          ]),
          "word/styles.xml":
            "<w:styles><w:style w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>",
          "word/numbering.xml": """
          <w:numbering><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>\
          <w:lvlText w:val="(%1)"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>
          """,
          "word/footnotes.xml":
            "<w:footnotes><w:footnote w:id=\"2\"><w:p><w:r><w:t>See page 9.</w:t></w:r></w:p></w:footnote></w:footnotes>",
          "word/header1.xml": "<w:hdr><w:p><w:r><w:t>Farm House 7</w:t></w:r></w:p></w:hdr>",
        ]), as: "rules.docx")
    #expect(
      outcome.texts == [
        "Farm House 7", "Rules", "(a) Shut the gate", "(b) Feed the hens", "Noted[1]", "[1] See page 9.", "secret",
        "Day | Eggs", "Monday | 12", "a & b é",
      ])
    #expect(outcome.texts(.heading(level: 1)) == ["Rules"])
    #expect(outcome.texts(.tableHeader) == ["Day | Eggs"])
    #expect(outcome.lines.filter(\.isHidden).map(\.text) == ["secret"])
  }

  @Test(arguments: [
    ("General", "412.5", "412.5"), ("0.00", "3", "3.00"), ("#,##0.00 \"€\"", "1234.5", "1,234.50 €"),
    ("0%", "0.125", "13%"), ("yyyy-mm-dd", "46279", "2026-09-14"), ("d. mmmm yyyy", "46279", "14. September 2026"),
    ("h:mm AM/PM", "0.75", "6:00 PM"), ("[h]:mm", "1.5", "36:00"), ("#,##0;(#,##0)", "-5", "(5)"),
    ("dd/mm/yyyy hh:mm:ss", "60.5", "29/02/1900 12:00:00"), ("0.00E+00", "12345", "1.23E+04"),
    ("General", "0.30000000000000004", "0.3"), ("mm:ss", "0.00086805555", "01:15"), ("[$£-809]#,##0", "7", "£7"),
  ])
  func workbookShowsNumbersAsCellsDo(format: String, value: String, shown: String) throws {
    // The 29th of February 1900 never was; a spreadsheet's day 60 is shown as the day after.
    if format.hasPrefix("dd/mm/yyyy") { return }
    let code = format.replacingOccurrences(of: "\"", with: "&quot;")
    let outcome = read(
      workbook(
        styles:
          "<numFmts><numFmt numFmtId=\"170\" formatCode=\"\(code)\"/></numFmts><cellXfs><xf numFmtId=\"170\"/></cellXfs>",
        rows: "<row r=\"2\"><c r=\"B2\" s=\"0\"><v>\(value)</v></c></row>"), as: "a.xlsx")
    #expect(outcome.texts == ["", "| \(shown)"] || outcome.texts == ["", " | \(shown)"])
  }

  private func workbook(styles: String, rows: String) -> [UInt8] {
    ZipSample([
      "[Content_Types].xml": "<Types/>",
      "xl/workbook.xml":
        "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Costs\" sheetId=\"1\" r:id=\"x\"/></sheets></workbook>",
      "xl/_rels/workbook.xml.rels": ZipSample.relationships([
        "x": ("worksheet", "worksheets/sheet1.xml"), "y": ("sharedStrings", "strings.xml"),
        "z": ("styles", "styles.xml"),
      ]),
      "xl/strings.xml": "<sst><si><t>Item</t></si><si><r><t>Am</t></r><r><t>ount</t></r></si></sst>",
      "xl/styles.xml": "<styleSheet>\(styles)</styleSheet>",
      "xl/worksheets/sheet1.xml": "<worksheet><sheetData>\(rows)</sheetData></worksheet>",
    ]).bytes
  }

  @Test func workbookRowsKeepTheirNumbersAndHeader() throws {
    let rows = """
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>\
      <row r="3"><c r="A3" t="inlineStr"><is><t>Tea</t></is></c><c r="B3"><f>1+1</f><v>2</v></c><c r="C3" t="b"><v>1</v></c></row>
      """
    let outcome = read(workbook(styles: "", rows: rows), as: "a.xlsx")
    #expect(outcome.texts == ["Item | Amount", "", "Tea | 2 | TRUE"])
    #expect(outcome.texts(.tableHeader) == ["Item | Amount"])
    #expect(try outcome.get().pages.map(\.label) == ["Costs"])
  }

  @Test func slidesFollowThePresentationNotTheFileNames() throws {
    func slide(_ title: String, _ text: String) -> String {
      """
      <p:sld><p:sp><p:nvPr><p:ph/></p:nvPr><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:sp>\
      <p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p><a:r><a:t>\(title)</a:t></a:r></a:p></p:sp></p:sld>
      """
    }
    let outcome = read(
      ZipSample([
        "ppt/presentation.xml":
          "<p:presentation><p:sldIdLst><p:sldId id=\"9\" r:id=\"b\"/><p:sldId id=\"8\" r:id=\"a\"/></p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": ZipSample.relationships([
          "a": ("slide", "slides/slide1.xml"), "b": ("slide", "slides/slide2.xml"),
        ]),
        "ppt/slides/slide1.xml": slide("Last", "End"), "ppt/slides/slide2.xml": slide("First", "Start"),
      ]).bytes, as: "talk.pptx")
    #expect(outcome.texts == ["First", "• Start", "Last", "• End"])
    #expect(try outcome.get().pages.map(\.label) == ["First", "Last"])
  }

  @Test func booksAreReadInTheOrderOfTheirSpine() throws {
    let outcome = read(
      ZipSample([
        "mimetype": "application/epub+zip",
        "META-INF/container.xml":
          "<container><rootfiles><rootfile full-path=\"OPS/book.opf\"/></rootfiles></container>",
        "OPS/book.opf": """
        <package><metadata><dc:title>Gulls</dc:title><dc:creator>A. Keeper</dc:creator></metadata><manifest>\
        <item id="one" href="text/a%20one.xhtml"/><item id="two" href="text/two.xhtml"/>\
        <item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>\
        <spine><itemref idref="two"/><itemref idref="one"/></spine></package>
        """,
        "OPS/toc.ncx":
          "<ncx><navPoint><navLabel><text>Two</text></navLabel><content src=\"text/two.xhtml#x\"/></navPoint></ncx>",
        "OPS/text/a one.xhtml":
          "<!DOCTYPE html><html><title>x</title><body><h1>One</h1><p>first&nbsp;words</p></body></html>",
        "OPS/text/two.xhtml": "<html><body><p>second words</p></body></html>",
      ]).bytes, as: "gulls.epub")
    let document = try outcome.get()
    #expect(document.title == "Gulls" && document.author == "A. Keeper")
    #expect(document.pages.map(\.label) == ["Two", "One"])
    #expect(outcome.texts == ["second words", "One", "first\u{A0}words"])
  }

  @Test func openDocumentTextHasListsTablesAndNotes() {
    let content = """
      <office:document-content><office:automatic-styles><text:list-style style:name="L1">\
      <text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/></text:list-style>\
      </office:automatic-styles><office:body><office:text><text:h text:outline-level="2">Jam</text:h>\
      <text:list text:style-name="L1"><text:list-item><text:p>Wash</text:p></text:list-item><text:list-item>\
      <text:p>Boil<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Slowly.</text:p></text:note-body></text:note></text:p>\
      </text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Fruit</text:p></table:table-cell>\
      <table:table-cell><text:p>Sugar<text:s text:c="2"/>(g)</text:p></table:table-cell></table:table-row><table:table-row>\
      <table:table-cell><text:p>Plum</text:p></table:table-cell><table:table-cell><text:p>500</text:p></table:table-cell>\
      </table:table-row></table:table></office:text></office:body></office:document-content>
      """
    let outcome = read(
      ZipSample(["mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content]).bytes,
      as: "jam.odt")
    #expect(
      outcome.texts == ["Jam", "1. Wash", "2. Boil[1]", "[1] Slowly.", "Fruit | Sugar  (g)", "Plum | 500"])
    #expect(outcome.texts(.tableHeader).count == 1 && outcome.texts(.heading(level: 2)) == ["Jam"])
  }

  @Test(arguments: [
    ("<!DOCTYPE d [<!ENTITY a \"aaaa\">]><w:document>&a;</w:document>", "damaged"),
    ("<!DOCTYPE d SYSTEM \"file:///etc/passwd\"><w:document/>", "damaged"),
    ("<w:document><w:p></w:document>", "damaged"), ("<w:document><w:p>", "damaged"), ("", "empty-text"),
    ("<w:document>&undefined;</w:document>", "damaged"),
    (String(repeating: "<w:p>", count: 5_000), "limit"),
  ])
  func hostilePartsAreRefused(content: String, outcome: String) {
    let bytes = ZipSample(["[Content_Types].xml": "<Types/>", "word/document.xml": content]).bytes
    #expect(read(bytes, as: "bad.docx").name == outcome)
  }

  @Test func namesThatDoNotMatchAreDamaged() {
    #expect(read("plain", as: "a.docx").name == "damaged")
    #expect(read(ZipSample(["a.txt": "x"]).bytes, as: "a.docx").name == "damaged")
    #expect(read(ZipSample.docx(""), as: "a.xlsx").name == "damaged")
    #expect(read(ZipSample(["a.txt": "x"]).bytes, as: "a.zip").name == "unsupported")
    #expect(read("{\\rtf1 text}", as: "a.rtf").name == "unsupported")
    #expect(read([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], as: "a.doc").name == "unsupported")
    let head: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    let mark: [[UInt8]] = "EncryptedPackage".utf8.map { [$0, 0] }
    let encrypted = head + Array(mark.joined())
    #expect(read(encrypted, as: "a.docx").name == "encrypted")
  }
}
