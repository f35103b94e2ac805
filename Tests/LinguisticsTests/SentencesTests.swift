import Linguistics
import Testing

@Suite struct SentencesTests {
  @Test(arguments: [
    ["Dr. Smith met J. R. Tolkien.", "They spoke."],
    ["It cost 3.50 dollars.", "That was fine!", "Was it?"],
    ["See Fig. 3 and e.g. this one.", "No more."],
    ["He works at Acme Inc. in Ohio.", "\"Stop!\" he said.", "Then he left."],
    ["1. First item.", "2. Second item."],
    ["Wait... what did he say?", "Nothing."],
    ["自然言語。", "テスト！", "終わり"],
    ["هل هذا سؤال؟", "نعم."],
    ["It was so.[3]", "Later it changed."],
    ["The U.S. Army came.", "It was made in the U.S.", "The end."],
    ["4. DEPOSIT. The Tenant has paid it.", "7.2 Limitation of Liability. Nobody is liable.", "He is."],
    ["Sie wohnt im 2. Stock links.", "Er kam am 3. Mai."],
    ["1945 Berlin.", "The city lay in ruins."],
    ["1. Call Anna.", "2. Wait.", "3. Tom Brown was late.", "He came at last."],
    ["Version 2.1.3 is out at example.com today.", "Get it."],
  ])
  func splits(sentences: [String]) {
    let separator = sentences[0].utf8.first.map { $0 > 0xe2 } == true ? "" : " "
    #expect(Sentences.texts(of: sentences.joined(separator: separator)) == sentences)
  }

  @Test func lineFeedsEndSentences() {
    #expect(
      Sentences.texts(of: "a heading\n\nsome text without end\n- item") == [
        "a heading", "some text without end", "- item",
      ])
    #expect(Sentences.texts(of: "One.\n2. TERM. It ends.") == ["One.", "2. TERM. It ends."])
  }

  @Test func textWithoutCapitalsIsSplitAtItsPoints() {
    #expect(
      Sentences.texts(of: "lift is a force . it acts upward .") == ["lift is a force .", "it acts upward ."])
  }

  @Test func rangesCoverAllWordsInOrder() {
    var random = SystemRandomNumberGenerator()
    let pieces = ["a", "B", ".", "!", " ", "\n", "Mr", "3", "\"", ")", "。", "é", "…", "[1]", "؟"]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      let bytes = Array(text.utf8)
      var kept: [UInt8] = []
      var last = 0
      for range in Sentences.split(text) {
        #expect(range.lowerBound >= last && range.upperBound <= bytes.count)
        last = range.upperBound
        kept += bytes[range]
      }
      let space: Set<UInt8> = [0x20, 0x0a]
      #expect(kept.filter { !space.contains($0) } == bytes.filter { !space.contains($0) })
    }
  }
}
