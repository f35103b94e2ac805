extension Grammar {
  /// Reads a grammar in llama.cpp's GBNF (`grammars/README.md` there).
  /// - Parameter root: the rule that the whole answer must match.
  package init(gbnf text: String, root: String = "root") throws(GrammarError) {
    var parser = GrammarParser(text)
    let rules = try parser.parse()
    guard let index = rules.firstIndex(where: { $0.name == root }) else { throw .undefinedRule(root) }
    try self.init(rules: rules, root: index)
  }
}
