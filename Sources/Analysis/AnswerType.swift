/// What kind of thing answers a question.
public enum AnswerType: String, Sendable, CaseIterable, Codable {
  case person, organisation, place, date, time, duration, money, quantity, percent, temperature, number, ordinal
  case phone, email, link, language, nationality
  /// A name or term of no kind that could be told: "what engine", "which treaty".
  case name
  /// Anything: a clause, an explanation, a description.
  case clause
}
