import ModelFormats
import Testing

@Suite struct HyperparametersTests {
  private static let plain: [(String, UInt32)] = [
    ("block_count", 3), ("context_length", 2048), ("embedding_length", 64), ("attention.head_count", 4),
  ]

  /// A reader of a header with integers under the keys of an architecture.
  private func reader(
    _ more: [(String, UInt32)] = [], without key: String = "", lists: [(String, [UInt32])] = []
  ) throws -> MetadataReader {
    let numbers = (Self.plain + more).filter { $0.0 != key }
    var file = GGUFBytes(keys: UInt64(1 + numbers.count + lists.count))
    file.add(key: "general.architecture", type: 8)
    file.add(text: "novel")
    for (key, value) in numbers {
      file.add(key: "novel.\(key)", type: 4)
      file.add(value)
    }
    for (key, values) in lists {
      file.add(key: "novel.\(key)", type: 9)
      file.add(UInt32(4))
      file.add(UInt64(values.count))
      for value in values { file.add(value) }
    }
    return try MetadataReader(try file.parsed())
  }

  @Test func absentSizesFollowFromOthers() throws {
    let sizes = try Hyperparameters(reader(), .strict)
    #expect(sizes.layerCount == 3 && sizes.contextLength == 2048 && sizes.embeddingLength == 64)
    #expect(sizes.headCounts == [4, 4, 4] && sizes.keyValueHeadCounts == [4, 4, 4])
    #expect(sizes.keyLength == 16 && sizes.valueLength == 16)
    #expect(sizes.feedForwardLengths == [0, 0, 0] && sizes.experts == nil)
  }

  @Test func blocksThatPredictFurtherTokensAreNotRun() throws {
    let more: [(String, UInt32)] = [("nextn_predict_layers", 1)]
    // Lists may end before those blocks.
    for values in [[8, 9], [8, 9, 7]] as [[UInt32]] {
      let sizes = try Hyperparameters(reader(more, lists: [("feed_forward_length", values)]), .strict)
      #expect(sizes.layerCount == 2 && sizes.blockCount == 3)
      #expect(sizes.feedForwardLengths == values.map(Int.init))
    }
    let short = try reader(more, lists: [("feed_forward_length", [8])])
    #expect(
      error { () throws(GGUFError) in _ = try Hyperparameters(short, .lenient) }
        == .badValue(key: "novel.feed_forward_length", value: "1 elements for 2 layers"))
  }

  @Test(arguments: ["block_count", "context_length", "embedding_length", "attention.head_count"])
  func neitherEstimatesNorRunsWithout(key: String) throws {
    let reader = try reader(without: key)
    for strictness in [Hyperparameters.Strictness.strict, .lenient] {
      #expect(
        error { () throws(GGUFError) in _ = try Hyperparameters(reader, strictness) }
          == .missingKey("novel.\(key)"))
    }
  }

  @Test(
    arguments: [
      (
        [("attention.head_count_kv", 3)],
        GGUFError.badValue(key: "novel.attention.head_count_kv", value: "3 for 4 heads")
      ),
      ([("nextn_predict_layers", 3)], .badValue(key: "novel.nextn_predict_layers", value: "3")),
      ([("expert_count", 8)], .missingKey("novel.expert_used_count")),
    ] as [([(String, UInt32)], GGUFError)])
  func whatCannotRunCanStillBeEstimated(more: [(String, UInt32)], refusal: GGUFError) throws {
    let reader = try reader(more)
    #expect(error { () throws(GGUFError) in _ = try Hyperparameters(reader, .strict) } == refusal)
    #expect(throws: Never.self) { try Hyperparameters(reader, .lenient) }
  }

  @Test func recurrentSizesAreZeroOnlyWhereReadLeniently() throws {
    let reader = try reader()
    let sizes = try RecurrentSizes(reader, .lenient)
    #expect(sizes.convolutionLength == 0 && sizes.innerLength == 0)
    #expect(try reader.shortConvolutionLength(.lenient) == 0)
    #expect(
      error { () throws(GGUFError) in _ = try RecurrentSizes(reader, .strict) }
        == .missingKey("novel.ssm.conv_kernel"))
  }
}
