import Documents
import Foundation
import Reading
import TestSupport
import Testing

@Suite("Text formats")
struct TextTests {
  private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
      let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
      bytes += isLittle ? [low, high] : [high, low]
    }
    return bytes
  }

  private static let encoded: [(bytes: [UInt8], text: String)] = [
    (Array("Größe 935 €".utf8), "Größe 935 €"),
    ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
    ([0xFF, 0xFE] + utf16("Größe", isLittle: true), "Größe"),
    ([0xFE, 0xFF] + utf16("日本", isLittle: false), "日本"),
    (utf16("plain text", isLittle: true), "plain text"),
    ([0x70, 0x72, 0x69, 0x78, 0x20, 0x80, 0x20, 0xE9, 0x74, 0xE9], "prix € été"),
  ]

  @Test(arguments: encoded.indices)
  func decodes(index: Int) {
    #expect(read(Self.encoded[index].bytes, as: "a.txt").texts == [Self.encoded[index].text])
  }

  @Test func oneBadByteDoesNotSpoilUTF8() {
    var bytes = Array(String(repeating: "naïve café – ", count: 50).utf8)
    bytes.insert(0xFF, at: 13)
    #expect(read(bytes, as: "a.txt").texts[0].contains("café"))
  }

  @Test func guessesOtherEncodingsOnlyWhereCertain() {
    let cyrillic: [UInt8] = [
      0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20, 0xEC, 0xE8, 0xF0, 0x20, 0xE4, 0xE0, 0xE2, 0xE0, 0xE9,
    ]
    #expect(read(cyrillic, as: "a.txt").texts == ["Привет мир давай"])
    let japanese: [UInt8] = [0x82, 0xB1, 0x82, 0xF1, 0x82, 0xC9, 0x82, 0xBF, 0x82, 0xCD, 0x90, 0xA2, 0x8A, 0x45]
    #expect(read(japanese, as: "a.txt").texts == ["こんにちは世界"])
  }

  @Test func linesAreTheFilesOwn() {
    let outcome = read("one\r\n\r\n- two\rthree\n\u{C}four", as: "a.txt")
    #expect(outcome.texts == ["one", "", "- two", "three", "\u{C}four"])
    #expect(
      outcome.lines.map(\.startsBlock) == [true, false, true, false, true] || outcome.lines[2].role == .listItem)
  }

  /// The lines that do not go on with the one before.
  private func ownLines(_ text: String, as name: String) -> [String] {
    read(text, as: name).lines.filter(\.startsBlock).map(\.text)
  }

  @Test(arguments: ["a.txt", "a.md"])
  func linesOfNotesStandForThemselves(name: String) {
    let record = """
      Name: Anna Smith
      Diagnosis: essential hypertension
      Medication: lisinopril 10 mg once a day,
      Metoprolol
      1961 born
      """
    let ward = """
      Ward round 3
      Bed 4 Mr Jones: fever since Monday
      started ceftriaxone 2 g
      Bed 5 Mrs Brown: waiting for the scan
      """
    let pair = "The rent is 1,200 EUR, due on the first\nCall the plumber"
    let own =
      record.split(separator: "\n").filter { $0 != "Metoprolol" }
      + ward.split(separator: "\n").filter { !$0.hasPrefix("started") } + pair.split(separator: "\n")
    let fields = "Owner: Anna\n**Approver:** Tom"
    let log = "[12:03] Anna: did the parcel arrive?\n[12:05] Tom: yes, this morning\n2026-05-14 Anna: great"
    let even =
      "Present: Anna, Tom, Li\nBudget for 2027: 48,000 EUR\nSupplier: Brandt GmbH\nTom will call them by Friday"
    #expect(ownLines([record, ward, pair].joined(separator: "\n\n"), as: name) == own.map(String.init))
    #expect(ownLines(log, as: name).count == 3)
    #expect(ownLines("name: anna,\nborn: 1961\nand living\nphone:\nmail: a@b.example", as: name).count == 4)
    let clause = "§ 4 Kündigung\nDie Kündigungsfrist beträgt drei Monate. Die Kündigung bedarf der\nSchriftform."
    #expect(ownLines(clause, as: name).count == 2)
    #expect(ownLines(fields, as: name).count == 2 && ownLines(even, as: name).count == 4)
    // Without notes next to it, a pair is taken for a paragraph; a sentence for each line is one always.
    #expect(ownLines(pair, as: name).count == 1)
    #expect(ownLines("It rains.\nAnna stays at home today.\nTom does not.", as: name) == ["It rains."])
  }

  @Test func fieldsStandForThemselvesInEveryForm() {
    let fields = [
      "Name: Anna Smith", "Diagnosis: essential hypertension", "and migraine", "Allergies: penicillin",
    ]
    let printed = fields.enumerated().map { PDFSample.text($1, 72, 720 - 14 * Double($0)) }.joined()
    let verse = ["Tell all the truth but tell it slant", "Success in Circuit lies"]
    func own(_ bytes: [UInt8], as name: String) -> [String] {
      read(bytes, as: name).lines.filter(\.startsBlock).map(\.text)
    }
    #expect(own(PDFSample.document([printed]), as: "a.pdf") == [fields[0], fields[1], fields[3]])
    for (lines, count) in [(fields, 3), (verse, 1)] {
      let page = "<p>" + lines.joined(separator: "<br>") + "</p>"
      #expect(own(Array(page.utf8), as: "a.html").count == count)
    }
  }

  @Test func indentedLinesBeginParagraphsUnlessTheyGoOn() {
    let text = "1.1. \"Contributor\"\n    means each person that\n    creates it.\n    It is not limited."
    #expect(ownLines(text, as: "a.txt") == ["1.1. \"Contributor\""])
    let paragraphs =
      "It was late in the year, and the road was long.\n  Tom went home, for the\nsnow fell.\n  Anna stayed."
    #expect(ownLines(paragraphs, as: "a.txt").count == 3)
  }

  @Test(arguments: ["a.txt", "a.md"], 40...120)
  func linesOfProseGoOn(name: String, width: Int) {
    let paragraphs = [
      "Der Mieter zahlt dem Vermieter die Miete bis zum dritten Werktag eines Monats im Voraus auf dessen Konto; "
        + "für die Rechtzeitigkeit kommt es auf den Eingang des Geldes an. Rückstände werden mit dem Zinssatz der "
        + "Bank verzinst, Mahnungen und Schäden trägt der Mieter, es sei denn, dass ihn kein Verschulden trifft.",
      "On Monday Mrs Brown of London wrote to Dr Jones that the HPLC of the second batch, made at Basel in May, had "
        + "shown 3 peaks at 254 nm; Dr Jones asked Anna Smith to repeat it on the other column on Tuesday.",
    ]
    func wrapped(_ text: String) -> String {
      var lines = [""]
      for word in text.split(separator: " ") {
        if lines[lines.count - 1].count + 1 + word.count > width { lines.append("") }
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      }
      return lines.joined(separator: "\n")
    }
    let text = paragraphs.map(wrapped).joined(separator: "\n\n")
    #expect(ownLines(text, as: name) == paragraphs.map { wrapped($0).prefix { $0 != "\n" } }.map(String.init))
    // A letter's greeting and its end are not part of what is between them.
    let letter = "Dear Anna\n" + wrapped(paragraphs[1]) + "\nRegards\nTom"
    #expect(
      ownLines(letter, as: name).prefix(2) == ["Dear Anna", String(wrapped(paragraphs[1]).prefix { $0 != "\n" })])
    #expect(ownLines(letter, as: name).last == "Tom")
  }

  @Test func markdown() throws {
    let text = """
      ---
      title: "Manual"
      ---
      # One
      text
      more

      Two
      ---
      1. first
         still first
      2. second

      | a | b |
      |---|:-:|
      | 1 | 2 |

      ```sh
      # not a heading
      ```
      ### Three ###
      """
    let outcome = read(text, as: "a.md")
    #expect(try outcome.get().title == "Manual")
    #expect(outcome.texts == text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    #expect(outcome.texts(.heading(level: 1)) == ["# One"])
    #expect(outcome.texts(.heading(level: 2)) == ["Two"])
    #expect(outcome.texts(.heading(level: 3)) == ["### Three ###"])
    #expect(outcome.texts(.listItem) == ["1. first", "   still first", "2. second"])
    #expect(outcome.texts(.tableHeader) == ["| a | b |"] && outcome.texts(.tableRow) == ["| 1 | 2 |"])
    #expect(outcome.texts(.code) == ["```sh", "# not a heading", "```"])
  }

  @Test func restructuredText() throws {
    let text = """
      =====
      Guide
      =====

      Part
      ----
      Words::

          literal

      .. code-block:: sh

         run it

      .. note:: Mind this.

      * item
        goes on

      +---+---+
      | a | b |
      +===+===+
      | 1 | 2 |
      +---+---+
      """
    let outcome = read(text, as: "a.rst")
    #expect(outcome.texts(.heading(level: 1)) == ["Guide"] && outcome.texts(.heading(level: 2)) == ["Part"])
    #expect(outcome.texts(.code) == ["    literal", "   run it"])
    #expect(outcome.texts(.listItem) == ["* item", "  goes on"])
    #expect(outcome.texts(.tableHeader) == ["| a | b |"] && outcome.texts(.tableRow) == ["| 1 | 2 |"])
    #expect(outcome.texts(.body).contains(".. note:: Mind this."))
  }

  @Test func code() {
    let outcome = read("#!/bin/sh\nif x; then\n  y\nfi\n", as: "run")
    #expect(outcome.lines.allSatisfy { $0.role == .code } && outcome.lines.count == 4)
    #expect(read("fn main() {}", as: "Makefile").lines.first?.role == .code)
  }

  @Test(arguments: [
    ("name,phone\nAda,\"+1 \"\"x\"\"\"\n", ["name | phone", "Ada | +1 \"x\""]),
    ("name;sum\nAda;1,5\nBo;2,5\n", ["name | sum", "Ada | 1,5", "Bo | 2,5"]),
    ("a\tb\n1\t2\n", ["a | b", "1 | 2"]),
    ("a,b\n\"two\nlines\",x\ny,z", ["a | b", "two ⏎ lines | x", "", "y | z"]),
    ("a,b\n\"open,x\ny,z", ["a | b", "\"open | x", "y | z"]),
  ])
  func delimited(text: String, lines: [String]) {
    let outcome = read(text, as: "a.csv")
    #expect(outcome.texts == lines)
    #expect(outcome.lines.first?.role == .tableHeader)
  }

  @Test func numbersAreNoHeader() { #expect(read("1,2\n3,4\n", as: "a.csv").texts(.tableHeader).isEmpty) }

  @Test func json() {
    let text = """
      {
        "owner": "Ada \\u00e9",
        "people": [
          {"name": "Bo", "phone": "+1"},
          {"name": "Cy", "phone": "+2"}
        ],
        "tags": ["x", "y"]
      }
      """
    #expect(
      read(text, as: "a.json").texts == [
        "", "owner: Ada é", "", "people[0]: name: Bo; phone: +1", "people[1]: name: Cy; phone: +2", "",
        "tags: x, y",
      ])
    #expect(read("{\"a\": 1,", as: "a.json").texts == ["{\"a\": 1,"])
    #expect(read(String(repeating: "[", count: 100_000), as: "a.json").name == "limit")
    #expect(
      read("{\"a\":1}\nbroken\n{\"b\":{\"c\":[2,3]}}\n", as: "a.jsonl").texts == ["a: 1", "broken", "b.c: 2, 3"])
  }

  @Test func html() throws {
    let text = """
      <!doctype html><title>T &amp; U</title><meta charset=utf-8><style>p { }</style><script>if (a<b) "</p>"</script>
      <h2>Head<br>line</h2><p>One <b>bold</b>, <a href=x>link</a>&nbsp;&euro;&#8364;<p>Two
      <ul><li>a<li>b<ol><li>c</ol></ul><pre>x
        y</pre><table><tr><th>P<th>Q<tr><td>1<td>2<p>3</table><p hidden>unseen</p><div style="display: none">nor this</div>end
      """
    let outcome = read(text, as: "a.html")
    #expect(try outcome.get().title == "T & U")
    #expect(
      outcome.texts == [
        "Head", "line", "One bold, link\u{A0}€€", "Two", "• a", "• b", "1. c", "x", "  y", "P | Q", "1 | 2 ⏎ 3",
        "unseen", "nor this", "end",
      ])
    #expect(outcome.texts(.heading(level: 2)) == ["Head", "line"])
    #expect(outcome.texts(.code) == ["x", "  y"])
    #expect(outcome.lines.filter(\.isHidden).map(\.text) == ["unseen", "nor this"])
  }

  @Test func htmlEncodingsAndDepth() {
    let russian = Array("<meta charset=\"windows-1251\"><p>".utf8) + [0xCC, 0xE8, 0xF0]
    #expect(read(russian, as: "a.html").texts == ["Мир"])
    #expect(
      read(String(repeating: "<div><table><tr><td><ul><li>", count: 50_000) + "deep", as: "a.html").runningText
        .contains("deep"))
  }

  @Test func emptyAndBinary() {
    #expect(read("", as: "a.txt").name == "empty-text")
    #expect(read(" \n\t\n", as: "a.txt").name == "empty-text")
    #expect(read((0..<4_096).map { _ in UInt8.random(in: 0...255) }, as: "a.txt").name == "binary")
    #expect(read([0x7F, 0x45, 0x4C, 0x46, 2, 1], as: "program").name == "binary")
  }

  @Test func limitsCutAndSaySo() throws {
    var limits = ReadingLimits()
    limits.characterCount = 100
    let document = try read(String(repeating: "0123456789\n", count: 100), as: "a.txt", limits: limits).get()
    #expect(document.cut == .characterLimit && document.pages[0].lines.count == 10)
  }
}
