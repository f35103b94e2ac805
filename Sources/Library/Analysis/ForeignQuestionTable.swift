/// Answer types of the question words of scripts without spaces.
enum ForeignQuestionTable {
  /// Returns the answer type of the first listed phrase that a question holds.
  static func asked(by text: String) -> AnswerType? { phrases.first { text.contains($0.0) }?.1 }

  private static let phrases: [(String, AnswerType)] = [
    ("什么时候", .date), ("甚麼時候", .date), ("何时", .date), ("何時", .date), ("いつ", .date), ("何日", .date), ("언제", .date),
    ("谁", .person), ("誰", .person), ("だれ", .person), ("누구", .person), ("哪里", .place), ("哪裡", .place),
    ("哪儿", .place), ("什么地方", .place), ("どこ", .place), ("어디", .place), ("多少", .quantity), ("多久", .duration),
    ("几", .quantity), ("いくら", .quantity), ("いくつ", .quantity), ("何人", .quantity), ("얼마", .quantity),
  ]
}
