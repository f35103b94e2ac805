import Documents

/// Random documents of headings, prose, lists, tables and code, with words that are never repeated.
enum RandomDocument {
  static func pages(_ random: inout some RandomNumberGenerator) -> [DocumentPage] {
    var word = 0
    var role = LineRole.body
    return (1...Int.random(in: 1...5, using: &random)).map { number in
      let lines = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        let startsBlock = Int.random(in: 0..<4, using: &random) == 0
        if startsBlock { role = roles.randomElement(using: &random) ?? .body }
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
          word += 1
          text += words.randomElement(using: &random).map { "\($0)\(word)" } ?? ""
          text += ends.randomElement(using: &random) ?? " "
        }
        return DocumentLine(text, role: role, startsBlock: startsBlock, isHidden: false)
      }
      return DocumentPage(number: number, lines: lines)
    }
  }

  private static let roles: [LineRole] = [
    .body, .body, .body, .listItem, .code, .tableHeader, .tableRow, .running, .heading(level: 1),
    .heading(level: 2),
  ]
  private static let words = ["Word", "word", "日本", "ไทย", "of\u{fb01}ce", "caf\u{e9}", "well-", "Mr."]
  private static let ends = [" ", " ", " ", " ", ". ", "! ", "。", "  ", ", ", "-"]
}
