import Foundation

extension Date {
  /// Day and minute in the time zone of the user, sortable: 2026-11-21 12:44.
  package var shown: String {
    let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day, .hour, .minute], from: self)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = "\(number ?? 0)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)].joined(separator: "-")
    return day + " " + digits(parts.hour, 2) + ":" + digits(parts.minute, 2)
  }
}
