import TestSupport
import Testing
import Tokenization

/// Texts that take quadratic time elsewhere end here; the speed is printed, never asserted.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"), .serialized)
struct SpeedTests {
  @Test(arguments: ReferenceVocabularies.names)
  func aMegabyteOfAnythingEnds(name: String) throws {
    let clock = ContinuousClock()
    let definition = try VocabularyFile.named(name)
    var made: Tokenizer?
    let load = try clock.measure { made = try Tokenizer(definition) }
    let tokenizer = try #require(made)
    let prose = try ReferenceVocabularies.texts().joined(separator: "\n")
    let texts = [
      "letters": String(repeating: "a", count: 1 << 20), "spaces": String(repeating: " ", count: 1 << 18) + "x",
      "lines": String(repeating: "\n", count: 1 << 18), "digits": String(repeating: "7", count: 1 << 18),
      "emoji": String(repeating: "👩‍👩‍👧", count: 1 << 13), "marks": String(repeating: "<|im_end|>", count: 1 << 14),
      "prose": String(repeating: prose, count: (1 << 18) / prose.utf8.count),
    ]
    var report = "\(name): load \(load)"
    for (kind, text) in texts.sorted(by: { $0.key < $1.key }) {
      var ids: [TokenID] = []
      let time = clock.measure { ids = tokenizer.encode(text, parseSpecial: true) }
      report += ", \(kind) \(time)"
      #expect(!ids.isEmpty || name == "bert-bge")
    }
    print(report)
  }
}
