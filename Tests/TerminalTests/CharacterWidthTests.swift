import Terminal
import Testing

@Suite struct CharacterWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("世界", 4), ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("1\u{FE0F}\u{20E3}", 2), ("ก็", 1),
    ("שָׁלוֹם", 4),
    ("\u{200B}", 0), ("…", 1), ("“”", 2), ("🫩", 2), ("𠀀", 2), ("─", 1), ("😀a", 3),
  ])
  func measures(text: String, columns: Int) { #expect(CharacterWidth.columns(of: text) == columns) }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("世界世界", 5, "世界…"), ("世界世界", 4, "世…"), ("abc", 0, ""),
  ])
  func truncates(text: String, columns: Int, kept: String) {
    #expect(CharacterWidth.truncated(text, to: columns) == kept)
  }
}
