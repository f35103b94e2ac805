import Documents
import Reading
import Testing

@Suite("What is printed where")
struct PrintTests {
  @Test func textThatNobodySeesIsMarked() {
    let outcome = read(
      PDFSample.document([
        PDFSample.text("Plain words.", 72, 700) + PDFSample.text("Not drawn.", 72, 650, mode: "3 Tr")
          + PDFSample.text("White on white.", 72, 600, mode: "0 Tr 1 1 1 rg") + "0 g 70 540 200 20 re f\n"
          + PDFSample.text("White on black.", 72, 545, mode: "1 1 1 rg")
          + PDFSample.text("Dust.", 72, 500, size: 0.8)
      ]), as: "a.pdf")
    #expect(outcome.lines.filter(\.isHidden).map(\.text) == ["Not drawn.", "White on white.", "Dust."])
    #expect(outcome.lines.count == 5)
  }

  @Test func theTextLayerOfAScanIsItsText() {
    let words = PDFSample.text("Words of a scan.", 72, 700, mode: "3 Tr")
    let image =
      "<</Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>>\nstream\n!~!~\nendstream"
    let scan = PDFSample.document(
      ["q 612 0 0 792 0 0 cm /Im Do Q\n" + words], resources: "/XObject<</Im 4 0 R>>", objects: [image])
    #expect(read(scan, as: "a.pdf").lines == [DocumentLine("Words of a scan.", startsBlock: true)])
    #expect(read(PDFSample.document([words]), as: "a.pdf").lines.map(\.isHidden) == [false])
  }

  @Test func alternatingHeadersAndPageNumbersRun() {
    let pages = (1...6).map { page in
      PDFSample.text(page.isMultiple(of: 2) ? "The Book" : "A Chapter", 72, 750)
        + (0..<5).map {
          PDFSample.text("Body \(page * 7 + $0 * $0) has its own words \(page * $0).", 72, 690 - 14 * Double($0))
        }
        .joined() + PDFSample.text("\(page + 4)", 300, 40)
    }
    let outcome = read(PDFSample.document(pages), as: "a.pdf")
    #expect(
      outcome.texts(.running) == [
        "A Chapter", "5", "The Book", "6", "A Chapter", "7", "The Book", "8", "A Chapter", "9", "The Book", "10",
      ])
  }

  @Test func paragraphsBeginAtGapsAndIndents() {
    let lines: [(String, Double, Double)] = [
      ("The first paragraph begins here and it fills the line", 72, 700),
      ("and goes on until it is over at this point here.", 72, 686),
      ("A second one, set apart by a gap, begins right here", 72, 658),
      ("and it too goes on for one more full line of words.", 72, 644),
      ("An indent begins the third of them without any gap,", 90, 630),
      ("which then goes on at the edge for yet another line.", 72, 616),
    ]
    let outcome = read(
      PDFSample.document([lines.map { PDFSample.text($0.0, $0.1, $0.2) }.joined()]), as: "a.pdf")
    #expect(outcome.lines.map(\.startsBlock) == [true, false, true, false, true, false])
  }

  @Test func rowsOfATableStayRows() {
    let cells = [
      ("Country", "People", "Area"), ("Austria", "8.9", "83,879"), ("Belgium", "11.5", "30,689"),
      ("Denmark", "5.8", "42,951"),
    ]
    // Written column after column, as some programs do.
    let columns = [\(String, String, String).0, \.1, \.2].enumerated().map { column, path in
      cells.enumerated().map { row, cell in
        PDFSample.text(cell[keyPath: path], 72 + 150 * Double(column), 700 - 16 * Double(row))
      }.joined()
    }
    let outcome = read(PDFSample.document([columns.joined()]), as: "a.pdf")
    #expect(outcome.texts == cells.map { "\($0.0)  \($0.1)  \($0.2)" })
  }

  @Test func outlinesNameHeadings() {
    let outcome = read(
      PDFSample.document([
        PDFSample.text("Large Title", 72, 720, size: 24)
          + (0..<12).map {
            PDFSample.text("A line of ordinary words, the \($0)th of them all here", 72, 660 - 14 * Double($0))
          }.joined()
      ]), as: "a.pdf")
    #expect(outcome.texts(.heading(level: 1)) == ["Large Title"])
  }
}
