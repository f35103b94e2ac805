// The rules that the pre-tokenizers share. Their source is the list of regular expressions in llama.cpp's vocabulary
// loader; where its matcher differs from the expression it was given, the matcher counts.

private typealias Rule = [SplitStep]

private func one(_ set: ScalarSet) -> SplitStep { .run(set, 1...1) }
private func maybe(_ set: ScalarSet) -> SplitStep { .run(set, 0...1) }
private func some(_ set: ScalarSet) -> SplitStep { .run(set, 1...Int.max) }
private func any(_ set: ScalarSet) -> SplitStep { .run(set, 0...Int.max) }
private func literal(_ text: String) -> Rule { text.map { one(ScalarSet([], String($0))) } }

private let space = ScalarSet([], " ")
private let spaces = ScalarSet(.whitespace)
private let breaks = ScalarSet([], "\r\n")
private let letters = ScalarSet(.letter)
private let lettersAndMarks = ScalarSet([.letter, .mark])
private let numbers = ScalarSet(.number)
private let digits = ScalarSet([], "0123456789")
private let asciiLetters = letters.excluding([0x80...0x10_FFFF])
private let asciiPunctuation = ScalarSet([], "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
private let marksOfText = ScalarSet([.whitespace, .letter, .number]).negated
/// Scalars that may stand before a word and belong to it.
private let lead = ScalarSet([.letter, .number], "\r\n").negated
private let han: [ClosedRange<UInt32>] = [
  0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F, 0x2B820...0x2CEAF,
  0x2CEB0...0x2EBEF, 0xF900...0xFAFF, 0x2F800...0x2FA1F,
]
private let hanAndKana = ScalarSet([], "", ranges: [0x4E00...0x9FA5, 0x3040...0x309F, 0x30A0...0x30FF])

private let anyCaseContraction: Rule = [.contraction(ignoresCase: true, isOptional: false)]
private let suffix = SplitStep.contraction(ignoresCase: true, isOptional: true)
private let lines: Rule = [any(spaces), some(breaks)]
private let inwardSpaces: Rule = [some(spaces), .notBefore(spaces)]
private let signs: Rule = [maybe(space), some(marksOfText), any(breaks)]
private let allSpaces: [Rule] = [lines, inwardSpaces, [some(spaces)]]
private let triples: SplitStep = .run(numbers, 1...3)

private func rules(_ rules: [Rule]) -> PreTokenizer.Pass { .rules(SplitRules(rules)) }

/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
private let gpt2 = rules([
  [.contraction(ignoresCase: false, isOptional: false)], [maybe(space), some(letters)],
  [maybe(space), some(numbers)], [maybe(space), some(marksOfText)], inwardSpaces, [some(spaces)],
])
private let newlines = rules([[some(ScalarSet([], "\n").negated)], [some(ScalarSet([], "\n"))]])
private let digitTriples = rules([[.run(digits, 3...3)]])

/// The family of Llama 3 and Qwen 2, which differ in how many digits go together.
private func modern(digits: SplitStep, signs: Rule = signs, contractions: [Rule] = [anyCaseContraction])
  -> PreTokenizer.Pass
{
  rules(contractions + [[maybe(lead), some(letters)], [digits], signs] + allSpaces)
}

/// The family of o200k: words of upper case before lower case, with a contraction at their end.
private func cased(
  upper: ScalarSet, lower: ScalarSet, digits: SplitStep, signs: Rule, hasSuffix: Bool = true
) -> PreTokenizer.Pass {
  let end: Rule = hasSuffix ? [suffix] : []
  return rules(
    [
      [maybe(lead), any(upper), some(lower)] + end, [maybe(lead), some(upper), any(lower)] + end, [digits], signs,
    ] + allSpaces)
}
private let upperLetters = letters.excluding("a"..."z")
private let lowerLetters = letters.excluding("A"..."Z")
private let slashSigns: Rule = [maybe(space), some(marksOfText), any(ScalarSet([], "\r\n/"))]

/// The last pass of DeepSeek V3 and those that follow it.
private func deepseekWords(signEnd: Rule, lines: Rule) -> PreTokenizer.Pass {
  let signs = ScalarSet([.punctuation, .symbol])
  return rules([
    [one(asciiPunctuation), some(asciiLetters)],
    [maybe(ScalarSet([.letter, .punctuation, .symbol], "\r\n").negated), some(lettersAndMarks)],
    [maybe(space), some(signs)] + signEnd, lines, inwardSpaces, [some(spaces)],
  ])
}

extension PreTokenizer {
  /// The rules of a family.
  init(_ family: Family) {
    passes =
      switch family {
      case .standard:
        [rules([[some(ScalarSet(.punctuation, "$+<=>^~|"))]]), gpt2, rules([[some(numbers)]]), digitTriples]
      case .llama3: [modern(digits: triples)]
      case .jais2:
        [
          rules(
            [anyCaseContraction, [maybe(lead), some(letters)], [triples], signs, lines]
              + [512, 256, 128, 64, 32, 16, 8, 4].map { [.run(spaces, $0...$0), .notBefore(spaces)] }
              + [[.run(spaces, 1...2), .notBefore(spaces)], [one(spaces)]])
        ]
      case .deepseekLLM:
        [
          rules([[one(breaks)]]), rules([[maybe(spaces), some(ScalarSet([], "", ranges: deepseekLetters))]]),
          rules([[maybe(spaces), some(ScalarSet([], "", ranges: deepseekSigns))]]), .trailingSpace,
          rules([[some(ScalarSet([], "", ranges: deepseekIdeographs))]]), rules([[some(numbers)]]),
        ]
      case .deepseekCoder:
        [
          rules([[one(breaks)]]), rules([[maybe(spaces), some(letters)]]),
          rules([[maybe(spaces), some(ScalarSet(.punctuation))]]),
          rules([[some(ScalarSet([], "", ranges: deepseekIdeographs))]]), rules([[one(numbers)]]),
        ]
      case .deepseek3:
        [rules([[triples]]), rules([[some(hanAndKana)]]), deepseekWords(signEnd: [any(breaks)], lines: lines)]
      case .spark:
        [
          rules([[triples]]), rules([[some(hanAndKana)]]), deepseekWords(signEnd: [], lines: [one(breaks)]),
          rules([[one(numbers)]]),
        ]
      case .youtu:
        [
          rules(youtuScripts),
          cased(upper: lettersAndMarks, lower: lettersAndMarks, digits: one(numbers), signs: slashSigns),
        ]
      case .falcon: [rules([[some(ScalarSet(.punctuation, "$+<=>^~|`"))]]), gpt2, digitTriples]
      case .starcoder: [rules([[one(numbers)]]), gpt2]
      case .gpt2: [gpt2]
      case .qwen2: [modern(digits: one(numbers))]
      case .qwen35:
        [
          rules(
            [
              anyCaseContraction, [maybe(lead), some(lettersAndMarks)], [one(numbers)],
              [maybe(space), some(ScalarSet([.whitespace, .letter, .mark, .number]).negated), any(breaks)],
            ] + allSpaces)
        ]
      case .bloom: [rules([[maybe(space), some(bloomStops.negated)]])]
      case .viking: [rules([[maybe(space), some(bloomStops.negated)]]), rules([[one(numbers)]])]
      case .tekken:
        [
          cased(
            upper: upperLetters, lower: lowerLetters, digits: one(numbers), signs: slashSigns, hasSuffix: false)
        ]
      case .chameleon: chameleonPasses
      case .gpt4o: [cased(upper: upperLetters, lower: lowerLetters, digits: triples, signs: slashSigns)]
      case .graniteEmbedding:
        [
          cased(
            upper: lettersAndMarks.excluding("a"..."z"), lower: lettersAndMarks.excluding("A"..."Z"),
            digits: triples,
            signs: slashSigns)
        ]
      case .tinyAya:
        [
          .digitGroups,
          cased(upper: lettersAndMarks, lower: lettersAndMarks, digits: triples, signs: signsWithSlash),
        ]
      case .kimiK2:
        [
          rules(
            [
              [some(ScalarSet([], "", ranges: han))], [maybe(lead), some(letters.excluding(han)), suffix],
              [triples], signs,
            ] + allSpaces)
        ]
      case .superBPE: [rules([[some(numbers)]]), .digitGroupsAhead]
      case .seedCoder:
        [
          modern(
            digits: one(numbers),
            signs: [maybe(space), some(ScalarSet([.whitespace, .letter, .number], "\r\n").negated)])
        ]
      case .ufakzeka: [modern(digits: one(numbers), contractions: [])]
      case .afmoe:
        [
          .digitGroups, rules([[some(ScalarSet([], "", ranges: asianScripts))]]),
          deepseekWords(signEnd: [any(breaks)], lines: lines),
        ]
      case .laguna: [newlines, modern(digits: one(numbers))]
      case .exaoneMoE:
        [
          rules([
            anyCaseContraction, [maybe(lead), .spacedWords], [one(numbers)],
            [maybe(space), some(marksOfText), maybe(ScalarSet([], "\r\n/"))], lines, inwardSpaces, [some(spaces)],
          ])
        ]
      case .newlines: [newlines]
      case .minicpm5: [rules([[triples]]), modern(digits: some(numbers))]
      case .whitespace: [rules([[some(spaces.negated)]])]
      }
  }
}

private let signsWithSlash: Rule = slashSigns
private let bloomStops = ScalarSet(.whitespace, "(|.,!?…。，、।۔،)")
private let deepseekSigns: [ClosedRange<UInt32>] = [
  0x21...0x2F, 0x3A...0x7E, 0xFF01...0xFF0F, 0xFF1A...0xFF5E, 0x2018...0x201F, 0x3000...0x3002,
]
private let deepseekIdeographs: [ClosedRange<UInt32>] = [0x4E00...0x9FA5, 0x0800...0x4E00, 0xAC00...0xD7FF]
private let youtuScripts: [Rule] = [
  [some(ScalarSet([], "", ranges: [0xAC00...0xD7A3, 0x3131...0x318E]))],
  [some(ScalarSet([], "！…“”‘’—：；，", ranges: [0x3001...0x303F, 0xFE30...0xFE4F]))],
  [some(ScalarSet([], "", ranges: [0x3105...0x312F]))], [some(hanAndKana)],
]
private let asianScripts: [ClosedRange<UInt32>] = [
  0x4E00...0x9FFF, 0x3400...0x4DBF, 0xF900...0xFAFF, 0x3040...0x309F, 0x30A0...0x30FF, 0xFF65...0xFF9F,
  0x2F00...0x2FDF, 0x0E00...0x0E7F, 0x0E80...0x0EFF, 0x1780...0x17FF, 0x1000...0x109F, 0xAA60...0xAA7F,
  0xA9E0...0xA9FF, 0xAC00...0xD7AF, 0x1100...0x11FF,
]
private let chameleonPasses: [PreTokenizer.Pass] = [
  rules([literal("<sentinel:") + [some(digits)] + literal(">")]),
  rules([literal("IMGIMG") + [.run(ScalarSet([], "ABCDEFGHI"), 1...4)] + literal("Z")]),
  rules([[one(ScalarSet([], "\t\n"))], [.run(space, 4...4)], [.run(space, 2...2)]]),
  rules([[one(numbers)]]),
  rules([[one(ScalarSet(.punctuation, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))]]),
  gpt2,
]
