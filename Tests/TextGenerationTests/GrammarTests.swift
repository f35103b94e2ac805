import Compute
import Foundation
import Grammars
import ModelFormats
import TestSupport
import Testing
import TextGeneration
import Tokenization

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct GrammarTests {
  static let tokenizer: Tokenizer? = try? TalkingModel("llama-dense", spelling: true).tokenizer()

  /// Indicates whether a whole text matches a regular expression.
  static func matches(_ text: String, _ pattern: String) throws -> Bool {
    let expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// A text drawn evenly from the tokens a grammar allows, or nil where the vocabulary cannot go on.
  static func walk(
    _ grammar: Grammar, limit: Int, seed: UInt64, visit: (TokenGrammar) throws -> Void = { _ in }
  ) throws -> String? {
    let tokenizer = try #require(tokenizer)
    let bound = try TokenGrammar(grammar, trie: VocabularyTrie(tokenizer), tokenizer: tokenizer)
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for said in 0..<limit {
      if bound.isComplete { break }
      try visit(bound)
      var mask = try bound.mask()
      if bound.leastLength + 8 > limit - said { mask = try bound.mask(endingWithin: limit - said - 1) }
      let tokens = (0..<TokenID(tokenizer.count)).filter { mask.contains($0) }
      guard let token = tokens.randomElement(using: &random) else { return nil }
      if tokenizer.endsGeneration(token) {
        #expect(bound.isAccepting)
        break
      }
      #expect(try bound.accept(token))
      bytes += tokenizer.piece(of: token)
    }
    guard bound.isAccepting else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  @Test(arguments: SampleGrammars.regular.indices)
  func textsMatch(index: Int) throws {
    let (text, pattern) = SampleGrammars.regular[index]
    let grammar = try Grammar(gbnf: text)
    var found = 0
    for seed in 0..<20 {
      guard let said = try Self.walk(grammar, limit: 60, seed: UInt64(seed)) else { continue }
      found += 1
      #expect(try Self.matches(said, pattern), "\(said.debugDescription) for \(text)")
    }
    #expect(found > 0, "\(text)")
  }

  /// Masks remembered by places and states must be those that trying every token by itself gives.
  @Test(arguments: SampleGrammars.regular.indices)
  func masksAreThoseOfEachTokenByItself(index: Int) throws {
    let tokenizer = try #require(Self.tokenizer)
    for seed in 0..<3 {
      _ = try Self.walk(Grammar(gbnf: SampleGrammars.regular[index].grammar), limit: 12, seed: UInt64(100 + seed))
      { bound in
        let mask = try bound.mask()
        for token in 0..<TokenID(tokenizer.count) {
          #expect(try bound.allows(token) == mask.contains(token), "token \(token)")
        }
      }
    }
  }

  /// Small vocabularies, limits of a few tokens, grammars with stacks: no token drawn leads nowhere, and the answer
  /// ends in time wherever it can.
  @Test func whatIsDrawnLeadsOnAndEndsInTime() throws {
    var random = SeededGenerator(seed: 21)
    let pieces = [
      "a", "b", "{", "}", "\"", ":", ",", "1", "2", "-", "[", "]", "\"}", "\":", "ab", "12", "{\"", "n", "true",
      "null", "é",
    ]
    let grammars =
      try SampleSchemas.conditions.filter { $0.utf8.count < 160 }.map { try Grammar(jsonSchema: $0) }
      + [Grammar(gbnf: Self.json), Grammar(gbnf: "root ::= \"a\" root \"b\" | \"\"")]
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_FUZZ"] ?? "") ?? 150
    for round in 0..<rounds {
      var kept = pieces.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      kept = kept.shuffled(using: &random)
      let tokenizer = try VocabularyOfPieces(kept).tokenizer()
      let grammar = try #require(grammars.randomElement(using: &random))
      let bound = try TokenGrammar(grammar, trie: VocabularyTrie(tokenizer), tokenizer: tokenizer)
      let limit = Int.random(in: 1...12, using: &random)
      for said in 0..<limit where !bound.isComplete {
        let mask = try bound.mask()
        let strict = try bound.mask(endingWithin: limit - said - 1)
        for token in 0..<TokenID(tokenizer.count) {
          #expect(try bound.allows(token) == mask.contains(token), "round \(round), token \(token)")
          guard mask.contains(token) else {
            #expect(!strict.contains(token) || tokenizer.endsGeneration(token))
            continue
          }
          #expect(try bound.endsInTime(after: token, left: limit - said) == strict.contains(token))
        }
        let open = (0..<TokenID(tokenizer.count)).filter { mask.contains($0) && !tokenizer.endsGeneration($0) }
        guard let token = open.randomElement(using: &random) else { break }
        #expect(try bound.accept(token))
      }
    }
  }

  static let json = #"""
    root ::= object
    value ::= object | array | string | number | ("true" | "false" | "null") ws
    object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}" ws
    array ::= "[" ws (value ("," ws value)*)? "]" ws
    string ::= "\"" ([^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-c] [0-9a-fA-F]{3}))* "\"" ws
    number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [1-9])? ws
    ws ::= | " " | "\n" [ \t]{0,20}
    """#

  @Test func nestedTextsAreWhole() throws {
    let arithmetic = """
      root ::= expr
      expr ::= term ([-+*/] term)*
      term ::= [0-9]+ | "(" expr ")"
      """
    let palindrome = "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"c\""
    // Exponentially many readings: the number of stacks must not be theirs.
    let ambiguous = "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"a\" root root | \"\""
    for seed in 0..<40 {
      if let text = try Self.walk(Grammar(gbnf: Self.json), limit: 80, seed: UInt64(seed)) {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
      }
      let sum = try #require(try Self.walk(Grammar(gbnf: arithmetic), limit: 40, seed: UInt64(seed)))
      var depth = 0
      for character in sum {
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        #expect(depth >= 0)
      }
      #expect(depth == 0 && !sum.contains("()") && !sum.isEmpty)
      let mirrored = try #require(try Self.walk(Grammar(gbnf: palindrome), limit: 41, seed: UInt64(seed)))
      #expect(mirrored == String(mirrored.reversed()))
      _ = try Self.walk(Grammar(gbnf: ambiguous), limit: 60, seed: UInt64(seed)) { bound in
        let mask = try bound.mask()
        #expect(try bound.allows(70) == mask.contains(70))
      }
    }
  }

  @Test func hostileGrammarsEnd() throws {
    let left = (0..<20_000).map { "r\($0) ::= r\($0 + 1) \"a\"" }.joined(separator: "\n") + "\nr20000 ::= \"z\""
    _ = try? Self.walk(Grammar(gbnf: left, root: "r0"), limit: 4, seed: 1)
    // A determined automaton of this would have 2 to the power of 300 states.
    _ = try Self.walk(Grammar(gbnf: "root ::= [ab]* \"a\" [ab]{300}"), limit: 50, seed: 2)
    _ = try Self.walk(Grammar(gbnf: "root ::= (\"a\"? \"a\"? \"a\"?){200}"), limit: 50, seed: 3)
    let names = (0..<30).map { "\"a\" root r\($0)" }.joined(separator: " | ")
    let rules = (0..<30).map { "r\($0) ::= \"b\" | \"c\"" }.joined(separator: "\n")
    _ = try Self.walk(Grammar(gbnf: "root ::= \(names) | \"\"\n\(rules)"), limit: 40, seed: 4)
  }

  /// Any text at all is a grammar or an error.
  @Test func randomTextIsAGrammarOrAnError() throws {
    var random = SeededGenerator(seed: 11)
    let parts = [
      "root", "a", "::=", "|", "(", ")", "[", "]", "\"x\"", "*", "+", "?", "{2}", "{0,3}", "\n", " ", "^", "-",
      ".", "\\n", "é",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 1...20, using: &random)
      let text = "root ::= " + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      guard let grammar = try? Grammar(gbnf: text) else { continue }
      _ = try Self.walk(grammar, limit: 10, seed: 5)
    }
  }

  @Test func theModelKeepsToTheGrammar() async throws {
    let model = try TalkingModel("llama-dense", spelling: true)
    let generator = try await model.generator()
    #expect(SampleGrammars.regular.count >= 50)
    for (index, sample) in SampleGrammars.regular.enumerated() {
      let request = GenerationRequest(
        tokens: [5, 6, 7], sampling: .temperature(1.2, seed: UInt64(index)), tokenLimit: 60,
        grammar: try Grammar(gbnf: sample.grammar))
      let answer = try await Answer(generator, request)
      let metrics = try #require(answer.metrics)
      #expect(metrics.generatedTokenCount <= 60)
      if metrics.matchesGrammar == true {
        // Control tokens stand for no text.
        if !sample.grammar.contains("<[") {
          #expect(
            try Self.matches(answer.text, sample.pattern), "\(answer.text.debugDescription) for \(sample.grammar)")
        }
      } else {
        #expect(metrics.ending == .noToken, "\(sample.grammar): \(answer.text.debugDescription)")
      }
    }
  }
}
