import TestSupport
import Testing
import Tokenization

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct DecodingTests {
  /// All but WordPiece keep every byte; a space that comes from encoding goes again.
  @Test(arguments: ReferenceVocabularies.names.filter { $0 != "bert-bge" })
  func decodesWhatItEncodes(name: String) throws {
    let tokenizer = try ReferenceVocabularies.tokenizer(name)
    for text in try ReferenceVocabularies.texts() {
      let ids = tokenizer.encode(text)
      #expect(tokenizer.decode(ids).utf8.elementsEqual(text.utf8), "\(text)")
      var decoder = StreamingDecoder(tokenizer)
      let parts = ids.map { decoder.append($0) }
      #expect((parts.joined() + decoder.finish()).utf8.elementsEqual(text.utf8), "\(text)")
      #expect(!parts.contains { $0.contains("\u{FFFD}") } || text.contains("\u{FFFD}"))
    }
  }

  @Test func wordPieceDecodesToNormalisedWords() throws {
    let tokenizer = try ReferenceVocabularies.tokenizer("bert-bge")
    #expect(tokenizer.decode(tokenizer.encode("Héllo, unbelievable World")) == " hello , unbelievable world")
  }

  @Test func charactersComeWholeOrAsReplacement() throws {
    let tokenizer = try ReferenceVocabularies.tokenizer("llama-spm")
    func byte(_ value: UInt8) throws -> TokenID {
      let digits = String(value, radix: 16, uppercase: true)
      return try #require(tokenizer.token(written: "<0x\(digits.count == 1 ? "0" : "")\(digits)>"))
    }
    var decoder = StreamingDecoder(tokenizer, continuesText: true)
    for value: UInt8 in [0xF0, 0x9F, 0x98] { #expect(try decoder.append(byte(value)) == "") }
    #expect(try decoder.append(byte(0x80)) == "😀")
    #expect(try decoder.append(byte(0xE2)) == "")
    #expect(try decoder.append(byte(0x28)) == "\u{FFFD}(")
    #expect(try decoder.append(byte(0xFF)) == "\u{FFFD}")
    #expect(try decoder.append(byte(0xED)) == "")
    #expect(try decoder.append(byte(0xA0)) == "\u{FFFD}\u{FFFD}")
    #expect(try decoder.append(byte(0xC3)) == "")
    #expect(decoder.finish() == "\u{FFFD}")
    #expect(decoder.append(-1) == "" && decoder.append(.max) == "")
  }

  @Test func knowsWhatEndsGeneration() throws {
    func ends(_ name: String) throws -> Set<String> {
      let tokenizer = try ReferenceVocabularies.tokenizer(name)
      return Set(
        tokenizer.special.endsOfGeneration.map {
          String(decoding: tokenizer.piece(of: $0, showsSpecial: true), as: UTF8.self)
        })
    }
    #expect(try ends("llama-bpe") == ["<|eot_id|>", "<|end_of_text|>"])
    #expect(try ends("qwen2") == ["<|im_end|>", "<|endoftext|>", "</s>"])
    #expect(try ends("llama-spm") == ["</s>"])
    #expect(try ends("phi-3") == ["<|end|>", "<|endoftext|>", "</s>"])
    #expect(try ends("gemma-4").isSuperset(of: ["<eos>", "<turn|>"]))
    #expect(try !ends("gemma-4").contains("</s>"))
  }
}
