import Documents
import Foundation
import Reading
import TestSupport
import Testing

/// One row of the manifest of difficult PDFs.
struct ManifestRow: CustomTestStringConvertible {
  let file: String
  let outcome: String
  let password: String
  let pageCount: Int?
  let head: String
  var testDescription: String { file }

  static let all: [ManifestRow] = {
    guard SharedData.isPresent,
      let text = try? String(contentsOf: SharedData.file("documents/manifest.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return ManifestRow(
        file: cells[0], outcome: cells[1], password: cells[2], pageCount: Int(cells[5]), head: cells[7])
    }
  }()

  /// The user's and the owner's password, as far as they are given.
  var passwords: [String] {
    if file.contains("saslprep") { return ["S\u{AA}SL\u{AD}prep", "SaSLprep"] }
    return password.split(separator: " ").compactMap {
      $0.split(separator: "=", maxSplits: 1).last.map(String.init)
    }
  }
}

@Suite("PDF", .enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct PDFTests {
  /// Left to the sandbox, which ends it: it takes gigabytes.
  static let harmless = ManifestRow.all.filter { $0.outcome != "limit" }

  @Test("Every PDF of the manifest has the outcome of its row", arguments: harmless)
  func outcome(row: ManifestRow) throws {
    let file = SharedData.file("documents/pdf/\(row.file)")
    let outcome = try read(file)
    // This one opens with its owner's password alone, whatever the row says.
    let expected = row.file == "pikepdf__graph-encrypted.pdf" ? "encrypted" : row.outcome
    #expect(outcome.name == expected)
    guard case .success(let document) = outcome else { return }
    #expect(document.pageCount == row.pageCount)
    if row.head.hasPrefix("'") { return }  // holds escapes
    let words = Set(outcome.runningText.split(separator: " ").map(Self.letters))
    let wanted = row.head.split(separator: " ").dropLast().map(Self.letters)
    #expect(wanted.allSatisfy { $0.isEmpty || words.contains($0) || outcome.runningText.contains($0) })
  }

  private static func letters(_ word: Substring) -> String {
    String(word.unicodeScalars.filter { !(0x202A...0x202E).contains($0.value) && $0 != "-" })
  }

  @Test("A password opens what is encrypted", arguments: ManifestRow.all.filter { !$0.passwords.isEmpty })
  func password(row: ManifestRow) throws {
    let file = SharedData.file("documents/pdf/\(row.file)")
    for password in row.passwords {
      #expect(["ok", "empty-text"].contains(try read(file, password: password).name))
    }
    #expect(try read(file, password: "not it, surely").name == "wrong-password")
  }

  @Test func marksHeadersFootersAndHeadings() throws {
    let outline = try read(SharedData.file("documents/pdf/sample-files__pdflatex-outline.pdf"))
    #expect(outline.texts(.heading(level: 1)).prefix(2) == ["1  Foo", "2  Bar"])
    #expect(outline.texts(.running) == ["1", "2", "3", "4"])
    let long = try read(SharedData.file("documents/office/long.pdf"))
    #expect(Set(long.texts(.running)).contains("Station log, volume A"))
    #expect(long.texts(.running).count == 1200)
  }

  @Test func readsColumnsOneAfterTheOther() throws {
    let lines = try read(SharedData.file("documents/pdf/sample-files__multicolumn.pdf")).texts
    let index = try #require(lines.firstIndex(of: "molestie vitae, placerat a, molestie nec, leo. Maece-"))
    #expect(lines[index + 1].hasPrefix("nas lacinia."))
  }

  @Test func stopsAtItsLimits() throws {
    var limits = ReadingLimits()
    limits.pageCount = 212
    let file = SharedData.file("documents/office/long.pdf")
    let pages = try read(file, limits: limits).get()
    #expect(pages.pageCount == 600 && pages.pages.count == 212 && pages.cut == .pageLimit)
    limits.characterCount = 10_000
    let characters = try read(file, limits: limits).get()
    #expect(characters.cut == .characterLimit && characters.pages.count < 10)
  }

  @Test func survivesTruncation() throws {
    let data = [UInt8](try Data(contentsOf: SharedData.file("documents/pdf/sample-files__minimal-document.pdf")))
    for length in stride(from: 1, to: data.count, by: data.count / 40) {
      _ = read(data.prefix(length), as: "cut.pdf")
    }
  }
}
