import Testing
import Tokenization

@Suite struct UnigramTests {
  private func definition() -> TokenizerDefinition {
    var definition = TokenizerDefinition(model: "t5")
    definition.tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "b", "ab", "▁a", "▁ab", "abab", "é"]
    definition.scores = [0, 0, 0, -3, -2, -2, -3, -2.5, -4, -5.5, -4]
    definition.tokenTypes = [3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    definition.addsSpacePrefix = true
    definition.removesExtraSpaces = true
    return definition
  }

  @Test func findsTheMostProbableSpelling() throws {
    let tokenizer = try Tokenizer(definition())
    // ▁ab (-4) beats ▁a b (-4.5); ▁ abab (-8.5) loses to ▁ab ab (-7).
    #expect(tokenizer.encode("ab") == [8])
    #expect(tokenizer.encode("abab") == [8, 6])
    #expect(tokenizer.encode("  a   b ") == [7, 3, 5])
    #expect(tokenizer.encode("ab", addSpecial: true) == [8, 1])
  }

  @Test func unknownCharactersBecomeOneToken() throws {
    let tokenizer = try Tokenizer(definition())
    #expect(tokenizer.encode("a中文b") == [7, 2, 5])
  }

  /// A table that turns `A` into `a` and `É` into `é`, made by hand: the root's children lie at their byte's own
  /// place.
  @Test func replacesByTheCharacterMap() throws {
    var units = [UInt32](repeating: 0, count: 0x400)
    units[0x41] = 0x41 | 1 << 8 | 0x80 << 10
    units[0x41 ^ 0x80] = 1 << 31 | 0
    units[0xC3] = 0xC3 | 0x1_00 << 10
    units[0xC3 ^ 0x100 ^ 0x89] = 0x89 | 1 << 8 | 0x02_00 << 10
    units[0xC3 ^ 0x100 ^ 0x89 ^ 0x200] = 1 << 31 | 2
    var definition = definition()
    let size = UInt32(units.count * 4)
    for value in [size] + units {
      for shift in stride(from: 0, to: 32, by: 8) {
        definition.characterMap.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
      }
    }
    definition.characterMap += Array("a\0é\0".utf8)
    let tokenizer = try Tokenizer(definition)
    #expect(tokenizer.encode("Ab") == [8])
    #expect(tokenizer.encode("bÉ") == [3, 5, 10])
  }
}
