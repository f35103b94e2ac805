import Grammars
import Testing

@Suite struct SchemaErrorTests {
  @Test(arguments: RefusedSchemas.all.indices)
  func whatCannotBeEnforcedIsAnError(index: Int) {
    let (schema, pointer) = RefusedSchemas.all[index]
    let error = #expect(throws: SchemaError.self, "\(schema)") { try Grammar(jsonSchema: schema) }
    switch error {
    case .unsupported(_, let at), .badValue(_, let at, _), .unresolved(_, let at), .badPattern(_, let at, _),
      .matchesNothing(let at):
      #expect(at == pointer, "\(schema)")
    default: Issue.record("\(schema): \(String(describing: error))")
    }
  }

  @Test func hostileSchemasEnd() throws {
    let deep = String(repeating: "{\"items\":", count: 50_000) + "{}" + String(repeating: "}", count: 50_000)
    #expect(throws: SchemaError.self) { try Grammar(jsonSchema: deep) }
    #expect(throws: SchemaError.self) { try Grammar(jsonSchema: String(repeating: "[", count: 100_000)) }
    let circle = ##"{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"},{"minimum":1}]}},"$ref":"#/$defs/a"}"##
    #expect(throws: SchemaError.self) { try Grammar(jsonSchema: circle) }
    let doubling = (0..<30).map {
      ##""d\##($0)":{"anyOf":[{"$ref":"#/$defs/d\##($0 + 1)"},{"$ref":"#/$defs/d\##($0 + 1)"}]}"##
    }
    _ = try? Grammar(
      jsonSchema:
        "{\"$defs\":{\(doubling.joined(separator: ",")),\"d30\":{}},\"$ref\":\"#/$defs/d0\",\"minimum\":1}")
    #expect(throws: SchemaError.self) { try Grammar(jsonSchema: #"{"type":"string","maxLength":1000000000}"#) }
    #expect(throws: SchemaError.self) { try Grammar(jsonSchema: #"{"pattern":"^((a{1000}){1000}){1000}$"}"#) }
    let long = String(repeating: "n", count: 50_000)
    _ = try Grammar(jsonSchema: #"{"properties":{"\#(long)":{}},"additionalProperties":true}"#)
    for text in ["", "{", "{\"a\"", "nul", "{\"type\":\"string\"}x", "\"\\u12\"", "[1,]", "{\"a\":01}", "\u{0}"] {
      #expect(throws: SchemaError.self, "\(text)") { try Grammar(jsonSchema: text) }
    }
  }
}
