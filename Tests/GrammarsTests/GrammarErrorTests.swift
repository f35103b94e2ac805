import Grammars
import Testing

@Suite struct GrammarErrorTests {
  @Test(arguments: [
    ("", "no root"), ("root ::= \"a", "unclosed"), ("root ::= [a", "unclosed class"), ("root ::= (\"a\"", "group"),
    ("root ::= \"a\" )", "bracket"), ("root ::= missing", "missing rule"), ("other ::= \"a\"", "no root"),
    ("root ::= root \"a\" | \"b\"", "left"), ("root ::= a\na ::= b\nb ::= a \"x\" | \"y\"", "left over two"),
    ("root ::= e root \"x\" | \"y\"\ne ::= \"\"", "left behind nothing"), ("root ::= \"a\"{3,2}", "order"),
    ("root ::= \"a\"{,3}", "number"), ("root ::= *", "nothing"), ("root ::= \"\\q\"", "escape"),
    ("root ::= \"\\uD800\"", "surrogate"), ("root ::= [z-a]", "range"), ("root ::= \"\\U00110000\"", "too large"),
    ("root = \"a\"", "sign"), ("root ::= root", "loop"), ("root ::= \"a\" root", "endless"),
    ("root ::= \"a\"\nroot ::= \"b\"", "twice"), ("root ::= []", "empty class"), ("::= \"a\"", "name"),
    ("root ::= \"a\"{1000000}{1000000}", "size"), ("root ::= ((\"a\"{9999}){9999}){9999}", "size"),
    ("root ::= <", "token"),
  ])
  func wrongGrammarsAreErrors(text: String, about: String) {
    #expect(throws: GrammarError.self, "\(about)") { try Grammar(gbnf: text) }
  }

  @Test func hostileGrammarsAreReadOrRefused() throws {
    #expect(throws: GrammarError.tooDeep(limit: 200)) {
      try Grammar(gbnf: "root ::= " + String(repeating: "(", count: 100_000))
    }
    let chain = (0..<20_000).map { "r\($0) ::= \"a\" r\($0 + 1)" }.joined(separator: "\n") + "\nr20000 ::= \"z\""
    #expect(try Grammar(gbnf: chain, root: "r0").self == Grammar(gbnf: chain, root: "r0"))
  }
}
