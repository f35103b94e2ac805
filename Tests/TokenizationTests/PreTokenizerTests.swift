import Foundation
import Testing
import Tokenization

/// `Golden/words.json` holds where the reference's regular expressions, run by another engine, cut some texts: for each
/// name of a pre-tokenizer the lengths of the words in scalars.
@Suite struct PreTokenizerTests {
  private struct Golden: Decodable {
    let texts: [String]
    let lengths: [String: [[Int]]]
  }

  private static let golden: Golden? = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/words.json")
    // A missing file fails the tests that need it.
    return (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Golden.self, from: $0) }
  }()

  static let names = golden.map { $0.lengths.keys.sorted() } ?? []

  @Test func thereAreGoldens() { #expect(Self.names.count == 31) }

  @Test(arguments: names)
  func cutsLikeTheReference(name: String) throws {
    let golden = try #require(Self.golden)
    for (text, lengths) in zip(golden.texts, golden.lengths[name] ?? []) {
      let words = try #require(Tokenizer.words(of: text, preTokenizer: name))
      #expect(words.map { $0.unicodeScalars.count } == lengths, "\(name): \(text.debugDescription)")
    }
  }

  @Test func unknownNamesAreRefused() {
    #expect(Tokenizer.words(of: "a", preTokenizer: "no-such") == nil)
  }

  @Test func everyScalarIsCutSomewhere() throws {
    let text = String(String.UnicodeScalarView((0...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }))
    for name in Self.names {
      let words = try #require(Tokenizer.words(of: text, preTokenizer: name))
      #expect(words.joined().utf8.elementsEqual(text.utf8), "\(name)")
    }
  }
}
