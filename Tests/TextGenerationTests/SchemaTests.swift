import Foundation
import Grammars
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// Schemas made at random of what is supported.
struct SchemaMaker {
  var random: SeededGenerator

  mutating func schema(_ depth: Int = 0) -> String {
    let leaf = depth > 2
    switch Int.random(in: 0..<(leaf ? 6 : 10), using: &random) {
    case 0: return ["{\"type\":\"boolean\"}", "{\"type\":\"null\"}", "{}"].randomElement(using: &random) ?? "{}"
    case 1:
      let low = Int.random(in: -1200...1200, using: &random)
      return
        "{\"type\":\"integer\",\"minimum\":\(low),\"maximum\":\(low + Int.random(in: 0...3000, using: &random))}"
    case 2:
      let low = Double(Int.random(in: -999...999, using: &random)) / 100
      return
        "{\"type\":\"number\",\"minimum\":\(low),\"maximum\":\(low + Double(Int.random(in: 0...500, using: &random)))}"
    case 3:
      let least = Int.random(in: 0...4, using: &random)
      return
        "{\"type\":\"string\",\"minLength\":\(least),\"maxLength\":\(least + Int.random(in: 0...6, using: &random))}"
    case 4: return "{\"enum\":[\"a\",\"bc\",\(Int.random(in: 0...99, using: &random)),null]}"
    case 5:
      let pattern =
        ["^[a-f]{1,4}$", "^x", "[0-9]$", "^(ab|cd)*e$", "^\\\\d+\\\\.\\\\d$"].randomElement(using: &random) ?? "x"
      return "{\"type\":\"string\",\"pattern\":\"\(pattern)\"}"
    case 6:
      let least = Int.random(in: 0...2, using: &random)
      return "{\"type\":\"array\",\"items\":\(schema(depth + 1)),\"minItems\":\(least),\"maxItems\":\(least + 2)}"
    case 7: return "{\"anyOf\":[\(schema(depth + 1)),\(schema(depth + 1))]}"
    case 8: return "{\"prefixItems\":[\(schema(depth + 1)),\(schema(depth + 1))],\"items\":\(schema(depth + 1))}"
    default:
      let names = ["id", "name", "nam", "é", "x y"].shuffled(using: &random).prefix(
        Int.random(in: 1...4, using: &random))
      let properties = names.map { "\"\($0)\":\(schema(depth + 1))" }.joined(separator: ",")
      let required = names.filter { _ in Bool.random(using: &random) }.map { "\"\($0)\"" }.joined(separator: ",")
      let more =
        ["", ",\"additionalProperties\":false", ",\"additionalProperties\":\(schema(3))"].randomElement(
          using: &random) ?? ""
      return "{\"type\":\"object\",\"properties\":{\(properties)},\"required\":[\(required)]\(more)}"
    }
  }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct SchemaTests {
  static let schemas: [String] = {
    var maker = SchemaMaker(random: SeededGenerator(seed: 2))
    return SampleSchemas.written + SampleSchemas.conditions + (0..<120).map { _ in maker.schema() }
  }()

  /// Each allowed token is as likely as any other: texts that no model would write.
  @Test(arguments: schemas.indices)
  func drawnTextsAreValid(index: Int) throws {
    let schema = Self.schemas[index]
    let grammar = try Grammar(jsonSchema: schema)
    let validator = try SchemaValidator(schema)
    var found = 0
    for seed in 0..<8 {
      guard let text = try GrammarTests.walk(grammar, limit: 150, seed: UInt64(seed)) else { continue }
      found += 1
      #expect(validator.isValid(text), "\(text) by \(schema)")
    }
    #expect(found > 0, "\(schema)")
  }

  @Test func theModelKeepsToTheSchema() async throws {
    #expect(Self.schemas.count >= 200)
    let generator = try await TalkingModel("llama-dense", spelling: true).generator()
    var whole = 0
    for (index, schema) in Self.schemas.enumerated() {
      let request = GenerationRequest(
        tokens: [5, 6, 7], sampling: .temperature(1 + Float(index % 3) / 2, seed: UInt64(index)), tokenLimit: 180,
        grammar: try Grammar(jsonSchema: schema))
      let answer = try await Answer(generator, request)
      let metrics = try #require(answer.metrics)
      #expect(metrics.generatedTokenCount <= 180)
      guard metrics.matchesGrammar == true else {
        // The small vocabulary may lack a character; then the answer says that it is no whole one.
        #expect(metrics.ending == .noToken, "\(schema): \(answer.text)")
        continue
      }
      whole += 1
      #expect(try SchemaValidator(schema).isValid(answer.text), "\(answer.text) by \(schema)")
    }
    #expect(whole >= Self.schemas.count - 8, "\(whole) of \(Self.schemas.count)")
  }
}
