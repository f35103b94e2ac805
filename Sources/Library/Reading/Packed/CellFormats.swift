import Documents

/// Number formats of the cells of an XLSX.
struct CellFormats {
  private let is1904: Bool
  /// Format code by cell style.
  private var codes: [String] = []

  init(is1904: Bool) { self.is1904 = is1904 }

  /// Built-in format codes, which files name by number only (ECMA-376, 18.8.30). Dates follow ISO 8601, since the
  /// built-in ones depend on the reader's country.
  private static let builtIn: [Int: String] = [
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 44: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0",
    49: "@",
  ]

  mutating func read(_ content: [UInt8]) throws(ReadingFailure) {
    var scanner = try XMLScanner(content, part: "styles.xml")
    var own: [Int: String] = [:]
    var isCellStyle = false
    while let token = try scanner.next() {
      switch token {
      case .start(let element):
        if element.name == "numFmt", let id = element["numFmtId"].flatMap({ Int($0) }) {
          own[id] = element["formatCode"]
        } else if element.name == "cellXfs" {
          isCellStyle = true
        } else if element.name == "xf", isCellStyle {
          let id = element["numFmtId"].flatMap { Int($0) } ?? 0
          codes.append(own[id] ?? Self.builtIn[id] ?? "General")
        }
      case .end("cellXfs"): isCellStyle = false
      default: break
      }
    }
  }

  /// Returns the number as its cell shows it.
  func text(_ value: String, style: Int) -> String {
    guard let number = Double(value), number.isFinite else { return value }
    let code = codes.indices.contains(style) ? codes[style] : "General"
    return NumberFormat(code).text(number, is1904: is1904)
  }
}

/// Number format of a spreadsheet, such as `#,##0.00 "€"` or `d. mmmm yyyy`.
struct NumberFormat {
  private let sections: [[Part]]

  private enum Part {
    case literal(String)
    /// Run of one date letter.
    case date(Character, Int)
    case elapsed(Character)
    case meridiem
    /// Digits: the least number before and the exact number behind the point, and whether thousands are separated.
    case digits(least: Int, decimals: Int, optional: Int, isGrouped: Bool)
    case exponent(Int)
    case percent
    case text
    case general
  }

  init(_ code: String) {
    sections = Self.split(code).map(Self.parse)
  }

  func text(_ number: Double, is1904: Bool) -> String {
    let index = number < 0 && sections.count > 1 ? 1 : number == 0 && sections.count > 2 ? 2 : 0
    guard sections.indices.contains(index), !sections[index].isEmpty else { return Self.general(number) }
    let section = sections[index]
    if section.contains(where: { if case .date = $0 { true } else if case .elapsed = $0 { true } else { false } })
    {
      return DateText(serial: number, is1904: is1904).map { dateText(section, $0) } ?? Self.general(number)
    }
    let isPercent = section.contains { if case .percent = $0 { true } else { false } }
    let magnitude = (index == 1 ? -number : number) * (isPercent ? 100 : 1)
    return section.map { part in
      switch part {
      case .literal(let text): text
      case .percent: "%"
      case .general, .text: Self.general(index == 1 ? -number : number)
      case .digits(let least, let decimals, let optional, let isGrouped):
        Self.fixed(magnitude, least: least, decimals: decimals, optional: optional, isGrouped: isGrouped)
      case .exponent(let decimals): Self.scientific(magnitude, decimals: decimals)
      default: ""
      }
    }.joined().trimmed
  }

  // MARK: Numbers

  /// Formats a number without a format code: up to 15 significant digits.
  static func general(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    let text = "\(number)"
    guard abs(number) >= 1e-5, abs(number) < 1e15, let point = text.firstIndex(of: ".") else { return text }
    // Binary noise (0.1 + 0.2) shows only behind the fifteenth digit.
    let whole = text.distance(from: text.startIndex, to: point)
    guard text.count > 16 else { return text }
    let rounded = fixed(
      number, least: 1, decimals: max(0, 15 - whole), optional: max(0, 15 - whole), isGrouped: false)
    return rounded
  }

