import Linguistics

/// What kind of thing answers a question.
package enum AnswerType: String, Sendable, CaseIterable, Codable {
  case person, organisation, place, date, time, duration, money, quantity, percent, temperature, number, ordinal
  case phone, email, link, language, nationality
  /// A name or term of no kind that could be told: "what engine", "which treaty".
  case name
  /// Anything: a clause, an explanation, a description.
  case clause
}

extension AnswerType {
  init(_ asked: Asked) {
    self =
      switch asked {
      case .person: .person
      case .date: .date
      case .place: .place
      case .quantity: .quantity
      case .duration: .duration
      case .money: .money
      case .temperature: .temperature
      case .time: .time
      case .name: .name
      case .clause: .clause
      }
  }
}
