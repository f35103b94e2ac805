import JSON

/// Rules of a schema for strings, besides their length.
struct SchemaStrings {
  /// Regular expressions that all have to match, known formats among them.
  private(set) var patterns: [String] = []
  /// Regular expressions of which none may match.
  private(set) var refused: [String] = []
  /// Strings that are not admitted.
  private(set) var excepted: [String] = []

  /// Reads a schema without combinations.
  init(_ schema: JSON, at pointer: String) throws(SchemaError) {
    for value in SchemaMerging.conjunction(schema["pattern"]) {
      guard let text = value.text else { throw .badValue(keyword: "pattern", at: pointer, expected: "a string") }
      patterns.append(text)
    }
    for value in SchemaMerging.conjunction(schema["format"]) {
      guard let format = value.text else { throw .badValue(keyword: "format", at: pointer, expected: "a string") }
      // Names that are not known say nothing about what is valid.
      if let known = StringFormats.pattern(of: format) { patterns.append(known) }
    }
    refused = SchemaMerging.conjunction(schema[SchemaMerging.refusedPattern]).compactMap(\.text)
    excepted = SchemaMerging.conjunction(schema[SchemaMerging.exceptedTexts]).flatMap {
      ($0.items ?? []).compactMap(\.text)
    }
  }

  /// Returns the one pattern, or nil where there are other constraints.
  func onlyPattern(at pointer: String) -> String? {
    patterns.count == 1 && refused.isEmpty && excepted.isEmpty ? patterns[0] : nil
  }

  /// Returns one automaton of all constraints; nil where there are none besides the length.
  func automaton(least: Int, most: Int?, at pointer: String) throws(SchemaError) -> StringAutomaton? {
    if patterns.isEmpty, refused.isEmpty, excepted.isEmpty { return nil }
    func parsed(_ pattern: String) throws(SchemaError) -> GrammarExpression {
      var parser = PatternParser(pattern, at: pointer) { .characters($0) }
      return try parser.parse()
    }
    let (wanted, unwanted) = (try patterns.map(parsed), try refused.map(parsed))
    do throws(StringAutomaton.TooLarge) {
      var result = StringAutomaton.all
      for expression in wanted { result = try result.intersection(StringAutomaton(expression)) }
      for expression in unwanted { result = try result.intersection(StringAutomaton(expression).complement()) }
      if !excepted.isEmpty { result = try result.intersection(StringAutomaton(texts: excepted).complement()) }
      if least > 0 || most != nil { result = try result.intersection(StringAutomaton(least: least, most: most)) }
      return result
    } catch {
      let keyword = least > 0 || most != nil ? (most == nil ? "minLength" : "maxLength") : "pattern"
      throw .unsupported(keyword: keyword, at: pointer)
    }
  }
}
