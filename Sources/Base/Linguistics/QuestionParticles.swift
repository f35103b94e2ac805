/// Question particles of Chinese, Japanese and Korean ("什么时候", "ですか"): without spaces around them, they
/// would otherwise form n-grams with the words asked about.
package enum QuestionParticles {
  /// Replaces the particles of a text by as many bytes of spaces, so that offsets do not change.
  ///
  /// A text that is not a question stays as it is: in it the same characters may be parts of other words.
  package static func blanked(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0xe3 }) else { return text }
    var bytes = Array(text.utf8)
    guard QuestionParticlesTable.asking.contains(where: { bytes.firstRange(of: $0) != nil }) else { return text }
    let hasKana = text.unicodeScalars.contains { (0x3041...0x30ff).contains($0.value) }
    for particle in QuestionParticlesTable.asking
      + (hasKana ? QuestionParticlesTable.kana : QuestionParticlesTable.han)
    {
      while let place = bytes.firstRange(of: particle) {
        bytes.replaceSubrange(place, with: repeatElement(UInt8(ascii: " "), count: particle.count))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Particles as bytes; the longest first.
enum QuestionParticlesTable {
  /// Particles that make a text a question.
  static let asking = list(
    """
    在什么地方 在哪里 在哪裡 在哪儿 什么时候 甚麼時候 什么地方 什么样的 为什么 為什麼 是什么 有什么 什么 什麼 怎么样 怎么 怎麼 怎样 多少钱 是多少 多少 多久 多大 多长 几个 几天 几月 可不可以 能不能 能否 \
    哪里 哪裡 哪儿 哪些 哪个 哪一 是谁 谁 誰 何时 何時 是否 吗 嗎 呢 請問 请问 ？ ? \
    何ですか どこですか いつですか 誰ですか いくらですか でしょうか ですか していますか しましたか しますか ますか ましたか ませんか いつまで いつから いつ どこ どれ どの どんな \
    どのくらい どれくらい どのぐらい どれぐらい どうして どうやって どう なぜ なに 何か月 何ヶ月 何日 何月 何年 何時 何人 何 いくら いくつ だれ 教えてください \
    무엇입니까 무엇 언제 어디에 어디 누구 왜 어떻게 얼마나 얼마 있습니까 습니까 입니까 됩니까 합니까 인가요 나요
    """)

  /// Particles that only join the words of a question, in Japanese and in Chinese.
  static let kana = list("は が を に の で と も へ から まで より です ます する")
  static let han = list("的 可以")

  private static func list(_ text: String) -> [[UInt8]] {
    text.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }.sorted { $0.count > $1.count }
  }
}
