import Foundation
import Grammars
import ModelFormats
import TextGeneration
import Tokenization

/// Time to find the allowed tokens, for each token of an answer, over JSON Schemas of several kinds.
let grammar = Command(
  name: "grammar", parameters: "MODEL [--schema FILE] [--tokens 200] [--answers 5] [--json]"
) { options in
  guard let path = options.plain.first else {
    throw UsageError(message: "needs a model file (the vocabulary alone is enough)")
  }
  let tokenizer = try Tokenizer(GGUFFile(path: path).header)
  let clock = ContinuousClock()
  let started = clock.now
  let trie = VocabularyTrie(tokenizer)
  let trieTime = clock.now - started
  var schemas = benchmarkSchemas
  if let file = options.text("schema") { schemas = [(file, try String(contentsOfFile: file, encoding: .utf8))] }
  let tokens = try options.count("tokens", default: 200)
  for (name, schema) in schemas {
    let started = clock.now
    let bound = try TokenGrammar(Grammar(jsonSchema: schema), trie: trie, tokenizer: tokenizer)
    let compileTime = clock.now - started
    var (first, later) = ([Double](), [Double]())
    for answer in 0..<(try options.count("answers", default: 5)) {
      try bound.restart()
      var random = SystemRandomNumberGenerator()
      for said in 0..<tokens where !bound.isComplete {
        let before = clock.now
        var mask = try bound.mask()
        let took = (clock.now - before) / .microseconds(1)
        if answer == 0 { first.append(took) } else { later.append(took) }
        if bound.leastLength + 40 > tokens - said { mask = try bound.mask(endingWithin: tokens - said - 1) }
        let allowed = (0..<TokenID(tokenizer.count)).filter { mask.contains($0) && !tokenizer.endsGeneration($0) }
        guard let token = allowed.randomElement(using: &random), try bound.accept(token) else { break }
      }
    }
    func part(_ list: [Double], _ share: Double) -> Double {
      list.isEmpty ? 0 : list.sorted()[min(list.count - 1, Int(Double(list.count) * share))]
    }
    try report(
      [
        "schema": name, "vocabulary": tokenizer.count, "trie_ms": trieTime / .milliseconds(1),
        "compile_ms": compileTime / .milliseconds(1),
        "first_mean_us": first.reduce(0, +) / Double(max(1, first.count)),
        "mean_us": later.reduce(0, +) / Double(max(1, later.count)), "p50_us": part(later, 0.5),
        "p99_us": part(later, 0.99),
        "tokens": first.count + later.count,
      ], json: options.isJSON)
  }
}

private let benchmarkSchemas: [(String, String)] = [
  (
    "person",
    #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["name","age","tags"]}"#
  ),
  (
    "bounded",
    #"{"type":"object","properties":{"name":{"type":"string","maxLength":40},"when":{"type":"string","format":"date-time"},"price":{"type":"number","minimum":0,"maximum":1000}},"required":["name","when","price"]}"#
  ),
  ("any", "{}"),
  (
    "tree",
    ##"{"$defs":{"n":{"type":"object","properties":{"text":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}},"required":["text","kids"]}},"$ref":"#/$defs/n"}"##
  ),
]
