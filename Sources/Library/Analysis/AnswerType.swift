import Linguistics

/// Type of thing that answers a question.
package enum AnswerType: String, Sendable, CaseIterable, Codable {
  case person, organisation, place, date, time, duration, money, quantity, percent, temperature, number, ordinal
  case phone, email, link, language, nationality
  /// Name or term of an unknown type: "what engine", "which treaty".
  case name
  /// Any text: a clause, an explanation, a description.
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
