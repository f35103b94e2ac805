/// Lines around quoted material in a prompt.
///
/// They hold a word that occurs nowhere in the material, so that no text of a document can close the fence.
struct PassageFence: Sendable {
  private let word: String

  /// Creates a fence that none of the texts holds; the same texts always have the same.
  init(around texts: some Sequence<String>) {
    let texts = Array(texts)
    // FNV-1a over all the fenced texts.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts { for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    var word = ""
    repeat {
      hash = (hash ^ 0x2d) &* 0x100_0000_01b3
      let digits = String(hash & 0xFF_FFFF, radix: 16)
      word = String(repeating: "0", count: 6 - digits.count) + digits
    } while texts.contains { $0.contains(word) }
    self.word = word
  }

  func passage(_ number: Int, _ passage: PromptPassage) -> String {
    "=== passage [\(number)] \(word): \(passage.place) ===\n\(passage.text)\n=== end of passage [\(number)] \(word) ==="
  }

  func data(_ text: String) -> String { "=== data \(word) ===\n\(text)\n=== end of data \(word) ===" }
}
