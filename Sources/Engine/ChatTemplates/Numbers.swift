import Foundation

/// Numbers written and read as in Python.
enum Numbers {
  /// `repr` of a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16 on.
  static func text(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    var (digits, exponent) = shortest(abs(value))
    let sign = value.sign == .minus ? "-" : ""
    if exponent < -4 || exponent >= 16 {
      let first = digits.removeFirst()
      let fraction = digits.isEmpty ? "" : "." + digits
      let size = String(abs(exponent))
      return "\(sign)\(first)\(fraction)e\(exponent < 0 ? "-" : "+")\(size.count < 2 ? "0" + size : size)"
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
    if digits.count <= exponent + 1 {
      return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count) + ".0"
    }
    let point = digits.index(digits.startIndex, offsetBy: exponent + 1)
    return sign + digits[..<point] + "." + digits[point...]
  }

  /// The shortest digits without zeros around them, and the exponent of the first.
  private static func shortest(_ value: Double) -> (digits: String, exponent: Int) {
    guard value != 0 else { return ("0", 0) }
    var (mantissa, exponent) = (value.description, 0)
    if let mark = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = Int(mantissa[mantissa.index(after: mark)...]) ?? 0
      mantissa = String(mantissa[..<mark])
    }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    var digits = String(parts[0]) + (parts.count > 1 ? String(parts[1]) : "")
    exponent += parts[0].count - 1
    while digits.hasPrefix("0"), digits.count > 1 {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
    return (digits, exponent)
  }

  /// `printf` of a float; the conversion is one of `fFeEgG`.
  static func text(_ value: Double, precision: Int, conversion: Character) -> String {
    if value.isNaN || value.isInfinite {
      let text = value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
      return conversion.isUppercase ? text.uppercased() : text
    }
    return String(format: "%.\(min(precision, 500))\(conversion)", value)
  }

  /// `round(value, digits)`: half to even, as a decimal number.
  static func rounded(_ value: Double, digits: Int) -> Double {
    guard value.isFinite else { return value }
    if digits >= 0 {
      guard digits < 300 else { return value }
      return Double(text(value, precision: digits, conversion: "f")) ?? value
    }
    guard digits > -300 else { return 0 }
    let unit = pow(10.0, Double(-digits))
    return (value / unit).rounded(.toNearestOrEven) * unit
  }

  /// Returns the integer that Python's `int()` reads, or nil.
  static func integer(_ text: Text, radix: Int = 10) -> Int? {
    var digits = text.trimmed().string.filter { $0 != "_" }
    var isNegative = false
    if digits.hasPrefix("-") || digits.hasPrefix("+") { isNegative = digits.removeFirst() == "-" }
    let prefixes = ["0x": 16, "0o": 8, "0b": 2]
    var radix = radix
    if let named = prefixes[String(digits.prefix(2)).lowercased()], radix == named || radix == 0 {
      digits = String(digits.dropFirst(2))
      radix = named
    }
    guard (2...36).contains(radix == 0 ? 10 : radix), let first = digits.first, first != "-", first != "+" else {
      return nil
    }
    return Int((isNegative ? "-" : "") + digits, radix: radix == 0 ? 10 : radix)
  }

  /// Returns the number that Python's `float()` reads, or nil.
  static func float(_ text: Text) -> Double? {
    let digits = text.trimmed().string.filter { $0 != "_" }
    guard !digits.lowercased().contains("x"), !digits.contains("(") else { return nil }
    return Double(digits)
  }

  /// A power, where it fits.
  static func power(_ base: Int, _ exponent: Int) -> Int? {
    var (result, base, exponent) = (1, base, exponent)
    while exponent > 0 {
      if exponent & 1 == 1 {
        let (product, overflow) = result.multipliedReportingOverflow(by: base)
        if overflow { return nil }
        result = product
      }
      exponent >>= 1
      if exponent > 0 {
        let (square, overflow) = base.multipliedReportingOverflow(by: base)
        if overflow { return nil }
        base = square
      }
    }
    return result
  }

  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// A C locale's `strftime`.
  static func text(of time: TemplateTime, format: Text) -> Text {
    var fields = tm()
    fields.tm_year = Int32(clamping: time.year - 1900)
    fields.tm_mon = Int32(clamping: time.month - 1)
    fields.tm_mday = Int32(clamping: time.day)
    fields.tm_hour = Int32(clamping: time.hour)
    fields.tm_min = Int32(clamping: time.minute)
    fields.tm_sec = Int32(clamping: time.second)
    fields.tm_isdst = -1
    let weekday = time.weekday
    fields.tm_wday = Int32(weekday)
    fields.tm_yday = Int32(time.dayOfYear - 1)
    var buffer = [CChar](repeating: 0, count: 4096)
    // A time zone is none of the template's business.
    let cleaned = format.string.replacingOccurrences(of: "%z", with: "").replacingOccurrences(of: "%Z", with: "")
    let count = strftime(&buffer, buffer.count, cleaned, &fields)
    return Text(String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}

/// The local time that `strftime_now` tells.
package struct TemplateTime: Sendable, Equatable {
  /// The year, such as 2026.
  package var year: Int
  /// The month, from 1.
  package var month: Int
  /// The day of the month, from 1.
  package var day: Int
  /// The hour, from 0.
  package var hour: Int
  /// The minute, from 0.
  package var minute: Int
  /// The second, from 0.
  package var second: Int

  /// Creates a time; fields out of range are brought into it.
  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = min(max(year, 1), 9999)
    self.month = min(max(month, 1), 12)
    self.day = min(max(day, 1), 31)
    self.hour = min(max(hour, 0), 23)
    self.minute = min(max(minute, 0), 59)
    self.second = min(max(second, 0), 59)
  }

  /// The present local time.
  package static var now: TemplateTime {
    var seconds = time(nil)
    var fields = tm()
    localtime_r(&seconds, &fields)
    return TemplateTime(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
  }

  /// Reads `2026-01-15`, `2026-01-15T10:30` or `2026-01-15T10:30:00`, with `T` or a space; the rest is ignored.
  package init?(_ text: String) {
    let numbers = text.split { !$0.isNumber }.prefix(6).map { Int($0) ?? 0 }
    guard numbers.count >= 3 else { return nil }
    func field(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
    self.init(
      year: field(0), month: field(1), day: field(2), hour: field(3), minute: field(4), second: field(5))
  }

  /// Days from Sunday (Zeller's congruence).
  var weekday: Int {
    let shifted = month < 3 ? month + 12 : month
    let shiftedYear = month < 3 ? year - 1 : year
    let (century, rest) = (shiftedYear / 100, shiftedYear % 100)
    return (day + 13 * (shifted + 1) / 5 + rest + rest / 4 + century / 4 + 5 * century + 6) % 7
  }

  var dayOfYear: Int {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return before + day + (isLeap && month > 2 ? 1 : 0)
  }
}
