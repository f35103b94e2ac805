import ChatTemplates
import Foundation
import TestSupport
import Testing

@Suite struct SandboxTests {
  private static let greedy: [String: String] = [
    "text that doubles":
      "{% set n = namespace(x='aaaaaaaa') %}{% for i in range(1000) %}{% set n.x = n.x + n.x %}{% endfor %}",
    "repetition": "{{ 'a' * 9999999999 }}", "lists": "{{ ([1] * 99999999) | length }}",
    "nested ranges":
      "{% for a in range(100000) %}{% for b in range(100000) %}{% for c in range(100000) %}{% endfor %}{% endfor %}{% endfor %}",
    "padding": "{{ 'a'.center(99999999999) }}", "zeros": "{{ 'a'.zfill(999999999) }}",
    "format width": "{{ '%999999999d' % 1 }}", "brace width": "{{ '{:999999999}'.format(1) }}",
    "tabs": "{{ '\\t\\t\\t\\t'.expandtabs(999999999) }}", "indent": "{{ 'a\\nb' | indent(999999999) }}",
    "replace": "{% set a = 'a' * 3000000 %}{{ a.replace('a', a) }}",
    "join": "{% set a = 'a' * 1000000 %}{{ ([a] * 1000) | join(a) }}",
    "shared lists":
      "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
    "shared equality":
      "{% set n = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}{{ n.x == n.y }}",
    "shared json":
      "{% set n = namespace(x={}) %}{% for i in range(60) %}{% set n.x = {'a': n.x, 'b': n.x} %}{% endfor %}{{ n.x | tojson }}",
    "shared keys":
      "{% set n = namespace(x=(1,)) %}{% for i in range(60) %}{% set n.x = (n.x, n.x) %}{% endfor %}{{ {n.x: 1} }}",
    "deep lists": "{% set n = namespace(x=[]) %}{% for i in range(90000) %}{% set n.x = [n.x] %}{% endfor %}",
    "deep generators":
      "{% set n = namespace(x=[1]) %}{% for i in range(90000) %}{% set n.x = n.x | map('string') %}{% endfor %}{{ n.x | list }}",
    "itself": "{% set n = namespace() %}{% set n.n = n %}{{ n }}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "mutual recursion":
      "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() ~ f() }}{% endmacro %}{{ f() }}",
    "recursive loop": "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "powers": "{{ 9 ** 9 ** 9 ** 9 }}", "big numbers": "{{ 9223372036854775807 + 1 }}",
    "brackets": String(repeating: "{{ [", count: 1) + String(repeating: "[", count: 100_000),
    "parentheses": "{{ " + String(repeating: "(", count: 100_000),
    "nots": "{{ " + String(repeating: "not ", count: 100_000) + "1 }}",
    "minuses": "{{ " + String(repeating: "-", count: 100_000) + "1 }}",
    "sums": "{{ 1" + String(repeating: " + 1", count: 100_000) + " }}",
    "filters": "{{ 1" + String(repeating: " | string", count: 50_000) + " }}",
    "attributes": "{{ a" + String(repeating: ".a", count: 100_000) + " }}",
    "ifs": String(repeating: "{% if 1 %}", count: 50_000),
    "conditions": "{{ " + String(repeating: "1 if 1 else ", count: 50_000) + "1 }}",
  ]

  @Test(arguments: greedy.keys.sorted())
  func endsWhatWouldNotEnd(what: String) throws {
    let source = try #require(Self.greedy[what])
    let start = ContinuousClock.now
    guard case .string(let error) = ReferenceRenderings.outcome(source, TemplateContext())["error"] else {
      Issue.record("\(what) renders")
      return
    }
    let kinds = ["LimitError", "RecursionError", "OverflowError", "TemplateSyntaxError", "ValueError"]
    #expect(kinds.contains { error.hasPrefix($0) }, "\(error)")
    print("sandbox, \(what): \(ContinuousClock.now - start)")
  }

  @Test func reachesNothingInside() {
    for source in [
      "{{ ''.__class__.__mro__ }}", "{{ [].__class__() }}", "{{ {}.__init__.__globals__['x'] }}",
      "{{ namespace.__init__.__globals__ }}", "{{ self._TemplateReference__context }}", "{{ range.__self__.x }}",
      "{{ '{0.__class__.x}'.format(1) }}", "{{ 'x'|attr('__class__')|attr('y') }}", "{{ [].append(1) }}",
      "{{ {}.update(a=1) }}",
    ] {
      let error = ReferenceRenderings.outcome(source, TemplateContext())["error"]
      guard case .string(let text) = error else {
        Issue.record("\(source) renders")
        continue
      }
      #expect(text.hasPrefix("SecurityError") || text.hasPrefix("UndefinedError"), "\(source): \(text)")
    }
  }

  /// Real templates with bytes changed, lost and doubled: they render or refuse, within bounds.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func mutatedTemplatesEnd() throws {
    let reference = try ReferenceRenderings.load()
    let count = ProcessInfo.processInfo.environment["ALCOVE_FUZZ"].flatMap(Int.init) ?? 600
    let sources = try ReferenceRenderings.names.map { Array(try ReferenceRenderings.source($0).unicodeScalars) }
    let parts = [
      "{%", "%}", "{{", "}}", "-", "'", "\"", "(", ")", "[", "]", "|", ".", " for ", " in ", "{% endif %}", "loop",
      "* 99999", "namespace", "\\",
    ]
    var random = SeededGenerator(seed: 7)
    var limits = TemplateLimits()
    limits.steps = 400_000
    limits.characters = 4_000_000
    var rendered = 0
    var slowest = Duration.zero
    for _ in 0..<count {
      var source = sources[Int.random(in: 0..<sources.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) where source.count > 10 {
        let place = Int.random(in: 0..<source.count - 8, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: source.removeSubrange(place..<place + Int.random(in: 1...8, using: &random))
        case 1:
          source.insert(
            contentsOf: Array(parts[Int.random(in: 0..<parts.count, using: &random)].unicodeScalars), at: place)
        case 2:
          let end = min(source.count, place + Int.random(in: 1...60, using: &random))
          source.insert(
            contentsOf: Array(source[place..<end]), at: Int.random(in: 0..<source.count, using: &random))
        default: source[place] = source[Int.random(in: 0..<source.count, using: &random)]
        }
      }
      let text = String(String.UnicodeScalarView(source))
      let conversation = reference.cases[Int.random(in: 0..<reference.cases.count, using: &random)]
      let start = ContinuousClock.now
      if ReferenceRenderings.outcome(text, reference.context(conversation.value), limits: limits)["text"] != nil {
        rendered += 1
      }
      slowest = max(slowest, ContinuousClock.now - start)
    }
    #expect(rendered > count / 20)
    print("mutated templates: \(rendered) of \(count) render, the slowest takes \(slowest)")
  }
}
