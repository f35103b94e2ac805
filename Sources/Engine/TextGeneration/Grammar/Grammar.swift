/// What an answer must look like: a context-free grammar, from GBNF or from a JSON Schema.
///
/// Making one checks it: left recursion, rules that are missing and grammars beyond the limits are errors, never a hang.
package struct Grammar: Sendable, Equatable {
  struct Rule: Sendable, Hashable {
    var name: String
    var expression: GrammarExpression
  }

  let rules: [Rule]
  let root: Int
  let graph: GrammarGraph

  init(rules: [Rule], root: Int) throws(GrammarError) {
    self.rules = rules
    self.root = root
    graph = try GrammarGraph(rules, root: root)
  }

  /// Reads a grammar in llama.cpp's GBNF (`grammars/README.md` there).
  /// - Parameter root: the rule that the whole answer must match.
  package init(gbnf text: String, root: String = "root") throws(GrammarError) {
    var parser = GrammarParser(text)
    let rules = try parser.parse()
    guard let index = rules.firstIndex(where: { $0.name == root }) else { throw .undefinedRule(root) }
    try self.init(rules: rules, root: index)
  }

  /// Makes a grammar of the JSON texts that a JSON Schema admits.
  ///
  /// Where a schema leaves it open, objects have no other properties than those named, and properties come in the schema's order.
  package init(jsonSchema text: String) throws(SchemaError) {
    var compiler = try SchemaCompiler(text)
    self = try compiler.grammar()
  }

  /// A grammar of exactly these texts, of which the answer is one.
  package init(choices: [String]) throws(GrammarError) {
    try self.init(rules: [Rule(name: "root", expression: .oneOf(choices.map { .text($0) }))], root: 0)
  }

  /// Two grammars are equal if their rules are.
  package static func == (one: Grammar, other: Grammar) -> Bool {
    one.root == other.root && one.rules == other.rules
  }
}
