/// A context-free grammar that an answer must keep to, from GBNF or from a JSON Schema.
///
/// Creating one checks it: left recursion, missing rules and grammars beyond the limits are errors, never a hang.
package struct Grammar: Sendable, Equatable {
  struct Rule: Sendable, Hashable {
    var name: String
    var expression: GrammarExpression
  }

  let rules: [Rule]
  let root: Int
  /// The rules as one graph.
  package let graph: GrammarGraph

  init(rules: [Rule], root: Int) throws(GrammarError) {
    self.rules = rules
    self.root = root
    graph = try GrammarGraph(rules, root: root)
  }

  /// Makes a grammar of exactly these texts, of which the answer is one.
  package init(choices: [String]) throws(GrammarError) {
    try self.init(rules: [Rule(name: "root", expression: .oneOf(choices.map { .text($0) }))], root: 0)
  }

  /// Two grammars are equal if their rules are.
  package static func == (one: Grammar, other: Grammar) -> Bool {
    one.root == other.root && one.rules == other.rules
  }
}
