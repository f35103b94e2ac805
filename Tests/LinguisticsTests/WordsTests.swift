import Linguistics
import Testing

@Suite struct WordsTests {
  private func plain(_ text: String) -> [String] {
    Words.split(text).filter { !$0.kind.isAdditional }.map(\.text)
  }
  private func additional(_ text: String) -> [String] {
    Words.split(text).filter(\.kind.isAdditional).map(\.text)
  }

  @Test(arguments: [
    ("Hello, World!", ["hello", "world"]),
    ("The café's naïve Straße", ["the", "cafe", "naive", "strasse"]),
    ("don't O'Neill he'll", ["dont", "oneill", "he"]),
    ("l'avion d\u{2019}été", ["l", "avion", "d", "ete"]),
    ("İstanbul ΑΘΉΝΑΣ Ёлка", ["istanbul", "αθηνασ", "елка"]),
    ("Ｆｕｌｌ１２ ﬁne", ["full12", "fine"]),
    ("e\u{301}cole co\u{ad}operate", ["ecole", "cooperate"]),
    ("1,200.50 and 1.200,50 or 1,200", ["1200.50", "and", "1200.50", "or", "1200"]),
    ("pi is 3.14, [1,5]", ["pi", "is", "3.14", "1", "5"]),
    ("U.S.A. and p53", ["usa", "and", "p53"]),
    ("the end.The next", ["the", "end", "the", "next"]),
    ("state-of-the-art", ["state", "of", "the", "art"]),
    ("H₂O word¹", ["h2o", "word"]),
    ("自然言語", ["自然", "然言", "言語"]),
    ("猫", ["猫"]),
    ("กกขค", ["กกข", "กขค"]),
    ("٢٠٢٤", ["2024"]),
    ("", []), ("'-'", []), ("--a--", ["a"]),
  ])
  func splits(text: String, words: [String]) { #expect(plain(text) == words) }

  @Test(arguments: [
    ("state-of-the-art", ["stateoftheart"]), ("snake_case", ["snakecase"]),
    ("getUserName", ["get", "user", "name"]), ("bob@example.com", ["bobexamplecom"]),
    ("version 2.1.3", ["2.1.3"]), ("C++ and C#", ["cpp", "csharp"]), ("mRNA", []), ("自然", ["自", "然"]),
    ("COVID-19", ["covid19"]),
  ])
  func readsCompoundsAlsoAsOne(text: String, words: [String]) { #expect(additional(text) == words) }

  @Test func rangesCutTheWords() {
    let text = "Grüße, O'Neill's naïve 1,200 自然言語"
    let cut = Words.split(text).filter { !$0.kind.isAdditional }.map { word in
      String(decoding: Array(text.utf8)[word.range], as: UTF8.self)
    }
    #expect(cut == ["Grüße", "O'Neill's", "naïve", "1,200", "自然", "然言", "言語"])
  }

  @Test func anyTextIsSplitWithinItsBounds() {
    var random = SystemRandomNumberGenerator()
    let alphabet: [Unicode.Scalar] = [
      "a", "B", "é", "'", "’", "-", ".", ",", "1", "9", " ", "\n", "自", "ก", "้", "が", "\u{301}", "\u{200d}", "@",
      "_", "+", "#", "😀", "ß", "\u{ad}", "가", "\u{0}", "क", "्",
    ]
    for _ in 0..<5_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
      }
      var last = 0
      for word in Words.split(text) where !word.kind.isAdditional {
        #expect(word.range.upperBound <= text.utf8.count && !word.range.isEmpty, "\(text.debugDescription)")
        #expect(word.range.lowerBound >= last, "\(text.debugDescription)")
        last = word.range.lowerBound
      }
    }
  }

  @Test func longRunsStayBounded() {
    let run = String(repeating: "a", count: 1_000_000)
    #expect(plain(run) == [String(repeating: "a", count: 64)])
    let chain = String(repeating: "a-", count: 200_000)
    #expect(plain(chain).count == 200_000)
  }
}
