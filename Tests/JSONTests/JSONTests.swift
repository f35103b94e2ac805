import Foundation
import JSON
import TestSupport
import Testing

/// Values made at random.
private struct ValueMaker {
  var random: SeededGenerator

  mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "/", "\n", "\u{8}", "\u{C}", "\u{1B}", "\u{7F}", "é", "\u{1F600}",
    ]
    return String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in scalars.randomElement(using: &random) }))
  }

  mutating func value(_ depth: Int = 0) -> JSON {
    let count = Int.random(in: 0...3, using: &random)
    switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int.random(in: -1_000_000...1_000_000, using: &random))
    case 3: return .number(Double.random(in: -1e9...1e9, using: &random))
    case 4: return .string(text())
    case 5: return .array((0..<count).map { _ in value(depth + 1) })
    default: return .object((0..<count).map { _ in (text(), value(depth + 1)) })
    }
  }
}

@Suite struct JSONTests {
  @Test(arguments: [JSON.Escapes.short, .demanded, JSON.Escapes(hasShortForms: false) { $0.value > 0x7E }])
  func whatIsWrittenIsReadBack(escapes: JSON.Escapes) throws {
    var maker = ValueMaker(random: SeededGenerator(seed: 3))
    for _ in 0..<500 {
      let value = maker.value()
      let text = value.written(escapes)
      #expect(try JSON(parsing: text) == value)
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      }
    }
  }

  @Test func orderDigitsAndRepetitionsStay() throws {
    let text = #"{"b":1.50,"a":-0,"b":1e+400,"c":[0.10,100000000000000000000001]}"#
    let value = try JSON(parsing: text)
    #expect(value.written() == text)
    #expect(value["b"] == .number(digits: "1e+400"))
    #expect(value["d"] == nil)
  }

  @Test func spacesAndEscapesAreRead() throws {
    let value = try JSON(parsing: " \t\r\n[ \"\\u0041\\/\\ud83d\\ude00\\b\" , { } , [ ] ] ")
    #expect(value == .array([.string("A/\u{1F600}\u{8}"), .object([]), .array([])]))
  }

  @Test func numbersThatJSONLacksAreNull() {
    #expect(
      JSON.array([.number(.nan), .number(.infinity), .number(1), .optional(nil)]).written()
        == "[null,null,1.0,null]")
  }

  @Test func charactersAreEscapedAsChosen() {
    let text = "\"\\/\n\r\t\u{8}\u{C}\u{1}\u{7F}é\u{1F600}"
    #expect(JSON.quoted(text) == #""\"\\/\n\r\t\b\f\u0001\u007fé"# + "\u{1F600}\"")
    #expect(JSON.quoted(text, .demanded) == #""\"\\/\n\r\t\u0008\u000c\u0001"# + "\u{7F}é\u{1F600}\"")
    let ascii = JSON.Escapes(hasShortForms: false) { $0.value > 0x7E }
    #expect(JSON.quoted(text, ascii) == #""\"\\/\n\r\t\u0008\u000c\u0001\u007f\u00e9\ud83d\ude00""#)
  }

  @Test(arguments: [
    ("", 0), (" ", 1), ("nul", 0), ("[1,]", 3), ("[1", 2), ("{\"a\"}", 4), ("{\"a\":1,}", 7), ("{a:1}", 1),
    ("01", 0), ("1.", 2), ("-", 1), ("1 2", 2), ("\"a", 2), ("\"\n\"", 2), ("\"\\x\"", 3), ("\"\\ud800\"", 7),
    ("'a'", 0),
  ])
  func errorsNameTheByte(text: String, byte: Int) {
    #expect(throws: JSONError.malformed(atByte: byte), "\(text)") { try JSON(parsing: text) }
  }

  @Test func nestingHasALimit() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSON(parsing: nested(JSON.depthLimit))
    #expect(throws: JSONError.tooDeep(limit: JSON.depthLimit)) { try JSON(parsing: nested(JSON.depthLimit + 1)) }
    #expect(throws: JSONError.tooDeep(limit: JSON.depthLimit)) {
      try JSON(parsing: String(repeating: "{\"a\":", count: 100_000))
    }
  }

  /// Cut off at every byte and flipped at random, a text is read or refused, never a trap.
  @Test func damagedTextsAreErrors() {
    var maker = ValueMaker(random: SeededGenerator(seed: 5))
    for _ in 0..<100 {
      let bytes = Array(maker.value().written().utf8)
      for count in bytes.indices { _ = try? JSON(parsing: String(decoding: bytes[..<count], as: UTF8.self)) }
      for place in bytes.indices {
        var changed = bytes
        changed[place] = UInt8.random(in: 0...127, using: &maker.random)
        _ = try? JSON(parsing: String(decoding: changed, as: UTF8.self))
      }
    }
  }
}
