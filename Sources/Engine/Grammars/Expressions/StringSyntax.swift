import JSON

/// Spellings of the characters of a string in JSON.
enum StringSyntax {
  /// Characters that stand for themselves.
  static let plain = CharacterSet([0x20...0x21, 0x23...0x5B, 0x5D...0x7E, 0x80...CharacterSet.last])
  private static let hex = GrammarExpression.characters(CharacterSet([0x30...0x39, 0x41...0x46, 0x61...0x66]))

  /// One character in any way it can be written.
  static let unit: GrammarExpression = .choice([
    .characters(plain),
    .sequence([
      .text("\\"),
      .choice([
        .characters(CharacterSet("\"\\/bfnrt")),
        .sequence([.text("u"), .choice([ordinary, .sequence([high, .text("\\u"), low])])]),
      ]),
    ]),
  ])

  /// One character in the usual ways; where many are counted, this takes fewer states.
  static let briefUnit: GrammarExpression = .choice([
    .characters(plain), .sequence([.text("\\"), .characters(CharacterSet("\"\\/bfnrt"))]),
  ])

  /// Four hexadecimal digits that are not half of a surrogate pair.
  private static let ordinary: GrammarExpression = .choice([
    .sequence([
      .characters(CharacterSet([0x30...0x39, 0x41...0x43, 0x45...0x46, 0x61...0x63, 0x65...0x66])), hex, hex, hex,
    ]),
    .sequence([.characters(CharacterSet("dD")), .characters(CharacterSet([0x30...0x37])), hex, hex]),
  ])
  private static let high: GrammarExpression = .sequence([
    .characters(CharacterSet("dD")), .characters(CharacterSet("89abAB")), hex, hex,
  ])
  private static let low: GrammarExpression = .sequence([
    .characters(CharacterSet("dD")), .characters(CharacterSet("cdefCDEF")), hex, hex,
  ])

  /// Returns one character of a set: as it is, or escaped in the one usual way where it must be.
  static func character(of set: CharacterSet) -> GrammarExpression {
    let asIs = set.subtracting(plain.inverted)
    var choices: [GrammarExpression] = asIs.isEmpty ? [] : [.characters(asIs)]
    for value in [UInt32](0...0x1F) + [0x22, 0x5C, 0x7F] where set.contains(value) {
      if let scalar = Unicode.Scalar(value) { choices.append(.text(JSON.escaped(scalar))) }
    }
    return choices.isEmpty ? .characters(CharacterSet([])) : .oneOf(choices)
  }

  /// Returns a string in quotes that is none of some texts.
  static func string(noneOf texts: [String]) -> GrammarExpression {
    .sequence([.text("\""), rest(noneOf: texts.map { Array($0.unicodeScalars) }, depth: 0), .text("\"")])
  }

  /// Largest number of characters by which texts are told apart; of longer texts no other beginning is admitted either.
  private static let depthLimit = 64

  /// Expression of what may follow where the texts must not be completed.
  private static func rest(noneOf texts: [[Unicode.Scalar]], depth: Int) -> GrammarExpression {
    let going = Dictionary(grouping: texts.filter { !$0.isEmpty }, by: { $0[0] })
    var choices: [GrammarExpression] = texts.contains([]) ? [] : [.nothing]
    let others = CharacterSet(going.keys.map { $0.value...$0.value }).inverted
    choices.append(.sequence([character(of: others), .any(character(of: .all))]))
    for (first, group) in going.sorted(by: { $0.key < $1.key }) where depth < depthLimit {
      let one = CharacterSet([first.value...first.value])
      let rest = rest(noneOf: group.map { Array($0.dropFirst()) }, depth: depth + 1)
      choices.append(.sequence([character(of: one), rest]))
    }
    return .oneOf(choices)
  }
}
