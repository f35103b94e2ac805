import Documents

/// Pages of lines that mix everything the running text treats differently.
enum RandomPages {
  private static let pieces = [
    "word", "exam-", "ple", "well-", "known", " ", "  ", "\t", "of\u{fb01}ce", "caf\u{e9}", "cafe\u{301}",
    "\u{ad}",
    "日本", "文。", "ภาษา", "ไทยกำ", "हिन्दी", "😀", "👩\u{200d}💻", "\u{1b}[2J", "\u{202e}", "\u{a0}", "x\u{b2}", "x\u{30c}",
    "\u{301}", "。", ".", ", ", "-", "A", "가", "\u{1100}\u{1161}", "\u{0}", "ｆ", "\u{3099}", "か\u{3099}", "und",
    "1",
    "\u{2028}", "\r", "¨", "…", " \u{301}",
  ]
  private static let roles: [LineRole] = [
    .body, .body, .body, .body, .listItem, .code, .tableHeader, .tableRow, .running, .heading(level: 2),
  ]

  static func make(_ random: inout some RandomNumberGenerator) -> [DocumentPage] {
    var number = 0
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      number += Int.random(in: 1...2, using: &random)
      var role = LineRole.body
      let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        if Int.random(in: 0..<4, using: &random) == 0 { role = roles.randomElement(using: &random) ?? .body }
        let count = Int.random(in: 0...8, using: &random)
        let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        return DocumentLine(
          text, role: role, startsBlock: Int.random(in: 0..<5, using: &random) == 0,
          isHidden: Int.random(in: 0..<20, using: &random) == 0)
      }
      return DocumentPage(number: number, lines: lines)
    }
  }
}
