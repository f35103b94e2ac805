import Foundation
import TestSupport
import Testing
import Tokenization

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct ReferenceIDTests {
  @Test(arguments: ReferenceVocabularies.names)
  func everyIDOfEveryText(name: String) throws {
    let tokenizer = try ReferenceVocabularies.tokenizer(name)
    let texts = try ReferenceVocabularies.texts()
    let plain = try ReferenceVocabularies.lines("\(name).ids")
    let special = try ReferenceVocabularies.lines("\(name).special.ids")
    #expect(plain.count == texts.count && special.count == texts.count)
    for (index, text) in texts.enumerated() {
      #expect(written(tokenizer.encode(text)) == plain[index], "text \(index)")
      #expect(
        written(tokenizer.encode(text, parseSpecial: true, addSpecial: true)) == special[index], "text \(index)")
    }
  }

  @Test(arguments: ReferenceVocabularies.names)
  func everyIDOfTheVocabularysOwnTests(name: String) throws {
    let tokenizer = try ReferenceVocabularies.tokenizer(name)
    let texts = try ReferenceVocabularies.parts(of: "\(name).inp", separator: "\n__ggml_vocab_test__\n")
    let ids = try ReferenceVocabularies.lines("\(name).out")
    for (text, line) in zip(texts, ids) {
      #expect(written(tokenizer.encode(text)) == line.trimmingCharacters(in: .whitespaces), "\(text)")
    }
  }

  private func written(_ ids: [TokenID]) -> String { ids.map(String.init).joined(separator: " ") }
}
