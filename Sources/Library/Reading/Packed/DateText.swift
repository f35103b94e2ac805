/// Date of a spreadsheet: a serial number of days since the end of 1899 (or of 1903) as calendar date and time of
/// day.
struct DateText {
  private(set) var year = 0
  private(set) var month = 0
  private(set) var day = 0
  private(set) var hour = 0
  private(set) var minute = 0
  private let second: Int
  private let weekday: Int
  private let serial: Double

  /// Returns nil where the number is not a date that a spreadsheet shows.
  init?(serial: Double, is1904: Bool) {
    guard serial >= 0, serial < 2_958_466 else { return nil }
    self.serial = serial
    let seconds = Int((serial * 86_400).rounded())
    var days = seconds / 86_400 + (is1904 ? 1_462 : 0)
    let time = seconds % 86_400
    second = time % 60
    weekday = (days + 6) % 7
    // 1900 counts as a leap year, as in the first spreadsheets.
    if days < 60 { days += 1 }
    // Days since 1970-01-01 to the civil calendar (H. Hinnant, chrono-compatible low-level date algorithms).
    let shifted = days - 25_569 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3_600
    minute = time / 60 % 60
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// Formats a run of `count` date letters; `m` is a month here.
  func text(_ unit: Character, _ count: Int, isTwelveHour: Bool) -> String {
    switch unit {
    case "y": count <= 2 ? padded(year % 100, 2) : String(year)
    case "m": count == 3 ? String(Self.months[month - 1].prefix(3)) : Self.months[month - 1]
    case "d":
      count <= 2
        ? padded(day, count) : count == 3 ? String(Self.weekdays[weekday].prefix(3)) : Self.weekdays[weekday]
    case "h": padded(isTwelveHour ? (hour + 11) % 12 + 1 : hour, count)
    default: padded(second, count)
    }
  }

  /// Returns all hours, minutes or seconds since day 0.
  func elapsed(_ unit: Character) -> String {
    let seconds = Int((serial * 86_400).rounded())
    return String(unit == "h" ? seconds / 3_600 : unit == "m" ? seconds / 60 : seconds)
  }

  /// Pads the number with a zero where two digits are asked for.
  func padded(_ number: Int, _ count: Int) -> String { count >= 2 && number < 10 ? "0\(number)" : "\(number)" }
}
