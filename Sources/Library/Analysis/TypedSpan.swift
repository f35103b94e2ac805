/// Part of a sentence that could answer a question of some type.
struct TypedSpan: Sendable, Equatable {
  let type: AnswerType
  /// Range of the passage's tokens.
  let tokens: Range<Int>
  /// Range of bytes in the passage's text.
  let range: Range<Int>
}

extension TypedSpan {
  /// Finds the dates, amounts, numbers, names and addresses among some tokens.
  static func find(in tokens: [Token], at stretch: Range<Int>) -> [TypedSpan] {
    var finder = TypedSpanFinder(tokens: tokens, stretch: stretch)
    finder.findNumbers()
    finder.findNames()
    return finder.spans
  }

  /// Returns the fit of the span to an expected type, from 0 to 1.
  func fit(_ wanted: AnswerType) -> Double {
    if type == wanted { return 1 }
    switch (wanted, type) {
    case (.person, .name): return 0.8
    case (.person, .organisation), (.person, .nationality): return 0.5
    case (.organisation, .name): return 0.7
    case (.organisation, .person), (.organisation, .place), (.organisation, .nationality): return 0.4
    case (.place, .name): return 0.7
    case (.place, .organisation), (.place, .nationality): return 0.4
    case (.name, .person), (.name, .organisation), (.name, .place): return 0.9
    case (.name, .nationality), (.name, .language), (.name, .number), (.name, .date): return 0.4
    case (.date, .time): return 0.6
    case (.date, .ordinal), (.date, .duration): return 0.4
    case (.time, .date), (.time, .duration): return 0.5
    case (.duration, .date), (.duration, .number): return 0.5
    case (.money, .number), (.money, .percent): return 0.5
    case (.quantity, .money), (.quantity, .percent), (.quantity, .number): return 0.7
    case (.quantity, .duration), (.quantity, .temperature): return 0.6
    case (.number, .quantity), (.number, .percent), (.number, .money), (.number, .duration): return 0.7
    case (.percent, .number), (.percent, .quantity): return 0.6
    case (.temperature, .number), (.temperature, .quantity): return 0.5
    case (.ordinal, .number): return 0.7
    case (.language, .nationality), (.nationality, .language): return 0.9
    case (.language, .name), (.nationality, .name), (.nationality, .place): return 0.4
    default: return 0
    }
  }
}