  private static func fixed(
    _ number: Double, least: Int, decimals: Int, optional: Int, isGrouped: Bool
  ) -> String {
    let decimals = min(decimals, 15)
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (abs(number) * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled < 9e15 else { return "\(number)" }
    var digits = String(Int(scaled))
    while digits.count < decimals + max(least, 1) { digits = "0" + digits }
    var whole = String(digits.dropLast(decimals))
    var fraction = String(digits.suffix(decimals))
    for _ in 0..<min(optional, decimals) where fraction.last == "0" { fraction.removeLast() }
    if isGrouped {
      var grouped = ""
      for (index, digit) in whole.enumerated() {
        if index > 0, (whole.count - index).isMultiple(of: 3) { grouped.append(",") }
        grouped.append(digit)
      }
      whole = grouped
    }
    if least == 0, whole == "0", !fraction.isEmpty { whole = "" }
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  private static func scientific(_ number: Double, decimals: Int) -> String {
    guard number != 0 else {
      return fixed(0, least: 1, decimals: decimals, optional: 0, isGrouped: false) + "E+00"
    }
    var (mantissa, exponent) = (number, 0)
    while abs(mantissa) >= 10 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    while abs(mantissa) < 1 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
    let power = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
    let text = fixed(mantissa, least: 1, decimals: decimals, optional: 0, isGrouped: false)
    return text + "E" + (exponent < 0 ? "-" : "+") + power
  }

  // MARK: Dates

  private func dateText(_ section: [Part], _ date: DateText) -> String {
    let isTwelveHour = section.contains { if case .meridiem = $0 { true } else { false } }
    var (text, isBehindHour) = ("", false)
    for (index, part) in section.enumerated() {
      switch part {
      case .literal(let literal): text += literal
      case .meridiem: text += date.hour < 12 ? "AM" : "PM"
      case .elapsed(let unit):
        text += date.elapsed(unit)
        isBehindHour = unit == "h"
      case .date("m", let count) where count <= 2:
        let isBeforeSeconds =
          section[(index + 1)...].first { if case .date = $0 { true } else { false } }
          .map { if case .date("s", _) = $0 { true } else { false } } ?? false
        let isMinute = isBehindHour || isBeforeSeconds
        text += date.padded(isMinute ? date.minute : date.month, count)
        isBehindHour = false
      case .date(let unit, let count):
        text += date.text(unit, count, isTwelveHour: isTwelveHour)
        isBehindHour = unit == "h"
      default: break
      }
    }
    return text.trimmed
  }

  // MARK: The code

  /// Splits at semicolons that are not quoted.
  private static func split(_ code: String) -> [String] {
    var (sections, isQuoted, isEscaped) = ([""], false, false)
    for character in code.prefix(255) {
      if character == ";", !isQuoted, !isEscaped {
        sections.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      sections[sections.count - 1].append(character)
    }
    return sections
  }

  private static func parse(_ section: String) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(section)
    while let character = rest.first {
      switch character {
      case "\"":
        rest = rest.dropFirst()
        parts.append(.literal(String(rest.prefix { $0 != "\"" })))
        rest = rest.drop { $0 != "\"" }.dropFirst()
      case "\\", "_", "*":
        if character == "\\" { parts.append(.literal(String(rest.dropFirst().prefix(1)))) }
        rest = rest.dropFirst(2)
      case "[":
        let inside = rest.dropFirst().prefix { $0 != "]" }
        if inside.hasPrefix("$") {
          parts.append(.literal(String(inside.dropFirst().prefix { $0 != "-" })))
        } else if let unit = inside.lowercased().first, "hms".contains(unit),
          inside.allSatisfy({ $0.lowercased() == String(unit) })
        {
          parts.append(.elapsed(unit))
        }
        rest = rest.dropFirst(inside.count + 2)
      case "0", "#", "?": parts.append(number(&rest))
      case "." where rest.dropFirst().first.map({ "0#?".contains($0) }) ?? false: parts.append(number(&rest))
      case "%":
        parts.append(.percent)
        rest = rest.dropFirst()
      case "@":
        parts.append(.text)
        rest = rest.dropFirst()
      default: parts.append(word(&rest, character))
      }
    }
    return parts
  }

  private static func word(_ rest: inout Substring, _ character: Character) -> Part {
    let folded = rest.prefix(7).lowercased()
    if folded == "general" {
      rest = rest.dropFirst(7)
      return .general
    }
    for mark in ["am/pm", "a/p"] where folded.hasPrefix(mark) {
      rest = rest.dropFirst(mark.count)
      return .meridiem
    }
    if let unit = character.lowercased().first, "ymdhs".contains(unit) {
      let run = rest.prefix { $0.lowercased() == String(unit) }
      rest = rest.dropFirst(run.count)
      return .date(unit, run.count)
    }
    rest = rest.dropFirst()
    return .literal(String(character))
  }

  private static func number(_ rest: inout Substring) -> Part {
    let run = rest.prefix { "0#?,.".contains($0) }
    rest = rest.dropFirst(run.count)
    let halves = run.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = halves.count > 1 ? halves[1] : ""
    let decimals = fraction.count { "0#?".contains($0) }
    if rest.first == "E" || rest.first == "e" {
      rest = rest.dropFirst().drop { "+-0#?".contains($0) }
      return .exponent(decimals)
    }
    return .digits(
      least: halves[0].count { $0 == "0" }, decimals: decimals,
      optional: fraction.count { $0 == "#" || $0 == "?" },
      isGrouped: halves[0].contains(","))
  }
}
