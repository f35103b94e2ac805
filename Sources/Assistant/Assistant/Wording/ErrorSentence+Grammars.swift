import Grammars

extension ErrorSentence {
  /// Says what is wrong with a grammar.
  static func describe(_ error: GrammarError) -> String {
    switch error {
    case .syntax(let line, let column, let expected):
      "the grammar cannot be read at line \(line), column \(column): \(expected) should stand there"
    case .undefinedRule(let name): "the grammar has no rule '\(name)'"
    case .duplicateRule(let name): "the grammar defines the rule '\(name)' twice"
    case .leftRecursion(let rule): "the grammar's rule '\(rule)' can begin with itself"
    case .matchesNothing: "no text fits the grammar"
    case .tooDeep(let limit): "the grammar is nested deeper than \(limit)"
    case .tooLarge(let limit): "the grammar has more than \(limit) states"
    case .tooAmbiguous: "the grammar can be read in too many ways at once"
    case .unknownToken(let text): "the model has no token \(text), which the grammar names"
    }
  }

  /// Says what to write in place of a keyword that cannot be enforced.
  private static func wayOut(of keyword: String) -> String {
    switch keyword {
    case "uniqueItems": "list what the items can be (enum, or a range of whole numbers), or leave it out"
    case "contains": "take uniqueItems or maxContains away from it"
    case "oneOf", "anyOf": "tell the branches apart by a const or by required members, or name fewer"
    case "multipleOf": "take a step of at most 1000, or narrow the range"
    case "pattern", "minLength", "maxLength": "write a shorter pattern or smaller bounds"
    case "patternProperties", "propertyNames", "additionalProperties": "name the members in properties"
    case "enum": "give only values that fit the rest"
    default: "say it by properties, enum, const or required, or leave it out"
    }
  }

  /// Says what is wrong with a schema.
  static func describe(_ error: SchemaError) -> String {
    func place(_ pointer: String) -> String { pointer.isEmpty ? "the schema" : "the schema at \(pointer)" }
    switch error {
    case .notJSON(let byte): return "the schema is not JSON (at byte \(byte))"
    case .unsupported(let keyword, let at):
      return "\(place(at)) uses '\(keyword)' in a way that cannot be enforced; \(wayOut(of: keyword))"
    case .badValue(let keyword, let at, let expected):
      return "\(place(at)) has a '\(keyword)' that should be \(expected)"
    case .unresolved(let reference, let at):
      return "\(place(at)) refers to '\(reference)', which is not there"
    case .badPattern(let pattern, let at, let reason):
      return "\(place(at)) has a pattern that cannot be used, '\(pattern)': \(reason)"
    case .matchesNothing(let at): return "nothing fits \(place(at))"
    case .tooDeep(let limit, let at): return "\(place(at)) is nested deeper than \(limit)"
    case .tooComplex(_, let at): return "\(place(at)) combines too many schemas"
    case .grammar(let error): return describe(error)
    }
  }
}
