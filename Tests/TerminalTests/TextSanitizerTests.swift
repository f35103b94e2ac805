import Terminal
import Testing

@Suite struct TextSanitizerTests {
  static let table: [(given: String, shown: String)] = [
    ("plain\ttext\nhere", "plain\ttext\nhere"), ("\u{1B}[31mred", "\u{241B}[31mred"),
    ("a\u{9B}2Jb", "a\u{FFFD}2Jb"),
    ("bell\u{07}nul\u{00}", "bell\u{2407}nul\u{2400}"), ("back\u{08}del\u{7F}", "back\u{2408}del\u{2421}"),
    ("line\r\nend", "line\nend"), ("over\rwrite", "over\u{240D}write"), ("end\r", "end\u{240D}"),
    ("a\r\r\nb", "a\u{240D}\nb"), ("nel\u{85}x", "nel\u{FFFD}x"),
    ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{2066}\u{2067}\u{2068}\u{2069}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("a\u{2028}b\u{2029}c", "a\u{FFFD}b\u{FFFD}c"),
    ("👩\u{200D}👩\u{200D}👧", "👩\u{200D}👩\u{200D}👧"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("क्\u{200D}ष", "क्\u{200D}ष"),
    ("❤\u{FE0F}", "❤\u{FE0F}"), ("שלום\u{200F}!", "שלום\u{200F}!"),
    (
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
    ),
    ("hid\u{E0041}den", "hid\u{FFFD}den"), ("\u{FFF9}\u{206A}", "\u{FFFD}\u{FFFD}"),
    ("bom\u{FEFF}", "bom\u{FFFD}"),
  ]

  @Test(arguments: table)
  func showsWhatATerminalWouldObey(given: String, shown: String) {
    #expect(TextSanitizer.text(given).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(arguments: table)
  func cutsMakeNoDifference(given: String, shown: String) {
    let scalars = Array(given.unicodeScalars)
    for cut in 0...scalars.count {
      var sanitizer = TextSanitizer()
      let parts = [scalars[..<cut], scalars[cut...]].map { part in
        var view = String.UnicodeScalarView()
        view.append(contentsOf: part)
        return sanitizer.clean(String(view))
      }
      #expect((parts.joined() + sanitizer.finish()).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }
  }

  @Test func everyScalarIsSafeAfterwards() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for made in TextSanitizer.text("a" + String(scalar) + "b").unicodeScalars {
        let isSafe = made == "\n" || made == "\t" || !TextSanitizer.isUnsafe(made)
        if !isSafe { Issue.record("U+\(String(value, radix: 16)) stays") }
      }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        #expect(value == 10 || value == 9 || TextSanitizer.text(String(scalar)) != String(scalar))
      default: break
      }
    }
  }

  @Test func singleLinesHoldNoLineBreak() {
    #expect(TextSanitizer.line("a\nb\tc\r\nd") == "a\u{2424}b\u{2409}c\u{240D}\u{2424}d")
  }
}
